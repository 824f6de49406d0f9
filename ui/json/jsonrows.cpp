// SPDX-License-Identifier: Apache-2.0
#include "ui/json/jsonrows.h"

#include "core/json/builder.h"
#include "core/json/compare.h"

#include <QHash>
#include <algorithm>
#include <functional>
#include <numeric>
#include <tuple>

namespace sonde::ui {

namespace {

constexpr int MaxPlacesSearched = 500;
constexpr int ElementsLookedAt = 20;

bool isTable(const json::Value &value)
{
    if (!value.isArray())
        return false;
    int looked = 0;  // size() would count all of them
    for (const json::Value &element : value) {
        if (!element.isObject() || element.begin() == element.end())
            return false;
        if (++looked == ElementsLookedAt)
            break;
    }
    return looked > 0;
}

struct SortKey {
    int rank = 0;
    double number = 0;
    json::Value value;
    QString text;
};

SortKey sortKeyOf(const json::Value &value)
{
    switch (value.kind()) {
        case json::Kind::Number:
            return {0, value.toDouble(), value, {}};
        case json::Kind::String:
            return {1, 0, value, value.string()};
        case json::Kind::Bool:
            return {2, value.toBool() ? 1.0 : 0.0, value, {}};
        case json::Kind::Array:
        case json::Kind::Object:
            return {3, double(value.size()), value, {}};
        case json::Kind::Null:
            return {4, 0, value, {}};
        case json::Kind::Missing:
            break;
    }
    return {5, 0, value, {}};
}

bool isBefore(const SortKey &left, const SortKey &right)
{
    if (left.rank != right.rank)
        return left.rank < right.rank;
    if (left.rank == 1) {
        const int order = left.text.compare(right.text, Qt::CaseInsensitive);
        return order != 0 ? order < 0 : left.text < right.text;
    }
    // Integers beyond the precision of a double are as large as each other only there.
    if (left.rank == 0 && left.number == right.number)
        return json::compareNumbers(left.value.slice(), right.value.slice()) < 0;
    return left.number < right.number;
}

QByteArray plainText(const json::Value &value)
{
    if (!value.exists() || value.isNull())
        return {};
    return value.isString() ? value.utf8() : value.isContainer() ? json::compact(value) : value.bytes();
}

QByteArray csvField(QByteArray text)
{
    if (!text.contains('"') && !text.contains(',') && !text.contains('\n') && !text.contains('\r'))
        return text;
    text.replace('"', "\"\"");
    return '"' + text + '"';
}

QByteArray markdownCell(QByteArray text)
{
    text.replace('\\', "\\\\");
    text.replace('|', "\\|");
    text.replace("\r\n", "<br>");
    text.replace('\n', "<br>");
    return text;
}

}  // namespace

json::Value JsonRows::cell(qsizetype row, qsizetype column) const
{
    const json::Value &value = rows[size_t(row)];
    if (columns[column].isNull())
        return value.isObject() ? json::Value() : value;
    return value[columns[column]];
}

std::shared_ptr<const JsonRows> readJsonRows(const json::Value &array)
{
    auto read = std::make_shared<JsonRows>();
    QHash<QByteArrayView, bool> known;  // by what is written, which is nearly always the key itself
    bool hasOthers = false;
    for (const json::Value &row : array) {
        read->rows.push_back(row);
        hasOthers |= !row.isObject();
        if (!row.isObject())
            continue;
        for (const json::Value &member : row) {
            if (known.contains(member.keySlice()))
                continue;
            known.insert(member.keySlice(), true);
            const QString key = member.key();
            if (read->columns.contains(key))
                continue;
            if (read->columns.size() < JsonRows::MaxColumns)
                read->columns.append(key.isNull() ? QStringLiteral("") : key);
            else
                ++read->leftOut;
        }
    }
    if (hasOthers)
        read->columns.append(QString());
    return read;
}

json::Value tableWithin(const json::Value &value)
{
    QList<json::Value> places{value};
    for (qsizetype i = 0; i < places.size() && i < MaxPlacesSearched; ++i) {
        const json::Value place = places[i];
        if (isTable(place))
            return place;
        if (!place.isObject())
            continue;
        int looked = 0;
        for (const json::Value &member : place) {
            if (places.size() == MaxPlacesSearched || ++looked > MaxPlacesSearched)
                break;
            if (member.isContainer())
                places.append(member);
        }
    }
    return {};
}

RowOrder sortedRows(const JsonRows &rows, qsizetype column, Qt::SortOrder order)
{
    std::vector<SortKey> keys;
    keys.reserve(rows.rows.size());
    for (size_t row = 0; row < rows.rows.size(); ++row)
        keys.push_back(sortKeyOf(rows.cell(qsizetype(row), column)));
    RowOrder sorted(keys.size());
    std::iota(sorted.begin(), sorted.end(), 0U);
    std::stable_sort(sorted.begin(), sorted.end(), [&](quint32 left, quint32 right) {
        const SortKey &first = keys[left];
        const SortKey &second = keys[right];
        if (first.rank == 5 || second.rank == 5)
            return first.rank < second.rank;
        return order == Qt::AscendingOrder ? isBefore(first, second) : isBefore(second, first);
    });
    return sorted;
}

QByteArray rowsAsCsv(const JsonRows &rows, const RowOrder &order, const QList<int> &columns)
{
    QByteArray text;
    const auto line = [&](const std::function<QByteArray(int)> &field) {
        for (const int column : columns) {
            if (column != columns.front())
                text += ',';
            text += csvField(field(column));
        }
        text += "\r\n";
    };
    line([&](int column) { return rows.columns[column].toUtf8(); });
    for (const quint32 row : order)
        line([&](int column) { return plainText(rows.cell(row, column)); });
    return text;
}

QByteArray rowsAsMarkdown(const JsonRows &rows, const RowOrder &order, const QList<int> &columns)
{
    QByteArray text;
    const auto line = [&](const std::function<QByteArray(int)> &cell) {
        text += '|';
        for (const int column : columns)
            text += ' ' + cell(column) + " |";
        text += '\n';
    };
    line([&](int column) { return markdownCell(rows.columns[column].toUtf8()); });
    line([](int) { return QByteArray("---"); });
    for (const quint32 row : order)
        line([&](int column) { return markdownCell(plainText(rows.cell(row, column))); });
    return text;
}

}  // namespace sonde::ui
