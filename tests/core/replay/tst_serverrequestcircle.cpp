// Replays of real servers that ask questions, recorded by somebody who answers them.
// SPDX-License-Identifier: Apache-2.0
#include "core/json/builder.h"
#include "tests/core/replay/person.h"
#include "tests/core/replay/replayfixture.h"
#include "tests/e2e/peers.h"
#include "tests/support/files.h"
#include "tests/support/testregistry.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace sonde;
using sonde::test::Driver;
using sonde::test::Person;
using sonde::test::Replay;
using sonde::test::tell;
using Status = ReplayStep::Status;

namespace {

using ToolCalls = QList<std::pair<QString, QByteArray>>;

const QByteArray Capabilities = R"({"elicitation":{"form":{},"url":{}},"sampling":{},"roots":{"listChanged":true}})";

// What the tools of server-everything that ask are called with. The last one asks under a random name.
const ToolCalls Asking{
    {u"echo"_s, R"({"message":"before"})"},
    {u"trigger-elicitation-request"_s, "{}"},
    {u"trigger-elicitation-request"_s, "{}"},
    {u"trigger-elicitation-request"_s, "{}"},
    {u"trigger-sampling-request"_s, R"({"prompt":"What is it?","maxTokens":10})"},
    {u"trigger-sampling-request"_s, R"({"prompt":"And that?","maxTokens":10})"},
    {u"get-roots-list"_s, "{}"},
    {u"trigger-url-elicitation"_s, "{\"url\":\"https://example.org/\",\"elicitationId\":\"here\"}"},
    {u"trigger-url-elicitation"_s, "{\"url\":\"https://example.org/\"}"},
};

}  // namespace

class tst_ServerRequestCircle : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        if (const QString why = test::whyNoPeers(); !why.isEmpty())
            QSKIP(why.toUtf8().constData());
    }

    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        QVERIFY(m_folder->isValid());
        m_path = m_folder->filePath(u"recorded.mcpsession"_s);
    }

    void aClientThatDeclaresNothingIsNoticed()
    {
        recordEverything();
        if (QTest::currentTestFailed())
            return;
        const Result<std::unique_ptr<Session>> session = Session::open(m_path);
        QVERIFY(session);
        ConnectionOptions options = replayOptions(replayMaterial(**session));
        options.capabilities = "{}";
        Replay again(**session, test::peer(u"server-everything"_s), {}, options);
        QVERIFY(again.run());
        const Replayer &replayer = again.replayer;
        // The tools are not there, so they are listed otherwise, cannot be called and ask nothing.
        QVERIFY2(replayer.count(Status::Changed) + replayer.count(Status::Failed) >= 9, tell(replayer).constData());
        QVERIFY(tell(replayer).contains("Server request missing: elicitation/create"));
    }

    void filesystemWithRoots()
    {
        const QString given = m_folder->filePath(u"given"_s);
        const QString shared = m_folder->filePath(u"shared"_s);
        QVERIFY(QDir().mkpath(given) && QDir().mkpath(shared));
        test::writeFile(shared + u"/one.txt"_s, "first");
        const QByteArray inShared = "{\"path\":" + json::quoted(shared) + '}';
        const QByteArray one = "{\"path\":" + json::quoted(shared + u"/one.txt"_s) + '}';
        const ServerSpec server = test::peer(u"server-filesystem"_s, {given});
        {
            ConnectionOptions options;
            options.sessionPath = m_path;
            options.capabilities = Capabilities;
            Driver driver(server, options);
            Person person(&driver.connection(), {shared});
            QVERIFY2(driver.open(), driver.describe().constData());
            // It says so when it has taken over what it was told; nothing else tells.
            QVERIFY(driver.waitUntil(
                [&driver] { return driver.hasRecord(WireEvent::Kind::Stderr, "Updated allowed directories"); }));
            QCOMPARE(person.asked[u"roots/list"_s], 1);
            const Outcome allowed = driver.callTool(u"list_allowed_directories"_s, "{}");
            QVERIFY2(test::textOf(allowed).contains(u"shared"_s), test::textOf(allowed).toUtf8().constData());
            QVERIFY(!test::textOf(allowed).contains(u"given"_s));
            driver.callTool(u"list_directory"_s, inShared);
            driver.callTool(u"read_text_file"_s, one);
            QVERIFY(driver.close());
        }
        replay(server, 0);
        if (QTest::currentTestFailed())
            return;
        test::writeFile(shared + u"/one.txt"_s, "otherwise");
        test::writeFile(shared + u"/two.txt"_s, "second");
        replay(server, 2);
    }

private:
    void recordEverything()
    {
        ConnectionOptions options;
        options.sessionPath = m_path;
        options.capabilities = Capabilities;
        Driver driver(test::peer(u"server-everything"_s), options);
        Person person(&driver.connection(), {u"/tmp/a"_s, u"/tmp/b"_s});
        QVERIFY2(driver.open(), driver.describe().constData());
        for (const auto &[tool, arguments] : Asking) {
            const Outcome outcome = driver.callTool(tool, arguments);
            QVERIFY2(outcome.kind != Outcome::Kind::NoResponse, qPrintable(tool + u' ' + outcome.error.message));
            QVERIFY2(driver.catalog().tool(tool), qPrintable(tool));
        }
        QCOMPARE(person.asked[u"elicitation/create"_s], 5);
        QCOMPARE(person.asked[u"sampling/createMessage"_s], 2);
        QCOMPARE(person.asked[u"roots/list"_s], 1);
        QVERIFY2(driver.close(), driver.describe().constData());
    }

    void replay(const ServerSpec &server, int changed)
    {
        const Result<std::unique_ptr<Session>> session = Session::open(m_path);
        QVERIFY2(session, qPrintable(session ? QString() : session.error().message));
        Replay again(**session, server, {}, replayOptions(replayMaterial(**session)));
        QVERIFY(again.run());
        const Replayer &replayer = again.replayer;
        QVERIFY2(replayer.count(Status::Changed) == changed, tell(replayer).constData());
        QVERIFY2(replayer.count(Status::Same) == replayer.steps().size() - changed, tell(replayer).constData());
        QVERIFY(replayer.steps().size() > 4);
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    QString m_path;
};

SONDE_TEST(tst_ServerRequestCircle)
#include "tst_serverrequestcircle.moc"
