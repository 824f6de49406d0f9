// SPDX-License-Identifier: Apache-2.0
#include "ui/form/choiceeditor.h"

#include "core/json/builder.h"
#include "core/json/compare.h"
#include "core/protocol/visibletext.h"
#include "ui/form/inputs.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QLineEdit>
#include <QStringListModel>
#include <QVBoxLayout>

namespace sonde::ui {

namespace {

constexpr int SearchableFrom = 10;

}  // namespace

ChoiceEditor::ChoiceEditor(FormContext *context, const Draft::Ptr &draft, const Shape &shape, QWidget *parent)
    : Editor(context, draft, shape, parent), m_combo(new CalmComboBox)
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_combo);
    m_combo->setModel(new QStringListModel(m_combo));
    // With nothing to pick from, a wrong value can still be typed and sent.
    if (shape.choices.isEmpty() || shape.choices.size() >= SearchableFrom) {
        m_combo->setEditable(true);
        m_combo->setInsertPolicy(QComboBox::NoInsert);
        m_combo->completer()->setFilterMode(Qt::MatchContains);
        m_combo->completer()->setCompletionMode(QCompleter::PopupCompletion);
        connect(m_combo->lineEdit(), &QLineEdit::textEdited, this, &ChoiceEditor::type);
    }
    load();
    connect(m_combo, &QComboBox::activated, this, &ChoiceEditor::pick);
}

void ChoiceEditor::fill(const QString &foreign)
{
    QStringList labels;
    labels.reserve(m_shape.choices.size() + 1);
    for (const Choice &choice : std::as_const(m_shape.choices))
        labels.append(visibleLine(choice.label, 200));
    if (!foreign.isEmpty())
        labels.append(tr("%1 (not in the list)").arg(visibleLine(foreign, 200)));
    m_foreign = foreign;
    auto *model = qobject_cast<QStringListModel *>(m_combo->model());
    if (model->stringList() != labels)
        model->setStringList(labels);
}

int ChoiceEditor::indexOf(const json::Value &value) const
{
    for (int i = 0; i < m_shape.choices.size(); ++i) {
        if (json::equal(json::parse(m_shape.choices.at(i).json), value))
            return i;
    }
    return -1;
}

void ChoiceEditor::load()
{
    const json::Value value = m_draft->value();
    const int index = value.exists() ? indexOf(value) : -1;
    const bool isForeign = index < 0 && value.isString();
    fill(isForeign && !m_combo->isEditable() ? value.string() : QString());
    m_combo->setCurrentIndex(isForeign && !m_combo->isEditable() ? m_combo->count() - 1 : index);
    if (m_combo->isEditable())
        m_combo->setEditText(isForeign ? value.string() : index < 0 ? QString() : m_combo->itemText(index));
    m_combo->setHint(placeholder());
}

QWidget *ChoiceEditor::control() const
{
    return m_combo;
}

void ChoiceEditor::setWrong(bool wrong)
{
    m_combo->setWrong(wrong);
}

void ChoiceEditor::pick(int index)
{
    if (index < 0 || index >= m_shape.choices.size())
        return;
    // The same choice again keeps the spelling that was loaded: 1.0 is not rewritten as 1.
    if (indexOf(m_draft->value()) == index)
        return;
    m_draft->assign(m_shape.choices.at(index).json);
    m_combo->setHint(placeholder());
    Q_EMIT edited();
}

void ChoiceEditor::type(const QString &text)
{
    int index = -1;
    for (int i = 0; i < m_shape.choices.size() && index < 0; ++i) {
        if (m_shape.choices.at(i).label == text)
            index = i;
    }
    if (index >= 0)
        m_draft->assign(m_shape.choices.at(index).json);
    else if (text.isEmpty())
        writeNothing();
    else
        m_draft->assign(json::quoted(text));
    m_combo->setHint(placeholder());
    Q_EMIT edited();
}

}  // namespace sonde::ui
