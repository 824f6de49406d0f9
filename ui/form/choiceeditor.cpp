// SPDX-License-Identifier: Apache-2.0
#include "ui/form/choiceeditor.h"

#include "core/json/builder.h"
#include "ui/form/choicemodel.h"
#include "ui/form/inputs.h"
#include "ui/theme/keys.h"
#include "ui/theme/lineinput.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListView>
#include <QVBoxLayout>

namespace sonde::ui {

namespace {

constexpr int SearchableFrom = 10;
constexpr int ManyChoices = 1'000;

}  // namespace

ChoiceEditor::ChoiceEditor(FormContext *context, const Draft::Ptr &draft, const Shape &shape, QWidget *parent)
    : Editor(context, draft, shape, parent), m_combo(new CalmComboBox), m_model(new ChoiceModel(shape.choices, m_combo))
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_combo);
    m_combo->setModel(m_model);
    // Without choices, a wrong value can still be typed and sent.
    if (shape.choices.isEmpty() || shape.choices.size() >= SearchableFrom)
        makeSearchable();
    load();
    connect(m_combo, &QComboBox::activated, this, &ChoiceEditor::pick);
}

void ChoiceEditor::makeEditable()
{
    m_combo->setEditable(true);
    LineInput::refuseTooLong(m_combo->lineEdit());
    m_combo->setInsertPolicy(QComboBox::NoInsert);
    m_combo->setCompleter(nullptr);
    connect(m_combo->lineEdit(), &QLineEdit::textEdited, this, &ChoiceEditor::type);
}

void ChoiceEditor::setTyped()
{
    if (m_combo->isEditable())
        return;
    makeEditable();
    m_combo->installEventFilter(this);
    load();
}

void ChoiceEditor::makeSearchable()
{
    makeEditable();
    m_search = new ChoiceSearch(m_model);
    auto *completer = new QCompleter(m_search, m_combo);
    completer->setCaseSensitivity(Qt::CaseInsensitive);
    completer->setFilterMode(Qt::MatchContains);
    completer->setCompletionMode(QCompleter::PopupCompletion);
    m_combo->setCompleter(completer);
    completer->popup()->installEventFilter(this);
    connect(m_combo->lineEdit(), &QLineEdit::editingFinished, m_search, &ChoiceSearch::stop);
    connect(m_search, &ChoiceSearch::foundLater, this, [this] { m_combo->completer()->complete(); });
    if (m_shape.choices.size() < ManyChoices)
        return;
    // The list opens without measuring each of its rows.
    if (auto *list = qobject_cast<QListView *>(m_combo->view()))
        list->setUniformItemSizes(true);
}

bool ChoiceEditor::canHold(const Draft::Ptr &draft)
{
    return LineInput::canHold(draft->value().string());
}

void ChoiceEditor::load()
{
    const json::Value value = m_draft->value();
    const int index = value.exists() ? indexOf(value) : -1;
    const bool isForeign = index < 0 && value.isString();
    const QString foreign =
        m_context->isPlaceholder(value) ? value.string() : tr("%1 (not in the list)").arg(value.string());
    m_model->setForeign(isForeign && !m_combo->isEditable() ? foreign : QString());
    m_combo->setCurrentIndex(isForeign && !m_combo->isEditable() ? m_combo->count() - 1 : index);
    if (m_combo->isEditable())
        m_combo->setEditText(isForeign ? value.string() : index < 0 ? QString() : m_combo->itemText(index));
    m_combo->setHint(placeholder());
}

// The call has what was typed; its list would stay in front of what the server answers.
bool ChoiceEditor::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_combo) {
        if (event->type() == QEvent::KeyPress)
            m_completes = isTypedText(static_cast<QKeyEvent *>(event));
        return false;
    }
    // The key is a shortcut: it is never pressed.
    if (event->type() == QEvent::ShortcutOverride && isCtrlEnter(static_cast<QKeyEvent *>(event)))
        m_combo->completer()->popup()->hide();
    return Editor::eventFilter(watched, event);
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
    if (m_search)
        m_search->stop();
    // Choosing the same value again keeps its loaded spelling: 1.0 is not rewritten as 1.
    if (indexOf(m_draft->value()) == index)
        return;
    m_draft->assign(m_shape.choices.json(index));
    m_combo->setHint(placeholder());
    Q_EMIT edited();
}

// The rest is selected, so that typing on replaces it.
qsizetype ChoiceEditor::complete(const QString &text)
{
    for (qsizetype i = 0; i < m_shape.choices.size(); ++i) {
        const QString label = m_shape.choices.label(i);
        if (!label.startsWith(text, Qt::CaseInsensitive))
            continue;
        m_combo->lineEdit()->setText(label);
        m_combo->lineEdit()->setSelection(int(label.size()), int(text.size() - label.size()));
        return i;
    }
    return -1;
}

void ChoiceEditor::type(const QString &text)
{
    if (m_search)
        m_search->search(text);
    m_context->history.noteTyping(m_draft.get());
    qsizetype index = m_shape.choices.indexOfLabel(text);
    if (index < 0 && !m_search && m_completes && !text.isEmpty())
        index = complete(text);
    if (index >= 0)
        m_draft->assign(m_shape.choices.json(index));
    else if (text.isEmpty())
        writeNothing();
    else
        m_draft->assign(json::quoted(text));
    m_combo->setHint(placeholder());
    Q_EMIT edited();
}

}  // namespace sonde::ui
