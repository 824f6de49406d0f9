// SPDX-License-Identifier: Apache-2.0
#include "tests/support/sessionscript.h"

#include "core/transport/monotonicclock.h"

#include <cerrno>

namespace sonde::test {

WireEvent message(Direction direction, const QByteArray &json, const QByteArray &facts)
{
    WireEvent event = happening(WireEvent::Kind::Message, direction, json, facts);
    event.message = Message::parse(json);
    return event;
}

WireEvent happening(WireEvent::Kind kind, Direction direction, const QByteArray &bytes, const QByteArray &facts)
{
    WireEvent event;
    event.kind = kind;
    event.direction = direction;
    event.monotonicNs = monotonicNs();
    event.bytes = bytes;
    event.facts = facts;
    event.wireLength = bytes.size();
    event.terminator = kind == WireEvent::Kind::Message ? 1 : 0;
    return event;
}

void playLittle(Session &session)
{
    using Kind = WireEvent::Kind;
    session.append(happening(Kind::Open, Direction::Local, {}, R"({"transport":"stdio","argv":["server","-v"]})"), 1);
    session.append(sent(R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{}})"), 1);
    session.append(received(R"({"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25"}})"), 1);
    session.append(happening(Kind::Stderr, Direction::FromServer, "ready \xE2\x9C\x93"), 1);
    session.append(sent(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo"}})"), 1);
    session.append(happening(Kind::Junk, Direction::FromServer, QByteArray("\xFF\xFE\x00 junk", 8)), 1);
    session.append(received(R"({"jsonrpc":"2.0","id":1,"result":{"content":[],"isError":true}})"), 1);
    session.append(received(R"({"jsonrpc":"2.0","method":"notifications/message","params":{"data":"a\nb"}})"), 1);
    session.append(happening(Kind::State, Direction::Local, {}, R"({"what":"exited","code":0})"), 1);
}

void playEverything(Session &session, bool small)
{
    using Kind = WireEvent::Kind;
    const auto binary = [] {
        QByteArray bytes;
        for (int i = 0; i < 256; ++i)
            bytes.append(char(i));
        return bytes;
    };
    playLittle(session);
    session.flush();
    session.append(happening(Kind::Open, Direction::Local, {}, R"({"transport":"http","url":"http://localhost/"})"), 2);
    session.append(happening(Kind::HttpRequest, Direction::ToServer, {},
                             R"({"stream":1,"method":"POST","url":"http://localhost/","headers":[["A","b"]]})"),
                   2);
    session.append(message(Direction::ToServer,
                           R"({"jsonrpc":"2.0","id":"a","method":"resources/read",)"
                           R"("params":{"uri":"file:///\u00e9\\x"}})",
                           R"({"stream":1})"),
                   2);
    session.append(happening(Kind::HttpResponse, Direction::FromServer, "<html>no</html>",
                             R"({"stream":1,"status":500,"reason":"Oops","headers":[],"ms":12})"),
                   2);
    session.append(happening(Kind::Sse, Direction::FromServer, {}, R"({"stream":2,"event":"ping","id":"7"})"), 2);
    session.flush();
    session.append(received(R"({"id":"\u0061","jsonrpc":"2.0","error":{"code":-32002,"message":"gone"}})"), 2);
    session.append(received(R"({"id":"a","jsonrpc":"2.0","result":{}})"), 2);  // a second answer
    session.append(received(R"({"id":99,"jsonrpc":"2.0","result":{}})"), 2);   // a response to nothing
    session.addFinding(QStringLiteral("Nobody asked for this."), RequestId(qint64(99)), 2);
    session.addFinding(QStringLiteral("About nothing."), RequestId(), 2);
    session.append(received(R"({"jsonrpc":"2.0","id":1,"method":"roots/list"})"), 2);  // the server asks
    session.append(sent(R"({"jsonrpc":"2.0","id":1,"result":{"roots":[]}})"), 2);
    session.append(sent(R"({"jsonrpc":"2.0","id":5,"method":"prompts/get","params":{"name":"p"}})"), 2);
    session.flush();
    session.giveUp(RequestId(qint64(5)), 2);
    session.append(received(R"({"jsonrpc":"2.0","id":5,"result":{"messages":[]}})"), 2);  // late
    session.append(sent(R"({"jsonrpc":"2.0","id":6,"method":"ping"})"), 2);
    session.append(sent(R"({"jsonrpc":"2.0","id":6,"method":"ping"})"), 2);  // twice at once
    session.append(received(R"({"jsonrpc":"2.0","id":6,"result":{}})"), 2);
    session.append(sent(R"({"jsonrpc":"2.0","id":12345678901234567890123,"method":"ping"})"), 2);
    session.append(received(R"({"jsonrpc":"2.0","id":12345678901234567890123,"result":{}})"), 2);
    session.append(sent(R"([{"jsonrpc":"2.0","id":20,"method":"ping"},{"jsonrpc":"2.0","method":"x"}])"), 2);
    session.append(sent(R"({"jsonrpc":"2.0","id":21,"method":"tools/list"})"), 2);
    session.append(received(R"([{"jsonrpc":"2.0","id":20,"result":{}},{"jsonrpc":"2.0","id":21,"result":{}}])"), 2);
    session.append(received(R"({"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"?"}})"), 2);
    session.append(received(R"({"jsonrpc":"2.0","id":1,"id":2,"method":"twice","params":[1]})"), 2);
    session.append(sent(R"({"jsonrpc":"2.0","id":1.5,"method":"ping"})"), 2);
    session.append(sent(R"({"jsonrpc":"2.0","id":30,"method":"tools/call","params":{"name":"left open"}})"), 2);
    session.flush();
    session.append(happening(Kind::Junk, Direction::FromServer, binary()), 1);
    session.append(happening(Kind::Junk, Direction::FromServer, QByteArray(1, '\0')), 1);
    session.append(happening(Kind::Junk, Direction::FromServer, {}), 1);
    session.append(happening(Kind::Stderr, Direction::FromServer, {}), 1);
    session.append(happening(Kind::Stderr, Direction::FromServer, "\"\\/\b\f\n\r\t\x1b[0m\x7f \xED\xA0\x80"), 1);
    session.append(happening(Kind::Partial, Direction::FromServer, R"({"jsonrpc":"2.0","id":9,"resu)"), 1);
    WireEvent cut = happening(Kind::Partial, Direction::FromServer, "head", R"({"sha256":"00"})");
    cut.wireLength = 1'000'000'000'000;
    cut.terminator = 2;
    session.append(cut, 1);
    session.append(happening(Kind::User, Direction::Local, {}, R"({"what":"pressed"})"), 1);
    session.append(happening(Kind::Note, Direction::Local, {}, "no JSON at all"), 1);
    session.append(happening(Kind::Note, Direction::Local, {}, "{\n  \"text\": \"two lines\"\n}"), 1);
    const QByteArray much(small ? 100 : 10 * 1024 * 1024, 'm');
    session.append(sent(R"({"jsonrpc":"2.0","id":40,"method":"tools/call","params":{"name":"big"}})"), 2);
    session.append(received(R"({"jsonrpc":"2.0","id":40,"result":{"content":[{"type":"text","text":")" + much +
                            R"("}],"isError":true}})"),
                   2);
    session.append(happening(Kind::State, Direction::Local, {}, R"({"what":"closed"})"), 2);
    session.append(received(R"({"jsonrpc":"2.0","id":30,"result":{}})"), 2);  // after the end
    session.append(sent(R"({"jsonrpc":"2.0","id":50,"method":"ping"})"), 3);
    session.flush();
}

QByteArray describe(const Session &session, qsizetype row)
{
    const RecordInfo &info = session.at(row);
    QByteArray text;
    const auto add = [&text](const char *name, const auto &value) {
        text += QByteArray(name) + '=' + QByteArray::number(qint64(value)) + ' ';
    };
    add("offset", info.fileOffset);
    add("line", info.lineLength);
    add("time", info.timeNs);
    add("length", info.wireLength);
    add("partner", info.partner);
    add("connection", info.connection);
    add("kind", info.kind);
    add("direction", info.direction);
    add("messageKind", info.messageKind);
    add("outcome", info.outcome);
    add("terminator", info.terminator);
    add("problems", info.hasProblems);
    add("late", info.isLate);
    add("decode", info.needsDecoding);
    add("partnerRow", session.partnerOf(row));
    add("duration", session.durationNs(row));
    add("wall", session.wallTime(row).toMSecsSinceEpoch());
    add("parsed", session.message(row).kind());
    text += session.name(info.method).toUtf8() + '|' + session.name(info.target).toUtf8() + '|';
    return text + session.facts(row) + '|' + session.bytes(row);
}

QList<QByteArray> describeAll(const Session &session)
{
    QList<QByteArray> all;
    for (qsizetype row = 0; row < session.size(); ++row)
        all.append(describe(session, row));
    return all;
}

QByteArray contentOf(const Session &session, qsizetype row)
{
    const RecordInfo &info = session.at(row);
    return QByteArray::number(info.timeNs) + ' ' + QByteArray::number(int(info.kind)) + ' ' +
           QByteArray::number(int(info.direction)) + ' ' + QByteArray::number(info.wireLength) + ' ' +
           QByteArray::number(info.connection) + ' ' + session.facts(row) + '|' + session.bytes(row);
}

qint64 FaultyCalls::write(int descriptor, const void *data, size_t size)
{
    const bool again = writes == failAt && fault == Fault::ShortThenNoSpace;
    ++writes;
    const auto failing = [](int code) {
        errno = code;
        return qint64(-1);
    };
    if (again || (lasts && failAt > 0 && writes > failAt && fault == Fault::ShortThenNoSpace))
        return failing(ENOSPC);
    if (isFull)
        return writes % 2 == 1 && size > 1 ? FileOps::write(descriptor, data, size / 2) : failing(ENOSPC);
    if (writes != failAt && !(lasts && failAt > 0 && writes > failAt))
        return FileOps::write(descriptor, data, size);
    switch (fault) {
        case Fault::NoSpace:
            return failing(ENOSPC);
        case Fault::IoError:
            return failing(EIO);
        case Fault::Interrupted:
            return failing(EINTR);
        case Fault::Nothing:
            return 0;
        case Fault::Short:
        case Fault::ShortThenNoSpace:
            return FileOps::write(descriptor, data, (size + 1) / 2);
        case Fault::None:
            break;
    }
    return FileOps::write(descriptor, data, size);
}

// As the kernel does it: what can be had up to the bad page, then the error.
qint64 FaultyCalls::read(int descriptor, void *data, size_t size, qint64 offset)
{
    constexpr qint64 page = 4096;
    const qint64 from = unreadableFrom / page * page;
    const qint64 to = (unreadableTo + page - 1) / page * page;
    if (unreadableTo > 0 && offset >= from && offset < to) {
        errno = EIO;
        return -1;
    }
    if (unreadableTo > 0 && offset < from)
        size = size_t(qMin<qint64>(qint64(size), from - offset));
    const qint64 count = FileOps::read(descriptor, data, size, offset);
    bytesRead += qMax<qint64>(count, 0);
    return count;
}

int FaultyCalls::truncate(int descriptor, qint64 size)
{
    if (canShorten)
        return FileOps::truncate(descriptor, size);
    errno = EIO;
    return -1;
}

int FaultyCalls::sync(int descriptor)
{
    if (!failSync)
        return FileOps::sync(descriptor);
    errno = EIO;
    return -1;
}

}  // namespace sonde::test
