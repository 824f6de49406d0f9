// What the writers of the single formats share.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/export/exporter.h"
#include "core/operations/operations.h"

#include <QIODevice>

namespace sonde {

class Exporter::Private {
public:
    static constexpr qint64 OperationsSliceNs = 50'000'000;

    Private(const Session *shown, ExportOptions wanted) : session(shown), options(std::move(wanted)) {}

    const std::vector<qsizetype> &rows();
    void learn();  // once, before anything is masked

    bool isStopped() const { return options.stop && *options.stop; }
    // In slices, so that it can be stopped between them; whether it came to its end.
    bool readAll(Operations *operations) const
    {
        while (!isStopped()) {
            if (operations->advance(OperationsSliceNs))
                return true;
        }
        return false;
    }
    // A row's parts as they may leave. Nothing any more once it is stopped.
    QByteArray payload(qsizetype row)
    {
        return isStopped() ? QByteArray() : redactor.maskedPayload(row, session->bytes(row));
    }
    QByteArray facts(qsizetype row)
    {
        return isStopped() ? QByteArray() : redactor.maskedFacts(row, session->facts(row));
    }
    // Short texts that stand in the list: names of tools, addresses.
    QString text(qsizetype row, const QString &given)
    {
        return QString::fromUtf8(redactor.maskedPayload(row, given.toUtf8()));
    }

    QList<MaskedSecret> masked() const;
    bool leadsToSession(const QIODevice *to) const;
    void put(const QByteArray &bytes);
    void put(const QString &given) { put(given.toUtf8()); }

    void writeJsonLines();
    void writeHar();
    void writeMarkdown();
    void writeHtml();

    const Session *const session;
    ExportOptions options;
    ExportRedactor redactor;
    std::vector<qsizetype> chosen;
    bool hasLearned = false;
    QIODevice *device = nullptr;  // null: only counts
    Error error;
    qsizetype count = 0;
};

// For headings and tables.
QString directionWord(const RecordInfo &record);  // "to-server", "from-server", "local"
QString outcomeWord(RowOutcome outcome);          // "ok", "tool-error" …; empty for None
QString timeText(const Session &session, qsizetype row);
QString durationText(qint64 ns);  // "12.3 ms"; empty when negative

// Readable JSON where it is JSON, made safe to show; cut where it is very long.
QString shownPayload(const QByteArray &payload);

}  // namespace sonde
