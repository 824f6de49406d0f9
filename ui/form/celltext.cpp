// SPDX-License-Identifier: Apache-2.0
#include "ui/form/celltext.h"

#include <algorithm>

namespace sonde::ui {

namespace {

class CellReader {
public:
    CellReader(QStringView text, QChar separator) : m_text(text), m_separator(separator) {}

    QList<QStringList> rows()
    {
        QList<QStringList> rows;
        while (m_at < m_text.size()) {
            QStringList row{cell()};
            while (m_at < m_text.size() && m_text.at(m_at) == m_separator) {
                ++m_at;
                row.append(cell());
            }
            rows.append(row);
            if (m_text.mid(m_at).startsWith(u"\r\n"))
                ++m_at;
            ++m_at;
        }
        return rows;
    }

private:
    bool isEnd(qsizetype at) const
    {
        return at >= m_text.size() || m_text.at(at) == m_separator || m_text.at(at) == u'\n' || m_text.at(at) == u'\r';
    }

    QString cell()
    {
        if (m_at < m_text.size() && m_text.at(m_at) == u'"') {
            if (const QString quoted = quotedCell(); !quoted.isNull())
                return quoted;
        }
        const qsizetype start = m_at;
        while (!isEnd(m_at))
            ++m_at;
        return m_text.mid(start, m_at - start).toString();
    }

    // Null: the quote is a part of the text.
    QString quotedCell()
    {
        QString cell = QStringLiteral("");
        qsizetype from = m_at + 1;
        for (;;) {
            const qsizetype quote = m_text.indexOf(u'"', from);
            if (quote < 0)
                return {};
            cell += m_text.mid(from, quote - from);
            from = quote + 1;
            if (from < m_text.size() && m_text.at(from) == u'"') {
                cell += u'"';
                ++from;
                continue;
            }
            if (!isEnd(from))
                return {};
            m_at = from;
            return cell;
        }
    }

    QStringView m_text;
    QChar m_separator;
    qsizetype m_at = 0;
};

}  // namespace

QList<QStringList> cellsOf(const QString &text, qsizetype columns,
                           const std::function<bool(const QStringList &row)> &isHeader)
{
    if (!text.contains(u'\t')) {
        for (const QChar separator : {u',', u';'}) {
            if (!text.contains(separator))
                continue;
            const QList<QStringList> rows = CellReader(text, separator).rows();
            const bool isTable =
                columns > 1 && rows.size() > 1 &&
                std::all_of(rows.cbegin(), rows.cend(), [columns](const auto &row) { return row.size() == columns; });
            if (isTable || isHeader(rows.constFirst()))
                return rows;
        }
    }
    return CellReader(text, u'\t').rows();
}

QString tabSeparated(const QList<QStringList> &rows)
{
    QString text;
    for (const QStringList &row : rows) {
        for (qsizetype i = 0; i < row.size(); ++i) {
            const QString &cell = row.at(i);
            const bool needsQuotes =
                cell.contains(u'\t') || cell.contains(u'\n') || cell.contains(u'\r') || cell.startsWith(u'"');
            text += i > 0 ? QStringLiteral("\t") : QString();
            text += needsQuotes ? u'"' + QString(cell).replace(u'"', QStringLiteral("\"\"")) + u'"' : cell;
        }
        text += u'\n';
    }
    return text;
}

}  // namespace sonde::ui
