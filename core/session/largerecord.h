// A record too large for the event loop: its masking, its reading and its line are made on a worker thread.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/redact/redactor.h"
#include "core/session/sessionfile.h"
#include "core/session/sessionindex.h"
#include "core/transport/wireevent.h"

#include <memory>
#include <vector>

namespace sonde {

// Two threads take turns with it: examine() and write() run on a worker, everything else happens on the session's.
struct LargeRecord {
    // hold: let go of with the record. redactor: a copy, since it is not safe to share between threads.
    LargeRecord(WireEvent event, int connection, quint32 about, std::shared_ptr<void> hold, const Redactor &redactor);

    void examine();  // bytes become what is stored; elements and outline are found
    void write();    // line to the file, or into `text`; afterwards `written` and `problem` say how that went
    // Keeps the beginning only, as what never became whole: there was no memory for examine().
    void cutToPart();
    // Keeps the beginning only: there was no memory for write().
    void cutPayload();
    bool isBatch() const { return known.kind() == Message::Kind::Batch; }

    WireEvent event;
    int connection = 0;
    quint32 about = 0;
    std::shared_ptr<void> hold;
    Redactor redactor;

    QByteArray bytes;
    qsizetype size = 0;  // of the payload as it came, before anything was masked or cut
    QList<RedactionMark> marks;
    Message known;  // of bytes
    QByteArray outline;
    std::vector<SessionIndex::Element> elements;  // of a batch
    size_t nextElement = 0;
    qsizetype batchSize = 0;
    bool isOutOfMemory = false;  // in the last of the steps

    RecordLine line;
    QByteArray facts;
    RecordInfo info;
    std::vector<LinkChange> linked;

    std::shared_ptr<SessionFile> file;  // null: into memory
    qint64 offset = 0;
    QByteArray text;
    Error problem;
    WrittenLine written;

private:
    void writeToFile();
    void writeToMemory();
};

}  // namespace sonde
