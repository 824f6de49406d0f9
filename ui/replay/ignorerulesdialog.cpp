// SPDX-License-Identifier: Apache-2.0
#include "ui/replay/ignorerulesdialog.h"

#include "ui/theme/editabletable.h"
#include "ui/theme/keys.h"
#include "ui/theme/linedelegate.h"
#include "ui/theme/rowtable.h"
#include "ui/theme/widgets.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QStackedLayout>
#include <QTableWidget>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

enum RuleColumn { WhatColumn, RegexColumn, PointerColumn, MethodColumn, TargetColumn, ColumnCount };

// The editor of a cell has the name of its column, and is visually distinct from the cells around it.
class RuleDelegate final : public LineDelegate {
public:
    using LineDelegate::LineDelegate;

    QWidget *createEditor(QWidget *parent, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        QWidget *editor = LineDelegate::createEditor(parent, option, index);
        if (editor)
            editor->setAccessibleName(index.model()->headerData(index.column(), Qt::Horizontal).toString());
        if (auto *line = qobject_cast<QLineEdit *>(editor))
            line->setFrame(true);
        return editor;
    }
};

}  // namespace

IgnoreRulesDialog::IgnoreRulesDialog(const ReplayRules &rules, const QString &path, QWidget *parent)
    : QDialog(parent),
      m_path(path),
      m_told(rules.rules()),
      m_table(new EditableTable(0, ColumnCount)),
      m_empty(new EmptyState(
          tr("No rules"),
          tr("Click “Ignore” next to a difference, or add a rule here. Matching differences are ignored."))),
      m_stack(new QStackedLayout),
      m_message(new TextLabel),
      m_remove(new QPushButton(tr("Remove")))
{
    setWindowTitle(tr("Ignore rules"));
    setObjectName(u"ignoreRules"_s);
    resize(900, 360);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(2 * Grid, 2 * Grid, 2 * Grid, 2 * Grid);
    column->setSpacing(Grid);
    m_table->setObjectName(u"ruleTable"_s);
    m_table->setAccessibleName(tr("Rules"));
    m_table->setItemDelegate(new RuleDelegate(m_table));
    m_table->setHorizontalHeaderLabels(
        {tr("Ignored content"), tr("Regular expression"), tr("Path"), tr("Method"), tr("Tool, prompt or URI")});
    setUpRows(m_table, 5);
    m_table->setEditTriggers(QAbstractItemView::AllEditTriggers);
    m_table->setFont(monoFont());
    QHeaderView *header = m_table->horizontalHeader();
    header->setFont(smallFont());
    header->setSectionResizeMode(PointerColumn, QHeaderView::Stretch);
    header->resizeSection(RegexColumn, 140);
    header->resizeSection(MethodColumn, 120);
    header->resizeSection(TargetColumn, 150);
    m_stack->addWidget(m_table);
    m_stack->addWidget(m_empty);
    column->addLayout(m_stack, 1);
    auto *hint =
        new TextLabel(tr("Path: /content/*/text#/time, where * is one step, ** any number of steps and # enters JSON "
                         "inside a string. An empty field matches anything."));
    hint->setDim(true);
    hint->setFont(smallFont());
    hint->setWordWrap(true);
    column->addWidget(hint);
    m_message->setObjectName(u"ruleMessage"_s);
    m_message->setWordWrap(true);
    column->addWidget(m_message);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    auto *add = new QPushButton(tr("Add"));
    add->setObjectName(u"ruleAdd"_s);
    m_remove->setObjectName(u"ruleRemove"_s);
    buttons->addButton(add, QDialogButtonBox::ActionRole);
    buttons->addButton(m_remove, QDialogButtonBox::ActionRole);
    column->addWidget(buttons);

    for (const ReplayRule &rule : rules.rules())
        appendRow(rule);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(add, &QPushButton::clicked, this, [this] { addDraft({}); });
    connect(m_remove, &QPushButton::clicked, this, &IgnoreRulesDialog::removeSelected);
    connect(m_table, &QTableWidget::cellChanged, this, &IgnoreRulesDialog::onEdited);
    connect(m_table, &QTableWidget::itemSelectionChanged, this, &IgnoreRulesDialog::updateState);
    showSaved({});
    updateState();
}

void IgnoreRulesDialog::appendRow(const ReplayRule &rule)
{
    m_filling = true;
    const int row = m_table->rowCount();
    m_table->insertRow(row);
    auto *what = new QComboBox;
    what->setAccessibleName(tr("Ignored content"));
    what->setFrame(false);
    what->addItem(tr("anything"), int(ReplayRule::Kind::Anything));
    what->addItem(tr("timestamps"), int(ReplayRule::Kind::Timestamp));
    what->addItem(tr("UUIDs"), int(ReplayRule::Kind::Uuid));
    what->addItem(tr("text matching"), int(ReplayRule::Kind::Regex));
    what->setCurrentIndex(what->findData(int(rule.kind)));
    m_table->setCellWidget(row, WhatColumn, what);
    QHeaderView *header = m_table->horizontalHeader();
    header->resizeSection(WhatColumn, qMax(header->sectionSize(WhatColumn), what->sizeHint().width()));
    for (const auto &[column, text] : {std::pair<int, QString>(RegexColumn, rule.regex),
                                       {PointerColumn, rule.pointer},
                                       {MethodColumn, rule.method},
                                       {TargetColumn, rule.target}})
        m_table->setItem(row, column, new QTableWidgetItem(text));
    m_filling = false;
    connect(what, &QComboBox::currentIndexChanged, this, &IgnoreRulesDialog::onEdited);
}

void IgnoreRulesDialog::addDraft(const ReplayRule &rule)
{
    m_draft = rule;
    appendRow(rule);
    updateState();
    const int row = m_table->rowCount() - 1;
    m_table->setCurrentCell(row, rule.kind == ReplayRule::Kind::Regex ? RegexColumn : PointerColumn);
    m_table->setFocus();
    m_table->editItem(m_table->currentItem());
}

ReplayRule IgnoreRulesDialog::ruleAt(int row) const
{
    const auto text = [this, row](int column) { return m_table->item(row, column)->text().trimmed(); };
    ReplayRule rule;
    rule.kind = ReplayRule::Kind(static_cast<QComboBox *>(m_table->cellWidget(row, WhatColumn))->currentData().toInt());
    if (rule.kind == ReplayRule::Kind::Regex)
        rule.regex = text(RegexColumn);
    rule.pointer = text(PointerColumn);
    rule.method = text(MethodColumn);
    rule.target = text(TargetColumn);
    return rule;
}

void IgnoreRulesDialog::removeSelected()
{
    const int row = m_table->currentRow();
    if (row < 0)
        return;
    m_table->removeRow(row);
    onEdited();
    updateState();
}

void IgnoreRulesDialog::onEdited()
{
    if (m_filling)
        return;
    ReplayRules rules;
    for (int row = 0; row < m_table->rowCount(); ++row) {
        if (const Error error = rules.add(ruleAt(row))) {
            m_message->setTone(Tone::ProtocolError);
            m_message->setServerText(
                sign(Tone::ProtocolError) +
                tr("Line %1: %2. The previous rules apply until this is fixed.").arg(row + 1).arg(error.message));
            return;
        }
    }
    m_told = rules.rules();
    Q_EMIT rulesChanged(rules);
}

bool IgnoreRulesDialog::isUntouched(const ReplayRule &rule) const
{
    return rule == ReplayRule{} || rule == m_draft;
}

bool IgnoreRulesDialog::mayLeaveOut(int row, const Error &error)
{
    m_table->setCurrentCell(row, PointerColumn);
    QMessageBox box(
        QMessageBox::Question, tr("Ignore rules"),
        tr("Line %1 is not a valid rule: %2. It will be discarded on close.").arg(row + 1).arg(error.message),
        QMessageBox::NoButton, this);
    box.setObjectName(u"ruleQuestion"_s);
    box.setTextFormat(Qt::PlainText);
    QPushButton *leaveOut = box.addButton(tr("Discard"), QMessageBox::DestructiveRole);
    box.setDefaultButton(box.addButton(tr("Keep editing"), QMessageBox::RejectRole));
    box.exec();
    return box.clickedButton() == leaveOut;
}

void IgnoreRulesDialog::reject()
{
    m_table->setFocus();  // a cell that is being edited is taken as it is
    ReplayRules rules;
    bool isWhole = true;
    for (int row = 0; row < m_table->rowCount(); ++row) {
        const ReplayRule rule = ruleAt(row);
        const Error error = rules.add(rule);
        if (error && !isUntouched(rule) && !mayLeaveOut(row, error))
            return;
        isWhole = isWhole && !error;
    }
    // The invalid line is dropped, so the valid rules take effect.
    if (!isWhole && rules.rules() != m_told)
        Q_EMIT rulesChanged(rules);
    QDialog::reject();
}

// Return ends the editing of a cell; it is not for the button that happens to be the default one.
void IgnoreRulesDialog::keyPressEvent(QKeyEvent *event)
{
    if (!isEnter(event) || qobject_cast<QPushButton *>(focusWidget()))
        QDialog::keyPressEvent(event);
}

void IgnoreRulesDialog::showSaved(const Error &error)
{
    m_message->setTone(error ? Tone::ProtocolError : Tone::Neutral);
    m_message->setDim(true);
    m_message->setServerText(error ? sign(Tone::ProtocolError) + u' ' + error.message : tr("Saved in %1").arg(m_path));
}

void IgnoreRulesDialog::updateState()
{
    m_stack->setCurrentWidget(m_table->rowCount() > 0 ? static_cast<QWidget *>(m_table) : m_empty);
    m_remove->setEnabled(m_table->currentRow() >= 0);
}

}  // namespace sonde::ui
