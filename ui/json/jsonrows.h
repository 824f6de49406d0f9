// An array of JSON objects as rows and columns.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/document.h"

#include <QStringList>
#include <memory>
#include <vector>

namespace sonde::ui {

// Immutable once read, so that workers can share it. Elements that are no objects are in a column without a name.
struct JsonRows {
    static constexpr qsizetype MaxColumns = 200;

    std::vector<json::Value> rows;
    QStringList columns;    // the keys of all objects, in the order in which they occur first
    qsizetype leftOut = 0;  // keys beyond MaxColumns
    json::Value cell(qsizetype row, qsizetype column) const;  // Missing: the object does not have this key
};

// Reads every element: for a worker.
std::shared_ptr<const JsonRows> readJsonRows(const json::Value &array);
// The array to be shown as a table: the value itself, or the first within it whose elements are objects. Missing: there
// is none. Looks at a limited number of places.
json::Value tableWithin(const json::Value &value);

using RowOrder = std::vector<quint32>;  // indices of rows

// Numbers by value, before texts; what is absent is last in either order. For a worker.
RowOrder sortedRows(const JsonRows &rows, qsizetype column, Qt::SortOrder order);

// The chosen columns in a notation for other programs, containers as JSON.
QByteArray rowsAsCsv(const JsonRows &rows, const RowOrder &order, const QList<int> &columns);  // RFC 4180
QByteArray rowsAsMarkdown(const JsonRows &rows, const RowOrder &order, const QList<int> &columns);

}  // namespace sonde::ui
