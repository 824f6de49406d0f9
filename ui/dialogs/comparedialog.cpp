// SPDX-License-Identifier: Apache-2.0
#include "ui/dialogs/comparedialog.h"

#include "core/protocol/visibletext.h"
#include "ui/theme/lineinput.h"
#include "ui/theme/widgets.h"

#include <QCoreApplication>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

constexpr int ChoiceRole = Qt::UserRole;
constexpr int NameRole = Qt::UserRole + 1;
constexpr int DetailRole = Qt::UserRole + 2;

// Long names are elided, but not the date after them: it distinguishes two recordings of one server.
class ChoiceDelegate final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

protected:
    void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override
    {
        QStyledItemDelegate::initStyleOption(option, index);
        const QString name = index.data(NameRole).toString();
        if (name.isEmpty()) {
            // A heading cannot be chosen, but is read as well as what is under it.
            option->state.setFlag(QStyle::State_Enabled);
            option->font.setWeight(QFont::DemiBold);
            option->palette.setColor(QPalette::Text, colors().dim);
            return;
        }
        const QString detail = index.data(DetailRole).toString();
        const QString gap = u"   "_s;
        const int room = option->rect.width() - 2 * Grid - option->fontMetrics.horizontalAdvance(gap + gap + detail);
        // The mark prevents a name in a right-to-left script from reordering the digits of the date.
        option->text = gap + option->fontMetrics.elidedText(name, Qt::ElideRight, qMax(room, 4 * Grid)) +
                       QChar(0x200E) + gap + detail;
    }
};

QString headingOf(CompareChoice::Kind kind)
{
    switch (kind) {
        case CompareChoice::Kind::Live:
            return CompareDialog::tr("Connected");
        case CompareChoice::Kind::Open:
            return CompareDialog::tr("Open sessions");
        case CompareChoice::Kind::Recorded:
            return CompareDialog::tr("Recorded sessions");
        case CompareChoice::Kind::File:
            break;
    }
    return CompareDialog::tr("Files");
}

}  // namespace

CompareDialog::CompareDialog(const QList<CompareChoice> &choices, int left, int right, const QString &folder,
                             QWidget *parent)
    : QDialog(parent),
      m_choices(choices),
      m_folder(folder),
      m_message(new TextLabel),
      m_compare(new PrimaryButton(tr("Compare")))
{
    setWindowTitle(tr("Compare"));
    resize(820, 480);
    auto *outer = new QVBoxLayout(this);
    outer->setContentsMargins(2 * Grid, 2 * Grid, 2 * Grid, 2 * Grid);
    outer->setSpacing(Grid);
    auto *columns = new QHBoxLayout;
    columns->setSpacing(2 * Grid);
    columns->addWidget(makeColumn(m_columns[0], tr("Before"), u"compareLeft"_s));
    columns->addWidget(makeColumn(m_columns[1], tr("After"), u"compareRight"_s));
    outer->addLayout(columns, 1);

    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
    m_compare->setObjectName(u"compareStart"_s);
    m_compare->setMinimumSize(90, 28);
    buttons->addButton(m_compare, QDialogButtonBox::AcceptRole);
    auto *bottom = new QHBoxLayout;
    m_message->setObjectName(u"compareMessage"_s);
    m_message->setDim(true);
    m_message->setWordWrap(true);
    bottom->addWidget(m_message, 1);
    bottom->addWidget(buttons);
    outer->addLayout(bottom);
    m_compare->setDefault(true);

    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    fill(m_columns[0], left);
    fill(m_columns[1], right);
    updateState();
    m_columns[0].list->setFocus();
}

QWidget *CompareDialog::makeColumn(Column &column, const QString &caption, const QString &name)
{
    auto *widget = new QWidget;
    auto *layout = new QVBoxLayout(widget);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(Grid / 2);
    auto *title = new TextLabel(caption);
    title->setStrong();
    layout->addWidget(title);
    column.filter = new LineInput;
    column.filter->setObjectName(name + u"Filter"_s);
    column.filter->setAccessibleName(tr("%1, filter").arg(caption));
    column.filter->setPlaceholderText(tr("Filter"));
    column.filter->setClearButtonEnabled(true);
    column.filter->installEventFilter(this);
    layout->addWidget(column.filter);
    column.list = new QListWidget;
    column.list->setObjectName(name + u"List"_s);
    column.list->setAccessibleName(caption);
    column.list->setUniformItemSizes(true);
    column.list->setTextElideMode(Qt::ElideRight);
    column.list->setItemDelegate(new ChoiceDelegate(column.list));
    column.list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    layout->addWidget(column.list, 1);
    auto *file = new QPushButton(tr("Session file…"));
    file->setObjectName(name + u"File"_s);
    file->setAccessibleName(tr("%1, choose a session file").arg(caption));
    layout->addWidget(file, 0, Qt::AlignLeft);
    connect(column.filter, &QLineEdit::textChanged, this, [this, &column] { filter(column); });
    connect(column.list, &QListWidget::currentRowChanged, this, &CompareDialog::updateState);
    connect(column.list, &QListWidget::itemActivated, this, [this] {
        if (m_compare->isEnabled())
            accept();
    });
    connect(file, &QPushButton::clicked, this, [this, &column] { openFile(column); });
    return widget;
}

void CompareDialog::fill(Column &column, int choice)
{
    column.list->clear();
    QListWidgetItem *selected = nullptr;
    for (qsizetype i = 0; i < m_choices.size(); ++i) {
        const CompareChoice &each = m_choices[i];
        if (i == 0 || m_choices[i - 1].kind != each.kind) {
            auto *heading = new QListWidgetItem(headingOf(each.kind), column.list);
            heading->setFlags(Qt::NoItemFlags);
            heading->setSizeHint({0, rowHeight()});
        }
        const QString text = u"   "_s + visibleLine(each.name) + u"   "_s + visibleLine(each.detail);
        auto *item = new QListWidgetItem(text, column.list);
        item->setData(ChoiceRole, int(i));
        item->setData(NameRole, visibleLine(each.name));
        item->setData(DetailRole, visibleLine(each.detail));
        item->setSizeHint({0, rowHeight()});
        item->setToolTip(plainToolTip(each.path.isEmpty() ? text.trimmed() : text.trimmed() + u'\n' + each.path));
        if (int(i) == choice)
            selected = item;
    }
    column.list->setCurrentItem(selected);
}

// A heading is shown with what is under it. Of what is filtered out nothing stays chosen: the first match is.
void CompareDialog::filter(Column &column)
{
    QListWidgetItem *heading = nullptr;
    QListWidgetItem *first = nullptr;
    for (int row = 0; row < column.list->count(); ++row) {
        QListWidgetItem *item = column.list->item(row);
        const bool isHeading = !item->data(ChoiceRole).isValid();
        const bool isMatch = !isHeading && item->text().contains(column.filter->text(), Qt::CaseInsensitive);
        item->setHidden(!isMatch);
        if (isHeading)
            heading = item;
        if (!isMatch)
            continue;
        if (heading)
            heading->setHidden(false);
        first = first ? first : item;
    }
    const QListWidgetItem *current = column.list->currentItem();
    if (first && !column.filter->text().isEmpty() && (!current || current->isHidden()))
        column.list->setCurrentItem(first);
    updateState();
}

// The list is used from the filter's line as well.
bool CompareDialog::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() != QEvent::KeyPress)
        return QDialog::eventFilter(watched, event);
    const int key = static_cast<QKeyEvent *>(event)->key();
    if (key != Qt::Key_Up && key != Qt::Key_Down && key != Qt::Key_PageUp && key != Qt::Key_PageDown)
        return QDialog::eventFilter(watched, event);
    for (const Column &column : m_columns) {
        if (watched == column.filter)
            QCoreApplication::sendEvent(column.list, event);
    }
    return true;
}

void CompareDialog::openFile(Column &column)
{
    const QString path = QFileDialog::getOpenFileName(this, tr("Compare with a session"), m_folder,
                                                      tr("Sessions (*.mcpsession);;All files (*)"));
    if (path.isEmpty())
        return;
    const int other = &column == &m_columns[0] ? 1 : 0;
    const CompareChoice kept = chosen(size_t(other));
    m_choices.append({CompareChoice::Kind::File, path.section(u'/', -1), {}, path});
    column.filter->clear();
    fill(column, int(m_choices.size()) - 1);
    fill(m_columns[size_t(other)], int(m_choices.indexOf(kept)));
    updateState();
}

CompareChoice CompareDialog::chosen(size_t column) const
{
    const QListWidgetItem *item = m_columns[column].list->currentItem();
    const QVariant choice = item && !item->isHidden() ? item->data(ChoiceRole) : QVariant();
    return choice.isValid() ? m_choices[choice.toInt()] : CompareChoice();
}

void CompareDialog::updateState()
{
    const CompareChoice left = chosen(0);
    const CompareChoice right = chosen(1);
    const bool areTwo = !left.name.isEmpty() && !right.name.isEmpty() && left != right;
    m_compare->setEnabled(areTwo);
    m_message->setText(m_choices.isEmpty() ? tr("No servers or sessions yet. Connect to a server first.")
                       : areTwo            ? QString()
                       : left == right && !left.name.isEmpty() ? tr("Choose two different servers or sessions.")
                                                               : tr("Choose a server or session on each side."));
}

}  // namespace sonde::ui
