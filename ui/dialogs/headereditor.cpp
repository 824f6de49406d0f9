// SPDX-License-Identifier: Apache-2.0
#include "ui/dialogs/headereditor.h"

#include "ui/dialogs/pairtable.h"
#include "ui/theme/linedelegate.h"
#include "ui/theme/widgets.h"

#include <QHBoxLayout>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

enum HeaderColumn { HeaderNameColumn, HeaderValueColumn };
// Roles of the value: where it comes from while none is typed, and the header name for which that is true.
constexpr int OriginRole = Qt::UserRole;
constexpr int OriginNameRole = Qt::UserRole + 1;

// Draws a placeholder in place of an empty value.
class ValueDelegate : public LineDelegate {
public:
    using LineDelegate::LineDelegate;

    QWidget *createEditor(QWidget *parent, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        QWidget *editor = LineDelegate::createEditor(parent, option, index);
        if (auto *line = qobject_cast<QLineEdit *>(editor))
            line->setPlaceholderText(index.data(Qt::AccessibleTextRole).toString());
        return editor;
    }

protected:
    void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override
    {
        LineDelegate::initStyleOption(option, index);
        if (!option->text.isEmpty())
            return;
        option->text = index.data(Qt::AccessibleTextRole).toString();
        option->features |= QStyleOptionViewItem::HasDisplay;
        option->font.setItalic(true);
        option->palette.setColor(QPalette::Text, colors().dim);
    }
};

QString standIn(const HeaderRow &row)
{
    if (row.name.isEmpty() || !row.value.isEmpty())
        return {};
    switch (row.origin) {
        case HeaderRow::Origin::Own:
            return HeaderEditor::tr("default value");
        case HeaderRow::Origin::Lost:
            return HeaderEditor::tr("redacted in the session; not sent");
        case HeaderRow::Origin::Typed:
            break;
    }
    return HeaderEditor::tr("not sent");
}

}  // namespace

HeaderEditor::HeaderEditor(const RecordedHeaders &recorded, QWidget *parent)
    : QWidget(parent),
      m_recorded(recorded),
      m_table(new PairTable(tr("Header"), tr("Value"))),
      m_remove(new QToolButton),
      m_finding(new TextLabel)
{
    layOut();
    setFocusProxy(m_table);
    connect(m_table, &PairTable::edited, this, [this] {
        refresh();
        Q_EMIT edited();
    });
    connect(m_table, &QTableWidget::currentCellChanged, this, [this] { refresh(); });
    connect(m_remove, &QToolButton::clicked, this, &HeaderEditor::removeRow);
    setRows(recorded.rows);
}

void HeaderEditor::layOut()
{
    auto *title = new QLabel(tr("HTTP &headers"));
    title->setBuddy(m_table);
    auto *note =
        new TextLabel(m_recorded.isRecorded ? tr("For this message only; removed headers are not sent")
                                            : tr("For this message only; its original headers were not found"));
    note->setObjectName(u"sendHeadersNote"_s);
    note->setDim(true);
    note->setElided(true);
    note->setMinimumWidth(20);
    m_remove->setObjectName(u"sendHeadersRemove"_s);
    m_remove->setText(tr("Remove"));
    m_remove->setAccessibleName(tr("Remove the selected header"));
    m_remove->setToolTip(tr("Do not send the selected header"));
    m_table->setObjectName(u"sendHeaders"_s);
    m_table->setAccessibleName(tr("HTTP headers of this message"));
    m_table->setItemDelegateForColumn(HeaderValueColumn, new ValueDelegate(m_table));
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    // The arrow keys move through the rows, to read or remove them; editors do not open by themselves.
    m_table->setEditTriggers(m_table->editTriggers().setFlag(QAbstractItemView::CurrentChanged, false));
    m_finding->setObjectName(u"sendHeadersFinding"_s);
    m_finding->setWordWrap(true);

    auto *top = new QHBoxLayout;
    top->setSpacing(Grid);
    top->addWidget(title);
    top->addWidget(note, 1);
    top->addWidget(m_remove);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(Grid / 2);
    column->addLayout(top);
    column->addWidget(m_table, 1);
    column->addWidget(m_finding);
}

void HeaderEditor::setRows(const QList<HeaderRow> &rows)
{
    Pairs pairs;
    for (const HeaderRow &row : rows)
        pairs.append({row.name, row.value});
    m_table->setPairs(pairs);
    {
        const QSignalBlocker quiet(m_table);
        for (int row = 0; row < int(rows.size()); ++row) {
            m_table->item(row, HeaderValueColumn)->setData(OriginRole, int(rows[row].origin));
            m_table->item(row, HeaderValueColumn)->setData(OriginNameRole, rows[row].name);
        }
    }
    refresh();
}

QList<HeaderRow> HeaderEditor::rows() const
{
    QList<HeaderRow> rows;
    for (int row = 0; row < m_table->rowCount(); ++row) {
        const QTableWidgetItem *name = m_table->item(row, HeaderNameColumn);
        const QTableWidgetItem *value = m_table->item(row, HeaderValueColumn);
        HeaderRow header{name ? name->text().trimmed() : QString(), value ? value->text() : QString(), {}};
        if (header.name.isEmpty() && header.value.isEmpty())
            continue;
        const bool isSameHeader =
            value && header.name.compare(value->data(OriginNameRole).toString(), Qt::CaseInsensitive) == 0;
        if (header.value.isEmpty() && isSameHeader)
            header.origin = HeaderRow::Origin(value->data(OriginRole).toInt());
        rows.append(header);
    }
    return rows;
}

void HeaderEditor::commit()
{
    m_table->commit();
}

void HeaderEditor::removeRow()
{
    if (m_table->currentRow() >= 0)
        m_table->removePair(m_table->currentRow());
}

void HeaderEditor::refresh()
{
    const QList<HeaderRow> all = rows();
    {
        const QSignalBlocker quiet(m_table);
        int next = 0;
        for (int row = 0; row < m_table->rowCount(); ++row) {
            QTableWidgetItem *value = m_table->item(row, HeaderValueColumn);
            const bool isEmpty =
                m_table->item(row, HeaderNameColumn)->text().trimmed().isEmpty() && value->text().isEmpty();
            value->setData(Qt::AccessibleTextRole, isEmpty ? QString() : standIn(all.at(next)));
            next += isEmpty ? 0 : 1;
        }
    }
    const int current = m_table->currentRow();
    m_remove->setEnabled(current >= 0 && current < m_table->rowCount() - 1);
    const Error problem = checkHeaderRows(all);
    const QStringList findings = problem ? QStringList() : headerFindings(all, m_recorded.ownNames);
    m_finding->setTone(problem ? Tone::ProtocolError : Tone::Finding);
    m_finding->setServerText(problem ? sign(Tone::ProtocolError) + u' ' + problem.message + u' ' + problem.hint
                             : findings.isEmpty()
                                 ? QString()
                                 : sign(Tone::Finding) + u' ' + findings.join(u'\n' + sign(Tone::Finding) + u' '));
    if (m_finding->isHidden() != m_finding->text().isEmpty()) {
        m_finding->setHidden(m_finding->text().isEmpty());
        // The message takes its height from the table; the row that it is about stays visible.
        QMetaObject::invokeMethod(
            m_table, [table = m_table] { table->scrollTo(table->currentIndex()); }, Qt::QueuedConnection);
    }
}

}  // namespace sonde::ui
