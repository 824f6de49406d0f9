// SPDX-License-Identifier: Apache-2.0
#include "ui/json/jsontreeview.h"

#include "core/json/builder.h"
#include "ui/json/copyactions.h"
#include "ui/json/findsource.h"
#include "ui/json/foundmarks.h"
#include "ui/json/jsontreemodel.h"
#include "ui/theme/density.h"
#include "ui/theme/theme.h"

#include <QContextMenuEvent>
#include <QFontMetrics>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>
#include <QStyledItemDelegate>
#include <utility>
#include <vector>

namespace sonde::ui {

namespace {

constexpr int MaxRowsExpanded = 50;

// The offset of each member, element or single value whose row has the word in its key or its value.
class TreeScan final : public FindScan {
public:
    TreeScan(json::Value top, FindWord word) : m_top(std::move(top)), m_word(std::move(word))
    {
        if (m_top.isContainer())
            m_open.push_back({m_top.begin(), m_top.end()});
    }

    bool next(FindPlaces *places) override
    {
        if (m_open.empty())
            check(m_top, places);
        qsizetype bytes = 0;
        for (int count = 0; !m_open.empty() && count < ValuesAtOnce && bytes < BytesAtOnce; ++count) {
            auto &[at, end] = m_open.back();
            if (at == end) {
                m_open.pop_back();
                continue;
            }
            const json::Value value = *at;
            ++at;
            check(value, places);
            if (value.isContainer())
                m_open.push_back({value.begin(), value.end()});
            else
                bytes += value.slice().size();
        }
        return !m_open.empty();
    }

private:
    void check(const json::Value &value, FindPlaces *places) const
    {
        const QByteArrayView key = value.keySlice();
        const bool isInKey = isInJson(key, m_word);
        if (isInKey || (!value.isContainer() && isInJson(value.slice(), m_word)))
            places->push_back(quint32(value.offset()));
    }

    const json::Value m_top;  // keeps the document of the iterators
    const FindWord m_word;
    std::vector<std::pair<json::Value::Iterator, json::Value::Iterator>> m_open;
};

class JsonDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    FindWord found;

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        painter->save();
        if (option.state & QStyle::State_Selected)
            painter->fillRect(option.rect, colors().selection);
        painter->setFont(option.font);
        m_x = option.rect.left() + Grid / 4;
        const QString key = index.data(JsonTreeModel::KeyRole).toString();
        const auto kind = json::Kind(index.data(JsonTreeModel::KindRole).toInt());
        const bool container = kind == json::Kind::Array || kind == json::Kind::Object;
        if (!key.isEmpty())
            drawKey(painter, option, key, container ? 1 : 2);
        draw(painter, option, index.data(JsonTreeModel::TextRole).toString(), colorOf(kind), 2);
        const QString finding = index.data(JsonTreeModel::FindingRole).toString();
        if (!finding.isEmpty())
            draw(painter, option, sign(Tone::Finding) + QLatin1Char(' ') + finding, colors().finding, 0);
        else if (index.data(JsonTreeModel::WithinRole).toBool())
            draw(painter, option, sign(Tone::Finding), colors().finding, 0);
        painter->restore();
    }

    QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        const QString text = index.data().toString() + index.data(JsonTreeModel::FindingRole).toString();
        return {QFontMetrics(option.font).averageCharWidth() * int(qMin<qsizetype>(200, text.size() + 6)),
                textRowHeight(-4)};
    }

private:
    static QColor colorOf(json::Kind kind)
    {
        switch (kind) {
            case json::Kind::String:
                return colors().ok;
            case json::Kind::Number:
                return colors().asks;
            case json::Kind::Bool:
            case json::Kind::Null:
                return colors().toolError;
            default:
                return colors().dim;
        }
    }

    // Keys with a common prefix differ at their ends. The value gets a third of the room.
    void drawKey(QPainter *painter, const QStyleOptionViewItem &option, const QString &key, int spacesAfter) const
    {
        const int room = (option.rect.right() - m_x) * 2 / 3;
        const QString shown = QFontMetrics(option.font).elidedText(key, Qt::ElideMiddle, room);
        draw(painter, option, shown, colors().accent, spacesAfter);
    }

    void draw(QPainter *painter, const QStyleOptionViewItem &option, const QString &text, const QColor &color,
              int spacesAfter) const
    {
        const QFontMetrics metrics(option.font);
        const QRect rect(m_x, option.rect.top(), option.rect.right() - m_x, option.rect.height());
        if (rect.width() <= 0)
            return;
        const QString shown = metrics.elidedText(text, Qt::ElideRight, rect.width());
        paintFoundMarks(painter, rect, shown, found);
        painter->setPen(color);
        painter->drawText(rect, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine, shown);
        m_x += metrics.horizontalAdvance(shown) + spacesAfter * metrics.averageCharWidth();
    }

    mutable int m_x = 0;
};

}  // namespace

class JsonTreeView::Source final : public FindSource {
public:
    explicit Source(JsonTreeView *tree) : FindSource(tree), m_tree(tree) {}

    std::shared_ptr<FindScan> scan(const FindWord &word) const override
    {
        const JsonTreeModel *model = m_tree->m_model;
        const json::Value top = model->parentValue({});
        return std::make_shared<TreeScan>(top.exists() ? top : model->value(model->index(0, 0)), word);
    }

    void mark(const FindWord &word, const std::shared_ptr<const FindPlaces> &) override
    {
        static_cast<JsonDelegate *>(m_tree->itemDelegate())->found = word;
        m_tree->viewport()->update();
    }

    QRect show(quint32 place) override
    {
        m_tree->selectAt(place);
        return m_tree->visualRect(m_tree->currentIndex());
    }

    void deselect() override { m_tree->clearSelection(); }

private:
    JsonTreeView *m_tree;
};

JsonTreeView::JsonTreeView(QWidget *parent)
    : QuietView(parent), m_model(new JsonTreeModel(this)), m_findSource(new Source(this))
{
    setModel(m_model);
    setItemDelegate(new JsonDelegate(this));
    setHeaderHidden(true);
    setUniformRowHeights(true);
    setFrameShape(QFrame::NoFrame);
    setIndentation(Grid * 2);
    setFont(monoFont());
    setEditTriggers(NoEditTriggers);
    setTextElideMode(Qt::ElideRight);
    setVerticalScrollMode(ScrollPerPixel);
    header()->setStretchLastSection(true);
    connect(selectionModel(), &QItemSelectionModel::currentChanged, this,
            [this] { Q_EMIT currentValueChanged(currentValue()); });
    connect(this, &QTreeView::expanded, this, &JsonTreeView::heightChanged);
    connect(this, &QTreeView::collapsed, this, &JsonTreeView::heightChanged);
}

void JsonTreeView::setValue(const json::Value &value, const QString &rootName)
{
    m_shown = value;
    m_model->setValue(value, rootName);
    expandFirstLevels();
    m_findSource->setChanged();
    Q_EMIT heightChanged();
}

int JsonTreeView::heightForRows(int maxHeight) const
{
    const int edges = 2 * frameWidth() + (header()->isHidden() ? 0 : header()->height());
    const int row = qMax(1, indexRowSizeHint(m_model->index(0, 0)));
    int height = edges;
    for (QModelIndex index = m_model->index(0, 0); index.isValid() && height + row <= maxHeight;
         index = indexBelow(index))
        height += row;
    return qMax(height, edges + row);
}

void JsonTreeView::setFindings(const QList<std::pair<json::Pointer, QString>> &findings)
{
    m_model->setFindings(findings);
    for (const auto &[pointer, text] : findings) {
        const QModelIndex place = m_model->indexOf(pointer);
        for (QModelIndex above = place.parent(); above.isValid(); above = above.parent())
            expand(above);
    }
    viewport()->update();
}

json::Value JsonTreeView::currentValue() const
{
    return m_model->value(currentIndex());
}

void JsonTreeView::selectAt(qsizetype offset)
{
    QModelIndex place = m_model->parentValue({}).exists() ? QModelIndex() : m_model->index(0, 0);
    while (true) {
        QModelIndex deeper;
        int row = 0;
        for (const json::Value &child : m_model->parentValue(place)) {
            // The key belongs to its member.
            const QByteArrayView key = child.keySlice();
            const char *text = child.document().text().constData();
            if (offset < (key.isEmpty() ? child.offset() : key.data() - text))
                break;
            if (offset < child.offset() + child.slice().size()) {
                while (row >= m_model->rowCount(place) && m_model->canFetchMore(place))
                    m_model->fetchMore(place);
                deeper = m_model->index(row, 0, place);
                break;
            }
            ++row;
        }
        if (!deeper.isValid())
            break;
        place = deeper;
    }
    for (QModelIndex above = place.parent(); above.isValid(); above = above.parent())
        expand(above);
    setCurrentIndex(place);
    if (place.isValid())
        scrollTo(place);
}

void JsonTreeView::expandFirstLevels()
{
    if (m_model->canFetchMore({}))
        m_model->fetchMore({});
    int rows = m_model->rowCount();
    QList<QModelIndex> level;
    for (int row = 0; row < qMin(rows, MaxRowsExpanded); ++row)
        level.append(m_model->index(row, 0));
    while (!level.isEmpty()) {
        QList<QModelIndex> below;
        for (const QModelIndex &index : std::as_const(level)) {
            const json::Value value = m_model->value(index);
            if (!value.isContainer() || value.isEmpty() || rows + value.size() > MaxRowsExpanded)
                continue;
            if (m_model->canFetchMore(index))
                m_model->fetchMore(index);
            expand(index);
            rows += m_model->rowCount(index);
            for (int row = 0; row < m_model->rowCount(index); ++row)
                below.append(m_model->index(row, 0, index));
        }
        level = below;
    }
}

void JsonTreeView::contextMenuEvent(QContextMenuEvent *event)
{
    const bool isMouse = event->reason() == QContextMenuEvent::Mouse;
    const QModelIndex place = isMouse ? indexAt(event->pos()) : currentIndex();
    const json::Value value = m_model->value(place);
    if (!value.exists()) {
        event->ignore();  // what the tree is part of may have a menu
        return;
    }
    setCurrentIndex(place);
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setObjectName(QStringLiteral("jsonTreeMenu"));
    addCopyActions(menu, value, m_shown);
    Q_EMIT menuRequested(menu, value);
    menu->popup(isMouse ? event->globalPos() : viewport()->mapToGlobal(visualRect(place).bottomLeft()));
}

void JsonTreeView::keyPressEvent(QKeyEvent *event)
{
    if (!copyOnKey(event, currentValue(), m_shown))
        QTreeView::keyPressEvent(event);
}

void JsonTreeView::changeEvent(QEvent *event)
{
    QTreeView::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        viewport()->update();
}

}  // namespace sonde::ui
