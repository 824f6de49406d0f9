// SPDX-License-Identifier: Apache-2.0
#include "tests/monkey/walker.h"

#include "app/gui/endprogram.h"
#include "tests/monkey/hand.h"
#include "tests/monkey/screen.h"

#include <QAbstractButton>
#include <QApplication>
#include <QDialog>
#include <QMessageBox>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace sonde::monkey {

namespace {

constexpr int WindowEndsMs = 30'000;

}  // namespace

Walker::Walker(World *world, QFile *trail) : m_world(world), m_trail(trail), m_checks(world)
{
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &Walker::stepOn);
    connect(world, &World::windowReplaced, this, [this] { m_checks.windowReplaced(); });
    connect(world, &World::closed, this, [this] { stop(); });
}

QString Walker::walk(Chooser chooser, int steps)
{
    return run(
        [&chooser, left = steps]() mutable { return left-- > 0 ? std::optional(chooser.next()) : std::nullopt; });
}

QString Walker::replay(const QList<Step> &steps)
{
    return run([&steps, at = qsizetype(0)]() mutable {
        return at < steps.size() ? std::optional(steps[at++]) : std::nullopt;
    });
}

// One window after the other, as the walk closes them.
QString Walker::run(const std::function<std::optional<Step>()> &next)
{
    m_next = next;
    while (!m_isOver && m_failure.isEmpty()) {
        m_world->openWindow();
        m_checks.forget();
        m_checks.beginStep();
        m_closing.invalidate();
        m_timer.start(0);
        QApplication::exec();
        m_timer.stop();
        m_world->disposeWindow();
        if (m_failure.isEmpty())
            m_failure = m_checks.afterWindow();
    }
    return m_failure;
}

void Walker::stop()
{
    m_timer.stop();
    app::endProgram();  // as app/gui/main.cpp does
}

void Walker::stepOn()
{
    m_failure = m_checks.afterStep();
    if (!m_failure.isEmpty()) {
        m_failure += u", after "_s + QString::fromUtf8(m_last.toLine().left(300));
        stop();
        return;
    }
    if (!m_world->window().isVisible()) {  // closing; World::closed() tells when it has
        if (!m_closing.isValid())
            m_closing.start();
        if (m_closing.elapsed() > WindowEndsMs) {
            m_failure = QStringLiteral("closing: it has not ended");
            stop();
            return;
        }
        m_checks.beginStep();
        m_timer.start(1);
        return;
    }
    const std::optional<Step> step = m_isOver ? std::nullopt : m_next();
    if (!step) {
        m_isOver = true;
        finish();
        return;
    }
    if (m_trail) {
        m_trail->write(step->toLine() + '\n');
        m_trail->flush();
    }
    m_last = *step;
    perform(*step);
}

// Closes whatever is in front, then the window. Calls that still run may be lost now.
void Walker::finish()
{
    m_timer.start(0);
    m_checks.beginStep();
    QWidget *modal = QApplication::activeModalWidget();
    if (QWidget *popup = QApplication::activePopupWidget()) {
        popup->close();
    } else if (const auto *box = qobject_cast<QMessageBox *>(modal)) {
        const QList<QAbstractButton *> buttons = box->buttons();
        const auto goesOn = std::find_if(buttons.begin(), buttons.end(), [box](QAbstractButton *button) {
            return box->buttonRole(button) == QMessageBox::DestructiveRole;
        });
        (goesOn == buttons.end() ? buttons.first() : *goesOn)->click();
    } else if (auto *dialog = qobject_cast<QDialog *>(modal)) {
        dialog->reject();
    } else {
        perform({Step::Kind::Close, {}, {}, {}, 0});
    }
}

void Walker::perform(const Step &step)
{
    screen::activateFrontWindow();
    // Started before: what opens a dialog returns when that is closed, and the walk goes on in it.
    m_timer.start(step.kind == Step::Kind::Wait ? step.number : 0);
    m_checks.beginStep();
    if (step.kind == Step::Kind::Close) {
        m_checks.forget();
        m_world->closeWindow();
    } else if (step.kind == Step::Kind::Server) {
        m_world->act(step.number, step.text);
    } else if (step.kind != Step::Kind::Wait) {
        hand::perform(step, [this] { m_checks.endEvent(); });
    }
}

}  // namespace sonde::monkey
