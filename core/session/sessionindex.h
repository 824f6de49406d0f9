// What is known of a session's records as a whole: names as numbers, and what belongs to what.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/messagefields.h"
#include "core/protocol/requestid.h"
#include "core/session/recordline.h"
#include "core/session/sessionlinker.h"

#include <QHash>
#include <QList>

namespace sonde {

// Fed with every record in order, whether it was just made or read from a file.
class SessionIndex {
public:
    SessionIndex() : m_names(1) {}

    // bytes: the record's payload. known: its Message where one exists already, or null.
    // changes: what it says about earlier records. Does not set where the line lies.
    enum class Batches {
        AtOnce,
        Later  // the elements of a batch are added one by one, by the caller, who gets them with elementsOf()
    };
    RecordInfo add(const RecordLine &record, const QByteArray &bytes, const Message *known,
                   std::vector<LinkChange> &changes, Batches batches = Batches::AtOnce);

    // What is to be known of a request or response in a batch.
    struct Element {
        RequestId id;
        QByteArray method;  // of a request
        QByteArray target;
        RowOutcome outcome = RowOutcome::None;
        bool isRequest = false;
    };
    // Those of a batch. May be called from any thread.
    static std::vector<Element> elementsOf(const Message &batch);
    void addElement(const RecordLine &record, const Element &element, RecordInfo &info,
                    std::vector<LinkChange> &changes);

    QString name(quint32 number) const;
    const QList<QByteArray> &names() const { return m_names; }
    // Names in the order of their numbers, found by another index. For looking up only.
    void appendNames(const QList<QByteArray> &names) { m_names.append(names); }
    const SessionLinker &linker() const { return m_linker; }
    // No record will come any more that could answer what is pending.
    void end(std::vector<LinkChange> &changes) { m_linker.endAll(changes); }

private:
    quint32 numberOf(QByteArrayView name);
    QByteArrayView decoded(QByteArrayView text);
    void addCall(const MessageFields &fields, RecordInfo &info);
    void addMessage(const RecordLine &record, const QByteArray &bytes, const Message *known, Batches batches,
                    RecordInfo &info, std::vector<LinkChange> &changes);
    void addUnusual(const RecordLine &record, const QByteArray &bytes, const Message &message, Batches batches,
                    RecordInfo &info, std::vector<LinkChange> &changes);
    void addRequest(const RequestId &id, quint32 number, RecordInfo &info);
    void addResponse(const RequestId &id, quint32 number, const QByteArray &bytes, RecordInfo &info,
                     std::vector<LinkChange> &changes);
    void addState(const RecordLine &record, std::vector<LinkChange> &changes);
    void addFinding(const RecordLine &record, RecordInfo &info, std::vector<LinkChange> &changes);

    // How a connection begins: with server/discover, as long as nothing else was asked. A server that has a handshake
    // instead did not fail.
    struct Discovery {
        RequestId id;             // not matchable: nothing was asked yet
        bool isDeclined = false;  // no response would say that the server does not know it
        bool isRefused = false;   // with an error that names no request
    };
    bool asksDiscovery(const RequestId &id, int connection) const;

    SessionLinker m_linker;
    QHash<int, Discovery> m_discoveries;  // by connection
    QList<QByteArray> m_names;            // UTF-8; the first is the empty one
    QHash<QByteArray, quint32> m_numbers;
    int m_closing = -1;    // the connection whose process we have told to end
    quint32 m_latest = 0;  // looked up last: a flood says the same again and again
    QByteArray m_scratch;
};

RowOutcome outcomeOf(const Message &response);

// The facts of the note that Session::giveUp() leaves.
QByteArray giveUpFacts(const RequestId &id, GiveUp why = GiveUp::Unanswered);

}  // namespace sonde
