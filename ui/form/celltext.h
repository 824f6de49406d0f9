// Cells of a spreadsheet as the text that programs put on the clipboard.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QList>
#include <QStringList>
#include <functional>

namespace sonde::ui {

// Rows of cells separated by tabs, as Excel and LibreOffice copy them. Without any tab, commas or semicolons separate
// if the first row is a header, or if all rows have exactly `columns` cells; otherwise each line is one cell. A cell
// in quotes may hold separators and line ends.
QList<QStringList> cellsOf(const QString &text, qsizetype columns,
                           const std::function<bool(const QStringList &row)> &isHeader);
// The reverse, with tabs.
QString tabSeparated(const QList<QStringList> &rows);

}  // namespace sonde::ui
