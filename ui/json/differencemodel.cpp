// SPDX-License-Identifier: Apache-2.0
#include "ui/json/differencemodel.h"

#include "core/protocol/visibletext.h"
#include "ui/json/bytestext.h"
#include "ui/theme/widgets.h"

#include <QBrush>
#include <QCoreApplication>

namespace sonde::ui {

namespace {

constexpr qsizetype MaxCellLength = 240;  // bytes
constexpr qsizetype MaxToolTipLength = 2000;

QString shown(const json::Value &value, qsizetype maxLength)
{
    if (!value.exists())
        return DifferenceModel::tr("absent");
    const QByteArrayView slice = value.slice();
    const QString text = decodedUtf8(slice.first(qMin(slice.size(), maxLength)));
    return visibleLine(slice.size() > maxLength ? text + QChar(u'…') : text, -1);
}

QString whereText(const json::Difference &difference)
{
    return difference.pointer.isEmpty() ? DifferenceModel::tr("(whole value)") : visibleLine(difference.pointer);
}

}  // namespace

QString noteOn(const json::Difference &difference)
{
    switch (difference.kind) {
        case json::Difference::Kind::Added:
            return DifferenceModel::tr("added");
        case json::Difference::Kind::Removed:
            return DifferenceModel::tr("removed");
        case json::Difference::Kind::TextOnly:
            return difference.left.isNumber() ? DifferenceModel::tr("number format")
                                              : DifferenceModel::tr("same value, different text");
        case json::Difference::Kind::Changed:
            break;
    }
    const bool bothBool = difference.left.isBool() && difference.right.isBool();
    return difference.left.kind() == difference.right.kind() || bothBool ? QString() : DifferenceModel::tr("type");
}

void DifferenceModel::setTitles(const QString &left, const QString &right)
{
    m_left = left;
    m_right = right;
    Q_EMIT headerDataChanged(Qt::Horizontal, int(Column::Left), int(Column::Right));
}

void DifferenceModel::setDifferences(const QList<json::Difference> &differences)
{
    beginResetModel();
    m_differences = differences;
    endResetModel();
}

int DifferenceModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_differences.size());
}

int DifferenceModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant DifferenceModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())  // as when Ctrl+C is pressed without a current row
        return {};
    const json::Difference &difference = m_differences[index.row()];
    const auto column = Column(index.column());
    const bool isSide = column == Column::Left || column == Column::Right;
    const json::Value &value = column == Column::Left ? difference.left : difference.right;
    switch (role) {
        case Qt::DisplayRole:
            if (isSide)
                return shown(value, MaxCellLength);
            return column == Column::Where ? whereText(difference) : noteOn(difference);
        case Qt::ToolTipRole:
            return plainToolTip(isSide                    ? shown(value, MaxToolTipLength)
                                : column == Column::Where ? whereText(difference)
                                                          : noteOn(difference));
        case Qt::FontRole:
            return column == Column::Note ? smallFont() : monoFont();
        case Qt::ForegroundRole:
            if (column == Column::Note || (isSide && !value.exists()))
                return QBrush(colors().dim);
            return {};
        case Qt::BackgroundRole:
            if (!isSide || !value.exists())
                return {};
            return QBrush(softColor(difference.kind == json::Difference::Kind::TextOnly ? Tone::Finding
                                    : column == Column::Left                            ? Tone::ProtocolError
                                                                                        : Tone::Ok));
        default:
            return {};
    }
}

QVariant DifferenceModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (Column(section)) {
        case Column::Where:
            return tr("Path");
        case Column::Left:
            return visibleLine(m_left);
        case Column::Right:
            return visibleLine(m_right);
        case Column::Note:
            break;
    }
    return tr("Change");
}

}  // namespace sonde::ui
