// Batches (revision 2025-03-26): one record that can speak of several operations, and belongs to one only where it
// speaks of no other.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/calls/openoperations.h"

#include <QFuture>
#include <QSet>
#include <functional>
#include <optional>

namespace sonde {

class OperationBatches {
public:
    OperationBatches(const Session *session, OperationData *data, OpenOperations *open)
        : m_session(session), m_data(*data), m_open(*open)
    {}

    // What was sent at once, what came with readOn(): there may be hundreds of thousands of messages in it.
    void add(quint32 row);
    bool isReading() const { return m_reading.has_value(); }
    // Goes on until isSpent, if there is one. On the main thread a worker thread then takes a large batch apart first.
    void readOn(const std::function<bool()> &isSpent);
    // A response to a request within a batch of ours, or that it was given up.
    void endElement(quint32 row, quint32 operation, const RequestId &id, RowOutcome outcome);

private:
    static constexpr quint32 nothing = OpenOperations::nothing;
    // What an element of a batch belongs to.
    struct Part {
        quint32 operation = nothing;
        RecordRole role = RecordRole::None;
        LinkReason reason = LinkReason::None;
    };

    struct Element {
        Message message;                        // with what is short in it, where it is large
        RowOutcome outcome = RowOutcome::None;  // of a response
    };
    struct Batch {
        Message message;
        QHash<qsizetype, Element> large;  // by their places

        Element at(qsizetype index) const;
    };
    struct Reading {
        explicit Reading(quint32 row_) : row(row_) {}

        quint32 row;
        std::optional<QFuture<std::optional<Batch>>> job;  // takes it apart
        std::optional<Batch> batch;
        qsizetype next = 0;
        int requests = 0;
        std::optional<Part> placed;  // what the record tells of all elements alike, read once
        std::optional<Part> shown;   // its part, if it belongs to one operation
        QSet<quint32> operations;    // nothing among them where an element has none
    };
    static Batch parseBatch(const QByteArray &bytes);
    bool hasBatch(bool isAtOnce);
    void finish();
    void openBatch(quint32 row, const QList<Message> &elements);
    static Element elementOf(const QByteArray &bytes);
    Part placeElement(quint32 row, const Element &each, std::optional<Part> &placed);
    Part placeResponse(quint32 row, const Element &response);

    const QPointer<const Session> m_session;
    OperationData &m_data;
    OpenOperations &m_open;
    std::optional<Reading> m_reading;
};

}  // namespace sonde
