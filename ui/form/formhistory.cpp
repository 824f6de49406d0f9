// SPDX-License-Identifier: Apache-2.0
#include "ui/form/formhistory.h"

#include <QScopedValueRollback>

#include <algorithm>
#include <utility>

namespace sonde::ui {

namespace {

constexpr qint64 PauseMs = 1000;                        // between two steps of typing in one place
constexpr qint64 MaxBytes = qint64(256) * 1024 * 1024;  // of all steps, each counted as if it shared nothing

}  // namespace

qint64 FormHistory::bytesOf(const QList<Step> &steps)
{
    qint64 bytes = 0;
    for (const Step &step : steps) {
        for (const Change &change : step.changes)
            bytes += change.before.bytes.size();
        bytes += step.text ? step.text->size() : 0;
    }
    return bytes;
}

void FormHistory::observe()
{
    m_root->setObserver([this](Draft *place) { note(place); });
}

void FormHistory::setRoot(const Draft::Ptr &root, bool isStep)
{
    const Draft::Ptr before = std::exchange(m_root, root);
    if (before)
        before->setObserver({});
    observe();
    m_current = {};
    if (!isStep || !before)
        return clear();
    m_current.changes.append({{}, before->state()});
    endStep();
}

void FormHistory::clear()
{
    m_current = {};
    m_done.clear();
    m_undone.clear();
}

FormSteps FormHistory::steps() const
{
    return {m_done, m_undone, m_text};
}

void FormHistory::setSteps(const FormSteps &steps)
{
    m_current = {};
    m_done = steps.done;
    m_undone = steps.undone;
    m_text = steps.text;
}

void FormHistory::note(Draft *place)
{
    if (m_isPaused)
        return;
    QStringList path = place->path();
    // Of members with one name only the last has a path.
    while (place && m_root->at(path).get() != place) {
        place = place->parent();
        if (!path.isEmpty())
            path.removeLast();
    }
    if (!place)
        return;
    const auto isHere = [&path](const Change &change) { return change.path == path; };
    if (std::none_of(m_current.changes.cbegin(), m_current.changes.cend(), isHere))
        m_current.changes.append({path, place->state()});
}

void FormHistory::noteTyping(Draft *place)
{
    note(place);
    m_current.isTyping = true;
}

void FormHistory::typeText(const QByteArray &text)
{
    if (text == m_text)
        return;
    if (!m_current.text)
        m_current.text = m_text;
    m_current.isTyping = true;
    m_current.isText = true;
    m_text = text;
}

void FormHistory::followText(const QByteArray &text)
{
    if (!m_done.isEmpty() && !m_done.constLast().text && text != m_text)
        m_done.last().text = m_text;
    m_text = text;
}

void FormHistory::endStep()
{
    if (m_current.changes.isEmpty() && !m_current.text)
        return;
    Step step = std::exchange(m_current, {});
    const bool isPause = !m_sinceTyping.isValid() || m_sinceTyping.elapsed() > PauseMs;
    m_sinceTyping.invalidate();
    if (step.isTyping)
        m_sinceTyping.start();
    m_undone.clear();
    // What the place held before the first of its changes is known.
    const bool wasTyping = !isPause && !m_done.isEmpty() && m_done.constLast().isTyping;
    const auto isKnown = [this, &step] {
        const QList<Change> &known = m_done.constLast().changes;
        return std::any_of(known.cbegin(), known.cend(),
                           [&step](const Change &at) { return at.path == step.changes.constFirst().path; });
    };
    const bool isMore =
        step.isTyping && wasTyping && m_done.constLast().isText == step.isText && (step.isText || isKnown());
    if (isMore) {
        QList<Change> &known = m_done.last().changes;
        for (const Change &change : std::as_const(step.changes)) {
            if (std::none_of(known.cbegin(), known.cend(), [&](const Change &at) { return at.path == change.path; }))
                known.append(change);
        }
        return;
    }
    m_done.append(step);
    while (m_done.size() > MaxSteps || (m_done.size() > 1 && bytesOf(m_done) > MaxBytes))
        m_done.removeFirst();
}

// What is put back last was changed first, so the places that a change needs are there again.
QList<Draft::Ptr> FormHistory::swap(QList<Step> *from, QList<Step> *to)
{
    if (from->isEmpty())
        return {};
    const QScopedValueRollback<bool> paused(m_isPaused, true);
    const Step step = from->takeLast();
    Step reverse;
    reverse.text = m_text;
    m_text = step.text.value_or(m_text);
    QList<Draft::Ptr> places;
    for (auto change = step.changes.crbegin(); change != step.changes.crend(); ++change) {
        const Draft::Ptr place = m_root->at(change->path);
        if (!place)
            continue;
        reverse.changes.append({change->path, place->state()});
        place->setState(change->before);
        places.append(place);
    }
    to->append(reverse);
    m_sinceTyping.invalidate();
    return places;
}

}  // namespace sonde::ui
