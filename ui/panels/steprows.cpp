// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/steprows.h"

#include "core/protocol/visibletext.h"
#include "ui/theme/widgets.h"

#include <QGridLayout>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

namespace sonde::ui {

using namespace Qt::StringLiterals;

namespace {

using State = Step::State;

enum Column { SignColumn, NameColumn, TextColumn, TimeColumn, LinkColumn };

constexpr int MinNameWidth = 14 * Grid;

Tone toneOfStep(State state)
{
    switch (state) {
        case State::Done:
            return Tone::Ok;
        case State::Warning:
            return Tone::ToolError;
        case State::Failed:
            return Tone::ProtocolError;
        case State::Paused:
            return Tone::Asks;
        case State::Running:
            return Tone::Accent;
        case State::Waiting:
        case State::Skipped:
            break;
    }
    return Tone::Neutral;
}

QString wordOfState(State state)
{
    switch (state) {
        case State::Running:
            return StepRows::tr("running");
        case State::Paused:
            return StepRows::tr("waiting");
        case State::Done:
            return StepRows::tr("OK");
        case State::Warning:
            return StepRows::tr("warning");
        case State::Failed:
            return StepRows::tr("failed");
        case State::Waiting:
            return StepRows::tr("not done");
        case State::Skipped:
            return StepRows::tr("not needed");
    }
    return {};
}

// In one line where there is room for it beside the texts; a label that wraps would never ask for that much.
class NameOfStep final : public TextLabel {
public:
    NameOfStep() { setWordWrap(true); }
    QSize sizeHint() const override
    {
        return {fontMetrics().horizontalAdvance(text()) + 2, fontMetrics().lineSpacing()};
    }
    QSize minimumSizeHint() const override
    {
        return {qMin(sizeHint().width(), scaled(MinNameWidth)), sizeHint().height()};
    }
};

TextLabel *wrapped()
{
    auto *label = new TextLabel;
    label->setWordWrap(true);
    label->setMinimumWidth(40);  // a path without spaces must not push the times out
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    return label;
}

void showText(TextLabel *label, const QString &text)
{
    label->setServerText(text);
    label->setVisible(!text.isEmpty());
}

}  // namespace

StepRows::StepRows(Lines lines, QWidget *parent) : QWidget(parent), m_lines(lines), m_grid(new QGridLayout(this))
{
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setHorizontalSpacing(lines == Lines::Between ? 2 * Grid : Grid + Grid / 2);
    m_grid->setVerticalSpacing(lines == Lines::Between ? Grid - 2 : 2);
    m_grid->setColumnStretch(TextColumn, 1);
}

void StepRows::addRow()
{
    const int place = int(m_rows.size());
    Parts row{new TextLabel,       new NameOfStep,     wrapped(),
              wrapped(),           wrapped(),          new TextLabel,
              new QPushButton({}), new FlatButton({}), new Line(Qt::Horizontal)};
    row.name->setStrong();
    row.text->setObjectName(objectName() + u"Text%1"_s.arg(place));
    row.detail->setFont(monoFont());
    row.detail->setDim(true);
    row.time->setDim(true);
    row.link->setObjectName(objectName() + u"Link%1"_s.arg(place));
    auto *column = new QVBoxLayout;
    column->setSpacing(2);
    for (TextLabel *label : {row.text, row.detail, row.note})
        column->addWidget(label);
    column->addWidget(row.action, 0, Qt::AlignLeft);
    connect(row.action, &QPushButton::clicked, this, [this, place] { Q_EMIT actionChosen(place); });
    connect(row.link, &FlatButton::clicked, this, [this, place] { Q_EMIT linkChosen(place); });
    const int at = 2 * place;
    const Qt::Alignment alignment = m_lines == Lines::Between ? Qt::AlignTop : Qt::AlignVCenter;
    m_grid->addWidget(row.sign, at, SignColumn, alignment);
    m_grid->addWidget(row.name, at, NameColumn, alignment);
    m_grid->addLayout(column, at, TextColumn);
    m_grid->addWidget(row.time, at, TimeColumn, alignment | Qt::AlignRight);
    m_grid->addWidget(row.link, at, LinkColumn, alignment);
    m_grid->addWidget(row.line, at + 1, SignColumn, 1, LinkColumn);  // nor a gap for links where there are none
    row.line->setVisible(m_lines == Lines::Between);
    m_rows.push_back(row);
}

void StepRows::removeRow()
{
    const Parts row = m_rows.back();
    m_rows.pop_back();
    for (QWidget *widget : std::initializer_list<QWidget *>{row.sign, row.name, row.text, row.detail, row.note,
                                                            row.time, row.action, row.link, row.line})
        delete widget;
}

void StepRows::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    fitNames();
}

// The texts get more of a narrow page.
void StepRows::fitNames()
{
    const int most = qMax(scaled(MinNameWidth), width() * 2 / 5);
    for (const Parts &row : m_rows)
        row.name->setMaximumWidth(most);
}

void StepRows::setRows(const QList<Row> &rows)
{
    while (m_rows.size() > size_t(rows.size()))
        removeRow();
    while (m_rows.size() < size_t(rows.size()))
        addRow();
    // Rows with a button are as high as those without.
    const bool hasLinks = std::any_of(rows.begin(), rows.end(), [](const Row &row) { return !row.link.isEmpty(); });
    for (qsizetype i = 0; i < rows.size(); ++i) {
        m_grid->setRowMinimumHeight(2 * int(i), hasLinks ? rowHeight() : 0);
        const Parts &row = m_rows[size_t(i)];
        const Step &step = rows.at(i).step;
        const Tone tone = toneOfStep(step.state);
        const bool isQuiet = tone == Tone::Neutral && !rows.at(i).isForUser;
        row.sign->setText(tone == Tone::Neutral ? u"–"_s : sign(tone));
        row.sign->setTone(tone);
        row.sign->setDim(isQuiet);
        row.name->setText(step.attempt > 1 ? tr("%1, attempt %2").arg(step.name).arg(step.attempt) : step.name);
        row.name->setDim(isQuiet);
        showText(row.text, step.text);
        row.text->setDim(isQuiet);
        showText(row.detail, step.detail);
        showText(row.note, step.note);
        row.time->setText(step.ms < 0        ? QString()
                          : step.ms < 10'000 ? tr("%1 ms").arg(step.ms)
                                             : tr("%1 s").arg(step.ms / 1000));
        row.action->setVisible(!rows.at(i).action.isEmpty());
        row.action->setText(rows.at(i).action);
        row.action->setAccessibleName(u"%1: %2"_s.arg(step.name, rows.at(i).action));
        row.link->setVisible(!rows.at(i).link.isEmpty());
        row.link->setText(rows.at(i).link);
        row.link->setAccessibleName(u"%1: %2"_s.arg(step.name, rows.at(i).link));
        row.name->setAccessibleName(
            u"%1, %2: %3"_s.arg(step.name, wordOfState(step.state), visibleLine(step.text, 200)));
    }
    fitNames();
}

}  // namespace sonde::ui
