// SPDX-License-Identifier: Apache-2.0
#include "ui/json/sidebyside.h"

#include "ui/json/background.h"
#include "ui/json/textview.h"
#include "ui/theme/widgets.h"

#include <QFrame>
#include <QGridLayout>
#include <QScrollBar>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

QString signOf(json::Difference::Kind kind)
{
    switch (kind) {
        case json::Difference::Kind::Added:
            return u"+"_s;
        case json::Difference::Kind::Removed:
            return u"−"_s;
        case json::Difference::Kind::Changed:
            return u"≠"_s;
        case json::Difference::Kind::TextOnly:
            break;
    }
    return u"≈"_s;
}

QList<TextView::Tint> tintsOf(const QList<json::Difference> &differences, const QList<SideBySideText::Range> &ranges,
                              Tone tone)
{
    QList<TextView::Tint> tints;
    for (qsizetype i = 0; i < differences.size(); ++i) {
        if (ranges[i].length == 0)
            continue;
        // If something was added or removed within a string, the string is on both sides.
        const bool isWithin = differences[i].pointer.contains(u'#');
        const json::Difference::Kind kind = isWithin && differences[i].kind != json::Difference::Kind::TextOnly
                                                ? json::Difference::Kind::Changed
                                                : differences[i].kind;
        tints.append({ranges[i].offset, ranges[i].length,
                      kind == json::Difference::Kind::TextOnly ? Tone::Finding : tone, signOf(kind)});
    }
    return tints;
}

}  // namespace

SideBySide::SideBySide(QWidget *parent)
    : QWidget(parent),
      m_leftTitle(new TextLabel),
      m_rightTitle(new TextLabel),
      m_left(new TextView),
      m_right(new TextView)
{
    setObjectName(u"sideBySide"_s);
    m_leftTitle->setObjectName(u"leftTitle"_s);
    m_rightTitle->setObjectName(u"rightTitle"_s);
    m_left->setObjectName(u"leftText"_s);
    m_right->setObjectName(u"rightText"_s);
    auto *grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(Grid);
    grid->setVerticalSpacing(Grid / 2);
    int column = 0;
    for (const auto &[title, view] : {std::pair(m_leftTitle, m_left), std::pair(m_rightTitle, m_right)}) {
        title->setStrong();
        title->setElided(true);
        title->setMinimumWidth(40);
        title->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
        // Wrapped lines would not be aligned.
        view->setWordWrap(false);
        auto *sheet = new QFrame;
        sheet->setFrameShape(QFrame::StyledPanel);
        auto *inside = new QVBoxLayout(sheet);
        inside->setContentsMargins(1, 1, 1, 1);
        inside->addWidget(view);
        grid->addWidget(title, 0, column);
        grid->addWidget(sheet, 1, column);
        grid->setColumnStretch(column++, 1);
    }
    grid->setRowStretch(1, 1);
    setTitles(tr("Before"), tr("After"));
    scrollTogether(m_left, m_right);
    scrollTogether(m_right, m_left);
    connect(m_left, &TextView::clicked, this, [this](qsizetype offset) {
        if (const qsizetype index = differenceAt(m_text.leftRanges, offset); index >= 0)
            Q_EMIT differenceClicked(index);
    });
    connect(m_right, &TextView::clicked, this, [this](qsizetype offset) {
        if (const qsizetype index = differenceAt(m_text.rightRanges, offset); index >= 0)
            Q_EMIT differenceClicked(index);
    });
}

void SideBySide::scrollTogether(TextView *from, TextView *to)
{
    connect(from->verticalScrollBar(), &QScrollBar::valueChanged, to->verticalScrollBar(), &QScrollBar::setValue);
    connect(from->horizontalScrollBar(), &QScrollBar::valueChanged, to->horizontalScrollBar(), [to](int value) {
        // The shorter text ends earlier and does not limit the scrolling of the longer one.
        const QSignalBlocker once(to->horizontalScrollBar());
        to->horizontalScrollBar()->setValue(value);
        to->viewport()->update();
    });
}

void SideBySide::setTitles(const QString &left, const QString &right)
{
    m_leftTitle->setServerText(left);
    m_rightTitle->setServerText(right);
    m_left->setAccessibleName(left);
    m_right->setAccessibleName(right);
}

void SideBySide::setDocuments(const json::Document &left, const json::Document &right,
                              const QList<json::Difference> &differences)
{
    m_differences = differences;
    layOut({left.root(), left.text()}, {right.root(), right.text()});
}

void SideBySide::setValues(const json::Value &left, const json::Value &right,
                           const QList<json::Difference> &differences)
{
    m_differences = differences;
    layOut({left, {}}, {right, {}});
}

void SideBySide::layOut(const SideBySideSource &left, const SideBySideSource &right)
{
    const int asked = ++m_generation;
    m_shown = -1;
    if (left.value.slice().size() + right.value.slice().size() <= BackgroundBytes) {
        showText(layOutSideBySide(left, right, m_differences));
        return;
    }
    m_text = {};
    m_left->setText(tr("Formatting…").toUtf8());
    m_right->setText({});
    runInBackground<SideBySideText>(
        this, [left, right, differences = m_differences] { return layOutSideBySide(left, right, differences); },
        [this, asked](const SideBySideText &text) {
            if (asked == m_generation)
                showText(text);
        });
}

void SideBySide::showText(const SideBySideText &text)
{
    m_text = text;
    m_left->setText(text.left, TextView::Highlight::Json);
    m_right->setText(text.right, TextView::Highlight::Json);
    m_left->setTints(tintsOf(m_differences, text.leftRanges, Tone::ProtocolError));
    m_right->setTints(tintsOf(m_differences, text.rightRanges, Tone::Ok));
    if (m_shown >= 0)
        showDifference(m_shown);
}

int SideBySide::heightForLines(int maxHeight) const
{
    const int around = m_leftTitle->sizeHint().height() + Grid / 2 + 4;  // and the frame's lines
    const int room = qMax(0, maxHeight - around);
    return around + qMax(m_left->heightForLines(room), m_right->heightForLines(room));
}

void SideBySide::showDifference(qsizetype index)
{
    m_shown = index;
    if (index >= m_text.leftRanges.size())
        return;  // shown as soon as the texts are laid out
    for (const auto &[view, ranges] :
         {std::pair(m_left, &m_text.leftRanges), std::pair(m_right, &m_text.rightRanges)}) {
        if (index < 0)
            view->setMarkedRange(0, 0);
        else
            view->setMarkedRange((*ranges)[index].offset, (*ranges)[index].length);
    }
}

qsizetype SideBySide::differenceAt(const QList<SideBySideText::Range> &ranges, qsizetype offset) const
{
    for (qsizetype i = 0; i < ranges.size(); ++i) {
        if (offset >= ranges[i].offset && offset < ranges[i].offset + ranges[i].length)
            return i;
    }
    return -1;
}

}  // namespace sonde::ui
