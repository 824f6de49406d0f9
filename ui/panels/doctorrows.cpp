// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/doctorrows.h"

#include "core/protocol/visibletext.h"
#include "ui/theme/widgets.h"

#include <QGridLayout>
#include <QPushButton>
#include <QVBoxLayout>

namespace sonde::ui {

using namespace Qt::StringLiterals;

namespace {

using State = DoctorLine::State;

constexpr int SignColumn = 0;
constexpr int TitleColumn = 1;
constexpr int TextColumn = 2;
constexpr int TimeColumn = 3;

Tone toneOf(State state)
{
    switch (state) {
        case State::Ok:
            return Tone::Ok;
        case State::Warning:
            return Tone::ToolError;
        case State::Failed:
            return Tone::ProtocolError;
        case State::Running:
        case State::NotReached:
        case State::NotNeeded:
            break;
    }
    return Tone::Neutral;
}

QString signOf(State state)
{
    return state == State::Running ? u"…"_s : toneOf(state) == Tone::Neutral ? u"–"_s : sign(toneOf(state));
}

QString wordOfState(State state)
{
    switch (state) {
        case State::Running:
            return DoctorRows::tr("running");
        case State::Ok:
            return DoctorRows::tr("OK");
        case State::Warning:
            return DoctorRows::tr("warning");
        case State::Failed:
            return DoctorRows::tr("failed");
        case State::NotReached:
            return DoctorRows::tr("not reached");
        case State::NotNeeded:
            return DoctorRows::tr("not needed");
    }
    return {};
}

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

DoctorRows::DoctorRows(QWidget *parent) : QWidget(parent), m_grid(new QGridLayout(this))
{
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setHorizontalSpacing(2 * Grid);
    m_grid->setVerticalSpacing(Grid - 2);
    m_grid->setColumnStretch(TextColumn, 1);
}

void DoctorRows::addRow()
{
    Row row;
    row.sign = new TextLabel;
    row.title = new TextLabel;
    row.title->setStrong();
    row.text = wrapped();
    row.evidence = wrapped();
    row.evidence->setFont(monoFont());
    row.evidence->setDim(true);
    row.note = wrapped();
    row.time = new TextLabel;
    row.time->setDim(true);
    row.remedy = new QPushButton(titleOf(Remedy::EditServer));
    auto *column = new QVBoxLayout;
    column->setSpacing(2);
    for (TextLabel *label : {row.text, row.evidence, row.note})
        column->addWidget(label);
    column->addWidget(row.remedy, 0, Qt::AlignLeft);
    const int place = int(m_rows.size());
    connect(row.remedy, &QPushButton::clicked, this,
            [this, place] { Q_EMIT remedyChosen(m_rows[size_t(place)].offered); });
    const int at = 2 * place;
    m_grid->addWidget(row.sign, at, SignColumn, Qt::AlignTop);
    m_grid->addWidget(row.title, at, TitleColumn, Qt::AlignTop);
    m_grid->addLayout(column, at, TextColumn);
    m_grid->addWidget(row.time, at, TimeColumn, Qt::AlignTop | Qt::AlignRight);
    auto *line = new Line(Qt::Horizontal);
    m_grid->addWidget(line, at + 1, SignColumn, 1, TimeColumn + 1);
    m_rows.push_back(row);
    m_widgets.insert(m_widgets.end(),
                     {row.sign, row.title, row.text, row.evidence, row.note, row.time, row.remedy, line});
}

void DoctorRows::setLines(const QList<DoctorLine> &lines, const DoctorLine *told)
{
    if (m_rows.size() > size_t(lines.size())) {
        for (QWidget *widget : m_widgets)
            delete widget;
        m_widgets.clear();
        m_rows.clear();
    }
    while (m_rows.size() < size_t(lines.size()))
        addRow();
    for (qsizetype i = 0; i < lines.size(); ++i) {
        Row &row = m_rows[size_t(i)];
        const DoctorLine &line = lines.at(i);
        const bool isQuiet = line.state == State::NotReached || line.state == State::NotNeeded;
        row.sign->setText(signOf(line.state));
        row.sign->setTone(toneOf(line.state));
        row.sign->setDim(isQuiet);
        row.title->setText(titleOf(line.kind));
        row.title->setDim(isQuiet);
        showText(row.text, line.text);
        row.text->setDim(isQuiet);
        showText(row.evidence, line.evidence);
        // The reason at the top of the page says it as well.
        showText(row.note, told && told->kind == line.kind ? QString() : line.evidenceNote);
        row.time->setText(line.ms >= 0 ? tr("%1 ms").arg(line.ms) : QString());
        row.offered = told && told->kind == line.kind ? Remedy::None : line.remedy;
        row.remedy->setVisible(row.offered != Remedy::None);
        row.remedy->setText(titleOf(row.offered));
        row.title->setAccessibleName(
            u"%1, %2: %3"_s.arg(titleOf(line.kind), wordOfState(line.state), visibleLine(line.text, 200)));
    }
}

}  // namespace sonde::ui
