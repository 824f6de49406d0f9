// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/details/recordfindings.h"

#include "core/protocol/message.h"

#include <QCoreApplication>

namespace sonde::ui {

namespace {

constexpr qsizetype MaxRows = 100'000;  // a note is near the record that it is about
constexpr int MaxNotes = 100;

}  // namespace

QStringList findingsIn(const json::Document &document, const QByteArray &message)
{
    QStringList findings;
    for (const json::Finding &finding : document.findings()) {
        // "Not JSON" is among the message's own problems.
        if (!message.isEmpty() && finding.severity == json::Finding::Severity::Error)
            continue;
        findings << QCoreApplication::translate("sonde::ui::Timeline", "byte %1: %2")
                        .arg(finding.offset)
                        .arg(finding.reason);
    }
    if (!message.isEmpty())
        findings += Message::parse(message).problems();
    return findings;
}

QStringList notesOn(const Session &session, qsizetype row)
{
    QStringList notes;
    const quint32 number = session.numberOf(row);
    const qsizetype end = qMin(session.size(), row + MaxRows);
    for (qsizetype at = row + 1; at < end && notes.size() < MaxNotes; ++at) {
        const RecordInfo &record = session.at(at);
        if (record.kind != WireEvent::Kind::Note || record.partner != number)
            continue;
        const QString text = EventFacts::read(session.facts(at)).sentence();
        if (!text.isEmpty())
            notes << text;
    }
    return notes;
}

}  // namespace sonde::ui
