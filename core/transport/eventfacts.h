// What is recorded of an event besides its bytes, and under which names: the member `m` of a record.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/transport/eventcode.h"

#include <QByteArrayView>
#include <QList>
#include <QStringList>
#include <optional>
#include <utility>

namespace sonde {

// docs/session-format.md says which kind of event has which of them. Whoever reports an event sets what is to be
// written of it. Of what is read, members that are missing or of another type than here are not set.
struct EventFacts {
    using Pairs = QList<std::pair<QString, QString>>;  // names and values, in their order

    // From a JSON object, in one pass without a tree. Of several members with one name the last counts; members that
    // are not known here are skipped.
    static EventFacts read(QByteArrayView json);
    // Only this number, where nothing else is to be known.
    static std::optional<qint64> readNumber(QByteArrayView json, std::optional<qint64> EventFacts::*fact);
    // Bytes from the network: UTF-8 where they are, replacement characters where they are not.
    static Pairs pairs(const QList<std::pair<QByteArray, QByteArray>> &list);

    // A JSON object of those that are set, in the order below; empty where none is.
    QByteArray toJson() const;
    // None where `what` is missing, or a word that this version does not know.
    EventCode eventCode() const;
    // Of a finding, what it says, or else what it is. May be empty.
    QString sentence() const { return text.value_or(what.value_or(QString())); }
    // As which a fact is written.
    template <typename Fact>
    static QString nameOf(Fact EventFacts::*fact)
    {
        static const EventFacts facts{};
        QStringView found;
        each(facts, [&found, fact](QStringView name, const auto &known) {
            if (static_cast<const void *>(&known) == &(facts.*fact))
                found = name;
        });
        return found.toString();
    }

    std::optional<qint64> stream{};
    std::optional<QString> what{};  // toString(EventCode)
    // How a server was started or is reached.
    std::optional<qint64> pid{};
    std::optional<QString> transport{};
    std::optional<QString> program{};
    std::optional<QStringList> argv{};
    std::optional<QString> cwd{};
    std::optional<QStringList> environment{};  // names
    std::optional<Pairs> variables{};
    std::optional<QStringList> inherited{};  // names
    std::optional<QString> to{};
    // HTTP, and why something happened.
    std::optional<QString> method{};  // also of a message
    std::optional<QString> url{};
    std::optional<qint64> status{};
    std::optional<QString> reason{};
    std::optional<Pairs> headers{};
    std::optional<qint64> ms{};
    // A stream that is to be resumed.
    std::optional<qint64> afterMs{};
    std::optional<qint64> attempt{};
    std::optional<qint64> maxAttempts{};
    std::optional<QString> lastEventId{};
    std::optional<qint64> retryMs{};
    // Server-sent events.
    std::optional<QString> event{};
    QByteArray id{};  // as JSON; empty: none. Of a note, that of the request
    std::optional<qint64> retry{};
    std::optional<QString> comment{};
    std::optional<qint64> count{};
    // How a process ended, or was told to.
    std::optional<qint64> signal{};
    std::optional<QString> signalSent{};  // its name, in the place of the number
    std::optional<QString> signalName{};
    std::optional<qint64> exitCode{};
    // What is cut or not recorded.
    std::optional<qint64> limit{};  // bytes
    std::optional<QString> sha256{};
    std::optional<qint64> lines{};
    std::optional<qint64> notifications{};
    std::optional<qint64> others{};
    std::optional<qint64> bytes{};
    // Findings and ends.
    bool isLost = false;
    bool isCancelled = false;
    std::optional<QString> error{};
    std::optional<QString> text{};
    std::optional<QString> by{};

private:
    // The one statement of the names. Two facts may share one if they differ in type.
    template <typename Facts, typename Visit>
    static void each(Facts &facts, const Visit &visit)
    {
        visit(u"stream", facts.stream);
        visit(u"what", facts.what);
        visit(u"pid", facts.pid);
        visit(u"transport", facts.transport);
        visit(u"program", facts.program);
        visit(u"argv", facts.argv);
        visit(u"cwd", facts.cwd);
        visit(u"environment", facts.environment);
        visit(u"variables", facts.variables);
        visit(u"inherited", facts.inherited);
        visit(u"to", facts.to);
        visit(u"method", facts.method);
        visit(u"url", facts.url);
        visit(u"status", facts.status);
        visit(u"reason", facts.reason);
        visit(u"headers", facts.headers);
        visit(u"ms", facts.ms);
        visit(u"afterMs", facts.afterMs);
        visit(u"attempt", facts.attempt);
        visit(u"maxAttempts", facts.maxAttempts);
        visit(u"lastEventId", facts.lastEventId);
        visit(u"retryMs", facts.retryMs);
        visit(u"event", facts.event);
        visit(u"id", facts.id);
        visit(u"retry", facts.retry);
        visit(u"comment", facts.comment);
        visit(u"count", facts.count);
        visit(u"signal", facts.signal);
        visit(u"signal", facts.signalSent);
        visit(u"name", facts.signalName);
        visit(u"code", facts.exitCode);
        visit(u"limit", facts.limit);
        visit(u"sha256", facts.sha256);
        visit(u"lines", facts.lines);
        visit(u"notifications", facts.notifications);
        visit(u"others", facts.others);
        visit(u"bytes", facts.bytes);
        visit(u"lost", facts.isLost);
        visit(u"cancelled", facts.isCancelled);
        visit(u"error", facts.error);
        visit(u"text", facts.text);
        visit(u"by", facts.by);
    }
};

}  // namespace sonde
