// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/details/recordfindings.h"

#include "core/protocol/message.h"

#include <QCoreApplication>

namespace sonde::ui {

namespace {

constexpr qsizetype MaxRows = 100'000;  // a note stands near what it speaks of
constexpr int MaxNotes = 100;

}  // namespace

QStringList findingsIn(const json::Document &document, const QByteArray &message)
{
    QStringList findings;
    for (const json::Finding &finding : document.findings()) {
        // That a message is no JSON is among its own problems.
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

QStringList remarksOn(const Session &session, qsizetype row)
{
    QStringList remarks;
    const quint32 number = session.numberOf(row);
    const qsizetype end = qMin(session.size(), row + MaxRows);
    for (qsizetype at = row + 1; at < end && remarks.size() < MaxNotes; ++at) {
        const RecordInfo &record = session.at(at);
        if (record.kind != WireEvent::Kind::Note || record.partner != number)
            continue;
        const json::Value facts = json::parse(session.facts(at));
        const QString text = facts[u"text"].string(facts[u"what"].string());
        if (!text.isEmpty())
            remarks << text;
    }
    return remarks;
}

}  // namespace sonde::ui
