// A session file in which calls do all that calls can do, with times of one's choice.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/session/session.h"
#include "tests/support/files.h"
#include "tests/support/handmadesession.h"

#include <QTemporaryDir>

namespace sonde::test {

class CallScript {
public:
    static constexpr qint64 Ms = 1'000'000;

    CallScript() { m_lines.add(WireEvent::Kind::Open, Direction::Local, {}, R"({"transport":"stdio"})"); }

    CallScript &at(qint64 ms)
    {
        m_lines.at(ms * Ms);
        return *this;
    }
    CallScript &sent(const QByteArray &members)
    {
        m_lines.sent(envelope(members));
        return *this;
    }
    CallScript &received(const QByteArray &members)
    {
        m_lines.received(envelope(members));
        return *this;
    }
    CallScript &other(WireEvent::Kind kind, const QByteArray &bytes)
    {
        m_lines.add(kind, Direction::FromServer, bytes);
        return *this;
    }
    // more: further members of params.
    CallScript &call(int id, const QByteArray &tool, const QByteArray &more = {})
    {
        return sent("\"id\":" + QByteArray::number(id) + R"(,"method":"tools/call","params":{"name":")" + tool + '"' +
                    more + '}');
    }
    CallScript &result(int id, const QByteArray &members = "\"content\":[]")
    {
        return received("\"id\":" + QByteArray::number(id) + ",\"result\":{" + members + '}');
    }
    CallScript &log(const QByteArray &text)
    {
        return received(R"("method":"notifications/message","params":{"level":"info","data":")" + text + "\"}");
    }
    CallScript &progress(int token, int done)
    {
        return received(R"("method":"notifications/progress","params":{"progressToken":)" + QByteArray::number(token) +
                        ",\"progress\":" + QByteArray::number(done) + ",\"total\":5}");
    }
    static QByteArray token(int value) { return R"(,"_meta":{"progressToken":)" + QByteArray::number(value) + '}'; }

    // Rows 1 to 9: a call with progress, a log message, a server request that a person answers after 400 ms, its
    // response.
    CallScript &longCall()
    {
        return at(100)
            .call(1, "ask-me", token(1))
            .at(150)
            .progress(1, 1)
            .at(160)
            .log("form shown")
            .at(200)
            .received(R"("id":"q","method":"elicitation/create","params":{"message":"Your name?"})")
            .at(600)
            .sent(R"("id":"q","result":{"action":"accept","content":{}})")
            .at(650)
            .progress(1, 5)
            .at(700)
            .result(1);
    }
    // Two rounds of a retried call: revision of the protocol that is to come.
    CallScript &retriedCall()
    {
        const QByteArray ask = R"("resultType":"input_required","requestState":"s","inputRequests":)"
                               R"({"who":{"method":"elicitation/create","params":{"message":"Name?"}}})";
        return at(1000)
            .call(20, "book")
            .at(1050)
            .result(20, ask)
            .at(1450)
            .call(21, "book", R"(,"requestState":"s","inputResponses":{"who":{"action":"accept"}})")
            .at(1500)
            .result(21, R"("resultType":"complete","content":[],"isError":true)");
    }
    CallScript &taskCall()
    {
        return at(2000)
            .call(30, "long", R"(,"task":{"ttl":1000})")
            .at(2010)
            .result(30, R"("task":{"taskId":"T","status":"working"})")
            .at(2100)
            .sent(R"("id":31,"method":"tasks/get","params":{"taskId":"T"})")
            .at(2110)
            .result(31, R"("taskId":"T","status":"working")")
            .at(2200)
            .received(R"("method":"notifications/tasks/status","params":{"taskId":"T","status":"completed"})")
            .sent(R"("id":32,"method":"tasks/result","params":{"taskId":"T"})")
            .at(2250)
            .result(32, R"("content":[])");
    }
    // A log message that either call may have sent.
    CallScript &twoAtOnce()
    {
        return at(3000).call(40, "a").call(41, "b").at(3010).log("whose?").at(3100).result(41).at(3200).result(40);
    }

    // Opened once all has been said.
    Session *session()
    {
        if (!m_session) {
            const QString path = m_folder.filePath(QStringLiteral("s.mcpsession"));
            writeFile(path, m_lines.text());
            Result<std::unique_ptr<Session>> opened = Session::open(path);
            if (!opened)
                qFatal("%s", qPrintable(opened.error().message));
            m_session = std::move(opened).value();
        }
        return m_session.get();
    }

private:
    static QByteArray envelope(const QByteArray &members) { return "{\"jsonrpc\":\"2.0\"," + members + '}'; }

    QTemporaryDir m_folder;
    HandmadeSession m_lines;
    std::unique_ptr<Session> m_session;
};

}  // namespace sonde::test
