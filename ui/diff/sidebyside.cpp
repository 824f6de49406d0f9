// SPDX-License-Identifier: Apache-2.0
#include "ui/diff/sidebyside.h"

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
        const json::Difference::Kind kind = differences[i].kind;
        if (ranges[i].length > 0)
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
      m_embedded(new TextLabel(tr("JSON inside strings is formatted"))),
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
        grid->addWidget(title, 1, column);
        grid->addWidget(sheet, 2, column);
        grid->setColumnStretch(column++, 1);
    }
    m_embedded->setDim(true);
    m_embedded->setFont(smallFont());
    m_embedded->setElided(true);
    m_embedded->hide();
    grid->addWidget(m_embedded, 0, 0, 1, 2);
    grid->setRowStretch(2, 1);
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

void SideBySide::setSides(const SideBySideSource &left, const SideBySideSource &right,
                          const QList<json::Difference> &differences)
{
    m_shown = -1;
    m_layingOut.reset();
    const auto isThere = [](const SideBySideSource &side) { return side.value.exists() || !side.text.isEmpty(); };
    hideIf(!isThere(left) && isThere(right), m_leftTitle, m_left, 0);
    hideIf(!isThere(right) && isThere(left), m_rightTitle, m_right, 1);
    if (left.value.slice().size() + right.value.slice().size() <= BackgroundBytes) {
        showText(layOutSideBySide(left, right, differences));
        return;
    }
    m_text = {};
    m_embedded->hide();
    m_left->setText(tr("Formatting…").toUtf8());
    m_right->setText({});
    m_layingOut = std::make_unique<QObject>();
    runInBackground<SideBySideText>(
        m_layingOut.get(), [left, right, differences] { return layOutSideBySide(left, right, differences); },
        [this](const SideBySideText &text) { showText(text); });
}

// An empty half would say nothing; the other gets its room.
void SideBySide::hideIf(bool isMissing, TextLabel *title, TextView *view, int column)
{
    title->setHidden(isMissing);
    view->parentWidget()->setHidden(isMissing);
    static_cast<QGridLayout *>(layout())->setColumnStretch(column, isMissing ? 0 : 1);
    static_cast<QGridLayout *>(layout())->setHorizontalSpacing(
        m_leftTitle->isHidden() || m_rightTitle->isHidden() ? 0 : Grid);
}

void SideBySide::showText(const SideBySideText &text)
{
    m_text = text;
    m_embedded->setVisible(text.hasEmbeddedJson);
    m_left->setText(text.left, TextView::Highlight::Json);
    m_right->setText(text.right, TextView::Highlight::Json);
    m_left->setTints(tintsOf(text.differences, text.leftRanges, Tone::ProtocolError));
    m_right->setTints(tintsOf(text.differences, text.rightRanges, Tone::Ok));
    if (m_shown >= 0)
        showDifference(m_shown);
}

int SideBySide::heightForLines(int maxHeight) const
{
    const int note = m_text.hasEmbeddedJson ? m_embedded->sizeHint().height() + Grid / 2 : 0;
    const int around = m_leftTitle->sizeHint().height() + note + Grid / 2 + 4;  // and the frame's lines
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
