// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/problemline.h"

#include "core/protocol/visibletext.h"
#include "core/shape/issuetext.h"
#include "ui/form/schemaform.h"
#include "ui/theme/roundedframe.h"
#include "ui/theme/widgets.h"

#include <QPainter>
#include <QSet>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

constexpr int PlaceLength = 30;
constexpr int SayingLength = 60;  // of what is said of the whole
constexpr int MinPlaceShown = 12;
constexpr int Margin = 4;  // for the frame of the focus

struct Places {
    qsizetype count = 0;
    QString names;
};

// A field shows one issue at a time. Of the whole there is no name but what is said of it.
Places placesOf(const QList<FormIssue> &issues, bool areRemarks)
{
    QSet<QStringList> seen;
    QStringList names;
    for (const FormIssue &issue : issues) {
        if (issue.isRemark != areRemarks || seen.contains(issue.words))
            continue;
        seen.insert(issue.words);
        const QString name =
            issue.words.isEmpty() ? visibleLine(issue.message, SayingLength) : placeText(issue.words, PlaceLength);
        if (!names.contains(name))
            names.append(name);
    }
    // "a, b", but "objs, item 40, name; count"
    const bool isNested =
        std::any_of(names.cbegin(), names.cend(), [](const QString &name) { return name.contains(u','); });
    return {seen.size(), names.join(isNested ? u"; "_s : u", "_s)};
}

}  // namespace

ProblemLine::ProblemLine(QWidget *parent) : QAbstractButton(parent)
{
    setFont(smallFont());
    setFocusPolicy(Qt::TabFocus);
    setCursor(Qt::PointingHandCursor);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    clear();
}

void ProblemLine::clear()
{
    m_isError = false;
    say({}, {}, {});
}

void ProblemLine::setIssues(const QList<FormIssue> &issues)
{
    const Places problems = placesOf(issues, false);
    const Places remarks = placesOf(issues, true);
    const QString wrong = counted(problems.count, tr("1 problem"), tr("%1 problems"));
    const QString noted = counted(remarks.count, tr("1 remark"), tr("%1 remarks"));
    m_isError = false;
    if (problems.count == 0)
        return say(remarks.count > 0 ? noted : QString(), remarks.names, {});
    say(wrong, problems.names, (remarks.count > 0 ? u" · "_s + noted : QString()) + tr(" · you can still send it"));
}

void ProblemLine::setError(const QString &text)
{
    m_isError = true;
    say({}, text, {});
}

void ProblemLine::say(const QString &count, const QString &places, const QString &rest)
{
    m_count = count;
    m_places = places;
    m_rest = rest;
    setAccessibleName(sentence().isEmpty() ? tr("No problems") : sentence());
    setToolTip(plainToolTip(sentence()));
    setVisible(!sentence().isEmpty());
    updateGeometry();
    update();
}

QString ProblemLine::sentence() const
{
    return m_count + (m_count.isEmpty() || m_places.isEmpty() ? QString() : u": "_s) + m_places + m_rest;
}

QString ProblemLine::shownText() const
{
    const int room = width() - 2 * Margin;
    const QFontMetrics metrics = fontMetrics();
    if (metrics.horizontalAdvance(sentence()) <= room)
        return sentence();
    // The place is more useful than the end of the sentence, if more of it is seen than some letters.
    const QString places = sentence().chopped(m_rest.size());
    const QString shortest = places.left(m_count.size() + MinPlaceShown) + u'…';
    if (!m_count.isEmpty() && metrics.horizontalAdvance(places) > room && metrics.horizontalAdvance(shortest) > room)
        return metrics.elidedText(m_count, Qt::ElideRight, room);
    return metrics.elidedText(places, Qt::ElideRight, room);
}

QSize ProblemLine::sizeHint() const
{
    return {fontMetrics().horizontalAdvance(sentence()) + 2 * Margin + 1, fontMetrics().height() + 2 * Margin};
}

QSize ProblemLine::minimumSizeHint() const
{
    return {20, sizeHint().height()};
}

void ProblemLine::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    if (hasFocus())
        paintRoundedFrame(&painter, rect(), focusPen());
    painter.setPen(m_isError ? color(Tone::ProtocolError) : underMouse() ? colors().text : colors().dim);
    painter.drawText(rect().adjusted(Margin, 0, -Margin, 0), Qt::AlignRight | Qt::AlignVCenter, shownText());
}

}  // namespace sonde::ui
