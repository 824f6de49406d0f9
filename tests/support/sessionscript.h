// Sessions for tests: events in one line, and a script in which everything happens.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/files/fileops.h"
#include "core/session/session.h"
#include "tests/support/files.h"

namespace sonde::test {

WireEvent message(Direction direction, const QByteArray &json, const QByteArray &facts = {});
WireEvent happening(WireEvent::Kind kind, Direction direction, const QByteArray &bytes, const QByteArray &facts = {});
inline WireEvent sent(const QByteArray &json)
{
    return message(Direction::ToServer, json);
}
inline WireEvent received(const QByteArray &json)
{
    return message(Direction::FromServer, json);
}

// Every kind of record, payload and link, over two connections and several turns; leaves the session live.
// A large message is part of it unless it is to be small.
void playEverything(Session &session, bool small = false);
// A dozen ordinary records.
void playLittle(Session &session);

// All that can be asked about a row, as text.
QByteArray describe(const Session &session, qsizetype row);
QList<QByteArray> describeAll(const Session &session);
// What must never be shown altered: everything but links.
QByteArray contentOf(const Session &session, qsizetype row);

// Counts what is read and written and makes some of it fail.
class FaultyCalls : public FileOps {
public:
    enum class Fault { None, NoSpace, IoError, Short, ShortThenNoSpace, Interrupted, Nothing };
    qint64 write(int descriptor, const void *data, size_t size) override;
    qint64 read(int descriptor, void *data, size_t size, qint64 offset) override;
    int sync(int descriptor) override;
    int truncate(int descriptor, qint64 size) override;

    int writes = 0;
    int failAt = -1;     // number of the write, from 1
    bool lasts = false;  // and so do all that follow it
    Fault fault = Fault::None;
    bool failSync = false;
    bool isFull = false;  // the disk: half of a write fits, then nothing
    bool canShorten = true;
    qint64 bytesRead = 0;
    qint64 unreadableFrom = 0;  // the pages that hold these bytes
    qint64 unreadableTo = 0;
};

}  // namespace sonde::test
