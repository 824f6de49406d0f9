// SPDX-License-Identifier: Apache-2.0
#include "ui/dialogs/shortcuteditor.h"

#include "ui/theme/keys.h"
#include "ui/theme/lineinput.h"
#include "ui/theme/widgets.h"

#include <QAction>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeySequenceEdit>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

enum ShortcutColumn { CommandColumn, KeysColumn, GroupColumn, ShortcutColumnCount };

QString keysText(const QAction *action)
{
    return QKeySequence::listToString(action->shortcuts(), QKeySequence::NativeText);
}

QString nameOf(const QAction *action)
{
    return withoutMnemonic(action->text()).remove(u'…');
}

// What types or moves within a field; as keys of a command it would be lost there.
bool isNeededByFields(const QKeySequence &keys)
{
    const QKeyCombination first = keys[0];
    const bool isFunctionKey = first.key() >= Qt::Key_F1 && first.key() <= Qt::Key_F35;
    const bool isModified = first.keyboardModifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier);
    return !isFunctionKey && !isModified && first.key() != Qt::Key_Escape;
}

}  // namespace

ShortcutEditor::ShortcutEditor(const QList<ShortcutEntry> &entries,
                               const QList<std::pair<QKeySequence, QString>> &reserved, QWidget *parent)
    : QWidget(parent),
      m_entries(entries),
      m_reserved(reserved),
      m_filter(new LineInput),
      m_list(new QTreeWidget),
      m_keys(new QKeySequenceEdit),
      m_remove(new QPushButton(tr("Clear"))),
      m_reset(new QPushButton(tr("Restore default"))),
      m_message(new TextLabel),
      m_reassign(new QPushButton(tr("Reassign")))
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(Grid);
    auto *heading = new TextLabel(tr("Keyboard shortcuts"));
    heading->setFont(headingFont());
    column->addWidget(heading);
    m_filter->setObjectName(u"shortcutFilter"_s);
    m_filter->setPlaceholderText(tr("Filter by command or shortcut"));
    m_filter->setAccessibleName(tr("Filter by command or shortcut"));
    m_filter->setClearButtonEnabled(true);
    column->addWidget(m_filter);
    m_list->setObjectName(u"shortcutList"_s);
    m_list->setAccessibleName(tr("Commands"));
    m_list->setColumnCount(ShortcutColumnCount);
    m_list->setHeaderLabels({tr("Command"), tr("Shortcut"), tr("Menu")});
    m_list->setRootIsDecorated(false);
    m_list->setUniformRowHeights(true);
    m_list->header()->setStretchLastSection(false);
    m_list->header()->setSectionResizeMode(CommandColumn, QHeaderView::Stretch);
    m_list->header()->setSectionResizeMode(KeysColumn, QHeaderView::ResizeToContents);
    m_list->header()->setSectionResizeMode(GroupColumn, QHeaderView::ResizeToContents);
    column->addWidget(m_list, 1);

    m_keys->setObjectName(u"shortcutKeys"_s);
    m_keys->setAccessibleName(tr("Shortcut of the command"));
    if (auto *line = m_keys->findChild<QLineEdit *>()) {
        line->setAccessibleName(tr("Shortcut of the command"));
        line->setPlaceholderText(tr("Press the new shortcut"));
    }
    auto *row = new QHBoxLayout;
    row->setSpacing(Grid);
    auto *caption = new TextLabel(tr("Shortcut"));
    row->addWidget(caption);
    row->addWidget(m_keys, 1);
    m_remove->setObjectName(u"removeShortcut"_s);
    m_remove->setToolTip(tr("Remove the shortcut of this command"));
    m_reset->setObjectName(u"resetShortcut"_s);
    m_reset->setToolTip(tr("Give this command its default shortcut"));
    m_reassign->setObjectName(u"reassignShortcut"_s);
    for (QPushButton *button : {m_remove, m_reset, m_reassign})
        button->setAutoDefault(false);
    row->addWidget(m_remove);
    row->addWidget(m_reset);
    column->addLayout(row);
    auto *said = new QHBoxLayout;
    said->setSpacing(Grid);
    m_message->setObjectName(u"shortcutMessage"_s);
    m_message->setWordWrap(true);
    said->addWidget(m_message, 1);
    said->addWidget(m_reassign);
    column->addLayout(said);

    for (qsizetype i = 0; i < m_entries.size(); ++i) {
        auto *item = new QTreeWidgetItem(m_list);
        item->setData(CommandColumn, Qt::UserRole, i);
        showEntry(item);
        connect(m_entries[i].action, &QAction::changed, this, [this, item] { showEntry(item); });
    }
    followFont(m_list, [this] {
        for (int i = 0; i < m_list->topLevelItemCount(); ++i)
            m_list->topLevelItem(i)->setSizeHint(CommandColumn, {0, rowHeight()});
    });
    connect(m_filter, &QLineEdit::textChanged, this, &ShortcutEditor::filter);
    connect(m_list, &QTreeWidget::currentItemChanged, this, &ShortcutEditor::showCurrent);
    connect(m_list, &QTreeWidget::itemActivated, m_keys, [this] { m_keys->setFocus(); });
    connect(m_keys, &QKeySequenceEdit::keySequenceChanged, this, &ShortcutEditor::take);
    connect(m_remove, &QPushButton::clicked, this, [this] {
        if (const ShortcutEntry *entry = currentEntry())
            Q_EMIT chosen(entry->action, {});
        showCurrent();
    });
    connect(m_reset, &QPushButton::clicked, this, [this] {
        const ShortcutEntry *entry = currentEntry();
        if (!entry)
            return;
        const Verdict verdict = entry->usual.isEmpty() ? Verdict() : judge(entry->usual.first(), entry->action);
        if (verdict.problem.isEmpty())
            Q_EMIT chosen(entry->action, entry->usual);
        showCurrent();
        if (!verdict.problem.isEmpty()) {
            m_wanted = entry->usual.first();
            say(verdict);
        }
    });
    connect(m_reassign, &QPushButton::clicked, this, &ShortcutEditor::reassign);
    m_list->setCurrentItem(m_list->topLevelItem(0));
    showCurrent();
}

void ShortcutEditor::focusFilter()
{
    m_filter->setFocus();
}

void ShortcutEditor::showEntry(QTreeWidgetItem *item)
{
    const ShortcutEntry &entry = m_entries[item->data(CommandColumn, Qt::UserRole).value<qsizetype>()];
    item->setText(CommandColumn, nameOf(entry.action));
    item->setText(KeysColumn, keysText(entry.action));
    item->setText(GroupColumn, entry.group);
    QFont font = m_list->font();
    font.setBold(!entry.isFixed && entry.action->shortcuts() != entry.usual);  // it was changed
    item->setFont(KeysColumn, font);
}

// All words, each in the command, its menu or its keys.
void ShortcutEditor::filter()
{
    const QStringList words = m_filter->text().split(u' ', Qt::SkipEmptyParts);
    QTreeWidgetItem *first = nullptr;
    for (int i = 0; i < m_list->topLevelItemCount(); ++i) {
        QTreeWidgetItem *item = m_list->topLevelItem(i);
        const QString text = item->text(CommandColumn) + u' ' + item->text(GroupColumn) + u' ' + item->text(KeysColumn);
        const bool matches = std::all_of(words.begin(), words.end(), [&text](const QString &word) {
            return text.contains(word, Qt::CaseInsensitive);
        });
        item->setHidden(!matches);
        if (matches && !first)
            first = item;
    }
    if (!m_list->currentItem() || m_list->currentItem()->isHidden())
        m_list->setCurrentItem(first);
    showCurrent();
}

const ShortcutEntry *ShortcutEditor::currentEntry() const
{
    const QTreeWidgetItem *item = m_list->currentItem();
    if (!item || item->isHidden())
        return nullptr;
    return &m_entries[item->data(CommandColumn, Qt::UserRole).value<qsizetype>()];
}

void ShortcutEditor::showCurrent()
{
    const ShortcutEntry *entry = currentEntry();
    const bool canChange = entry && !entry->isFixed;
    {
        const QSignalBlocker quiet(m_keys);
        m_keys->setKeySequence(entry ? entry->action->shortcut() : QKeySequence());
    }
    m_keys->setEnabled(canChange);
    m_remove->setEnabled(canChange && !entry->action->shortcuts().isEmpty());
    m_reset->setEnabled(canChange && entry->action->shortcuts() != entry->usual);
    m_holder = nullptr;
    m_reassign->hide();
    m_message->setTone(Tone::Neutral);
    m_message->setText(!entry           ? tr("No command matches.")
                       : entry->isFixed ? tr("This shortcut belongs to the field or text that has the focus.")
                                        : QString());
}

ShortcutEditor::Verdict ShortcutEditor::judge(const QKeySequence &keys, const QAction *action) const
{
    const QString text = keys.toString(QKeySequence::NativeText);
    if (isNeededByFields(keys))
        return {tr("%1 alone is needed by text fields. Combine it with Ctrl or Alt.").arg(text), nullptr};
    for (const auto &[reserved, what] : m_reserved) {
        if (reserved == keys)
            return {tr("%1 is not free: %2.").arg(text, what), nullptr};
    }
    for (const ShortcutEntry &other : m_entries) {
        if (other.action == action || !other.action->shortcuts().contains(keys))
            continue;
        const QString name = nameOf(other.action);
        return other.isFixed ? Verdict{tr("%1 is always “%2”.").arg(text, name), nullptr}
                             : Verdict{tr("%1 is already used by “%2”.").arg(text, name), other.action};
    }
    return {};
}

void ShortcutEditor::say(const Verdict &verdict)
{
    m_holder = verdict.taken;
    m_message->setTone(Tone::ToolError);
    m_message->setText(verdict.problem);
    m_reassign->setVisible(verdict.taken);
    if (verdict.taken)
        m_reassign->setToolTip(tr("“%1” loses this shortcut").arg(nameOf(verdict.taken)));
}

// One combination: a second one would make a person wait for what the first does.
void ShortcutEditor::take(const QKeySequence &typed)
{
    const ShortcutEntry *entry = currentEntry();
    if (!entry || entry->isFixed || typed.isEmpty())
        return;
    const QKeySequence keys(typed[0]);
    if (typed.count() > 1) {
        const QSignalBlocker quiet(m_keys);
        m_keys->setKeySequence(keys);
    }
    if (entry->action->shortcuts().contains(keys))
        return showCurrent();
    const Verdict verdict = judge(keys, entry->action);
    if (verdict.problem.isEmpty()) {
        Q_EMIT chosen(entry->action, {keys});
        showCurrent();
        return;
    }
    m_wanted = keys;
    say(verdict);
}

void ShortcutEditor::reassign()
{
    const ShortcutEntry *entry = currentEntry();
    if (!entry || !m_holder)
        return;
    QList<QKeySequence> left = m_holder->shortcuts();
    left.removeAll(m_wanted);
    Q_EMIT chosen(m_holder, left);
    Q_EMIT chosen(entry->action, {m_wanted});
    m_keys->setFocus();
    showCurrent();
}

void ShortcutEditor::resetAll()
{
    for (const ShortcutEntry &entry : m_entries) {
        if (!entry.isFixed && entry.action->shortcuts() != entry.usual)
            Q_EMIT chosen(entry.action, entry.usual);
    }
    showCurrent();
}

}  // namespace sonde::ui
