// Tasks of real servers, over both revisions that have them, and what is left of them for the next start.
// SPDX-License-Identifier: Apache-2.0
#include "core/connection/connection.h"
#include "core/connection/subscriptions.h"
#include "core/connection/taskstore.h"
#include "core/protocol/methods.h"
#include "tests/support/programs.h"
#include "tests/support/testregistry.h"

#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using namespace sonde;
using sonde::test::Patience;

namespace {

ServerSpec taskServer(Revision revision)
{
    ServerSpec spec;
    spec.name = u"tasks"_s;
    spec.command = test::builtProgram(QStringLiteral("sonde-demo-server"));
    spec.revision = revision;
    return spec;
}

bool connects(Connection &connection)
{
    connection.open();
    return QTest::qWaitFor([&] { return connection.state() == Connection::State::Connected; }, Patience);
}

CallOptions asTask()
{
    CallOptions options;
    options.task = {TaskOptions::Follow::Always, true, {}};
    return options;
}

const QByteArray SlowCall = R"({"name":"run-as-task","arguments":{"seconds":30}})";
const QByteArray QuickCall = R"({"name":"run-as-task","arguments":{"seconds":0.3}})";

}  // namespace

class TestTaskList : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_path = m_folder->filePath(u"new/tasks.jsonl"_s);
        m_store = std::make_shared<TaskStore>(m_path);
    }

    void revisions_data()
    {
        QTest::addColumn<Revision>("revision");
        QTest::newRow("2025-11-25") << Revision::R20251125;
        QTest::newRow("2026-07-28") << Revision::R20260728;
    }

    // The server tells of the end before it would be asked about it.
    void aRunningTaskIsListenedTo()
    {
        ConnectionOptions options;
        options.followLists = true;
        Connection connection(taskServer(Revision::R20260728), options);
        QVERIFY(connects(connection));
        std::optional<Outcome> outcome;
        Call *call = connection.request(methods::CallTool, QuickCall, asTask());
        connect(call, &Call::finished, this, [&](const Outcome &end) { outcome = end; });
        QTRY_VERIFY_WITH_TIMEOUT(call->task(), Patience);
        const QString id = call->task()->id;
        QTRY_VERIFY_WITH_TIMEOUT(connection.subscriptions()->acknowledged().taskIds.contains(id), Patience);
        QTRY_VERIFY_WITH_TIMEOUT(outcome.has_value(), Patience);
        QCOMPARE(outcome->kind, Outcome::Kind::Ok);
        Session &session = *connection.session();
        session.flush();
        bool isDeclared = false;
        bool isTold = false;
        for (qsizetype row = 0; row < session.size(); ++row) {
            const json::Value message = json::parse(session.bytes(row));
            const QString method = message[u"method"].string();
            const json::Value params = message[u"params"];
            isTold = isTold || (method == methods::TaskChanged && params[u"taskId"].string() == id);
            if (method != methods::Listen || !params[u"notifications"].contains(u"taskIds"))
                continue;
            const json::Value capabilities = params[u"_meta"][u"io.modelcontextprotocol/clientCapabilities"];
            isDeclared = capabilities[u"extensions"].contains(u"io.modelcontextprotocol/tasks");
        }
        QVERIFY(isDeclared);
        QVERIFY(isTold);
    }

    void aToolRunsAsATask_data() { revisions_data(); }
    void aToolRunsAsATask()
    {
        QFETCH(Revision, revision);
        Connection connection(taskServer(revision), {});
        QVERIFY(connects(connection));
        QVERIFY(connection.taskSupport().calls);
        std::optional<Outcome> outcome;
        Call *call = connection.request(methods::CallTool, QuickCall, asTask());
        connect(call, &Call::finished, this, [&](const Outcome &end) { outcome = end; });
        QTRY_VERIFY_WITH_TIMEOUT(!connection.tasks()->tasks().empty(), Patience);
        QCOMPARE(connection.tasks()->tasks().front().call.data(), call);
        QCOMPARE(connection.tasks()->tasks().front().tool, u"run-as-task"_s);
        QTRY_VERIFY_WITH_TIMEOUT(outcome.has_value(), Patience);
        QCOMPARE(outcome->kind, Outcome::Kind::Ok);
        QVERIFY(outcome->result()[u"content"].isArray());
        const KnownTask &known = connection.tasks()->tasks().front();
        QVERIFY(known.outcome);
        QCOMPARE(toString(known.state.status), u"completed"_s);
    }

    void cancelledWithTheCall_data() { revisions_data(); }
    void cancelledWithTheCall()
    {
        QFETCH(Revision, revision);
        Connection connection(taskServer(revision), {});
        QVERIFY(connects(connection));
        Call *call = connection.request(methods::CallTool, SlowCall, asTask());
        QTRY_VERIFY_WITH_TIMEOUT(!connection.tasks()->tasks().empty(), Patience);
        const QString id = connection.tasks()->tasks().front().state.id;
        connection.tasks()->cancel(id);
        QVERIFY(call);
        QTRY_VERIFY_WITH_TIMEOUT(!connection.tasks()->task(id)->call, Patience);
        connection.tasks()->refresh();  // the server says so as well
        QTRY_VERIFY_WITH_TIMEOUT(!connection.tasks()->isLoading() &&
                                     connection.tasks()->task(id)->state.status == TaskState::Status::Cancelled,
                                 Patience);
    }

    void switchedOffThereAreNone_data() { revisions_data(); }
    void switchedOffThereAreNone()
    {
        QFETCH(Revision, revision);
        ServerSpec spec = taskServer(revision);
        spec.undeclaredCapabilities = {u"tasks"_s};
        Connection connection(spec, {});
        QVERIFY(connects(connection));
        QVERIFY(!connection.taskSupport().calls);
        std::optional<Outcome> outcome;
        connect(connection.request(methods::CallTool, QuickCall, asTask()), &Call::finished, this,
                [&](const Outcome &end) { outcome = end; });
        QTRY_VERIFY_WITH_TIMEOUT(outcome.has_value(), Patience);
        QCOMPARE(outcome->kind, Outcome::Kind::Ok);
        QVERIFY(connection.tasks()->tasks().empty());
        for (qsizetype row = 0; row < connection.session()->size(); ++row)
            QVERIFY(!connection.session()->bytes(row).contains("\"io.modelcontextprotocol/tasks\":{}}}}"));
    }

    // The server goes on while nobody is connected: it is another program here, at an address.
    void anotherStartTakesItUp()
    {
        // In 2025-11-25 the demo server's tasks belong to a session.
        const Revision revision = Revision::R20260728;
        QProcess server;
        server.start(test::builtProgram(QStringLiteral("sonde-demo-server")), {u"--http"_s});
        QString address;
        QVERIFY(QTest::qWaitFor(
            [&] {
                const QString said = QString::fromUtf8(server.readAllStandardError() + server.readAllStandardOutput());
                static const QRegularExpression pattern(u"http://[^\\s]+"_s);
                if (const auto match = pattern.match(said); match.hasMatch())
                    address = match.captured();
                return !address.isEmpty();
            },
            Patience));
        ServerSpec spec = taskServer(revision);
        spec.kind = ServerSpec::Kind::Http;
        spec.url = QUrl(address);
        ConnectionOptions options;
        options.profile.tasks = m_store;
        QString id;
        {
            Connection first(spec, options);
            QVERIFY(connects(first));
            first.request(methods::CallTool, R"({"name":"run-as-task","arguments":{"seconds":1}})", asTask());
            QTRY_VERIFY_WITH_TIMEOUT(!first.tasks()->tasks().empty(), Patience);
            id = first.tasks()->tasks().front().state.id;
        }
        QCOMPARE(m_store->tasksOf(spec).size(), 1);
        ServerSpec other = spec;
        other.url = QUrl(u"http://127.0.0.1:9/mcp"_s);
        QCOMPARE(m_store->tasksOf(other).size(), 0);  // no other server hears of it

        Connection second(spec, options);
        QVERIFY(connects(second));
        const KnownTask *known = second.tasks()->task(id);
        QVERIFY(known);
        QCOMPARE(known->tool, u"run-as-task"_s);
        QTRY_VERIFY_WITH_TIMEOUT(second.tasks()->task(id)->outcome, Patience);
        QCOMPARE(second.tasks()->task(id)->outcome->kind, Outcome::Kind::Ok);
        QCOMPARE(toString(m_store->tasksOf(spec).constFirst().status), u"completed"_s);

        // A finished one is not asked for by itself, but its result can be seen again.
        Connection third(spec, options);
        QVERIFY(connects(third));
        QVERIFY(third.tasks()->task(id));
        QVERIFY(!third.tasks()->task(id)->call);
        QVERIFY(third.tasks()->follow(id));
        QTRY_VERIFY_WITH_TIMEOUT(third.tasks()->task(id)->outcome, Patience);
        server.kill();
        server.waitForFinished();
    }

    // It stays in the list, and is not asked about again.
    void whatTheServerDoesNotKnowIsLost_data() { revisions_data(); }
    void whatTheServerDoesNotKnowIsLost()
    {
        QFETCH(Revision, revision);
        const ServerSpec spec = taskServer(revision);
        const StoredTask stored = storeTaskOfAnother(spec, TaskState::Status::Working);
        Connection connection(spec, withStore());
        QVERIFY(connects(connection));
        const KnownTask *known = nullptr;
        QTRY_VERIFY_WITH_TIMEOUT((known = connection.tasks()->task(stored.id)) && known->isLost, Patience);
        QVERIFY(!known->call && !known->outcome);
        QCOMPARE(known->tool, stored.tool);
        QCOMPARE(m_store->tasksOf(spec).size(), 0);
        connection.tasks()->refresh();
        QTRY_VERIFY_WITH_TIMEOUT(!connection.tasks()->isLoading(), Patience);
        QVERIFY(connection.tasks()->task(stored.id)->isLost);
        QVERIFY2(!connection.tasks()->error(), qPrintable(connection.tasks()->error().message));
    }

    // It was forgotten once, and what another window has stored since is its own.
    void whatIsLostIsNotLostAgain()
    {
        const ServerSpec spec = taskServer(Revision::R20251125);
        const StoredTask stored = storeTaskOfAnother(spec, TaskState::Status::Completed);
        Connection connection(spec, withStore());
        QVERIFY(connects(connection));
        const auto refresh = [&connection] {
            connection.tasks()->refresh();
            return QTest::qWaitFor([&] { return !connection.tasks()->isLoading(); }, Patience);
        };
        QVERIFY(refresh());
        QVERIFY(connection.tasks()->task(stored.id)->isLost);
        QCOMPARE(m_store->tasksOf(spec).size(), 0);
        QVERIFY(!m_store->put(stored));
        QVERIFY(refresh());
        QVERIFY(connection.tasks()->task(stored.id)->isLost);
        QCOMPARE(m_store->tasksOf(spec).size(), 1);
    }

    // The latest of them stay.
    void ofTheLostOnlySoManyAreKept()
    {
        const ServerSpec spec = taskServer(Revision::R20251125);
        Connection connection(spec, withStore());
        StoredTask stored = StoredTask::of(spec);
        stored.status = TaskState::Status::Completed;
        const QDateTime start = QDateTime::currentDateTimeUtc();
        const auto loseMore = [&](int first, int last) {
            for (int i = first; i < last; ++i) {
                stored.id = QString::number(i);
                stored.createdAt = start.addSecs(i);
                if (m_store->put(stored))
                    return false;
            }
            if (!connects(connection))
                return false;
            connection.tasks()->refresh();
            if (!QTest::qWaitFor([&] { return !connection.tasks()->isLoading(); }, Patience))
                return false;
            connection.close();
            return QTest::qWaitFor([&] { return connection.state() == Connection::State::Disconnected; }, Patience);
        };
        constexpr int most = int(TaskStore::MaxTasks);
        QVERIFY(loseMore(0, most));
        QCOMPARE(connection.tasks()->tasks().size(), size_t(most));
        QVERIFY(loseMore(most, most + 3));
        QCOMPARE(connection.tasks()->tasks().size(), size_t(most));
        QCOMPARE(connection.tasks()->tasks().front().state.id, QString::number(most + 2));
        QCOMPARE(connection.tasks()->tasks().back().state.id, u"3"_s);
        QCOMPARE(m_store->tasksOf(spec).size(), 0);
    }

    // Another error than that of an unknown task says nothing about the task.
    void anErrorForgetsNoTask()
    {
        ServerSpec spec = taskServer(Revision::R20260728);
        spec.arguments = {u"--missing-method"_s, methods::GetTask.toString()};
        StoredTask stored = StoredTask::of(spec);
        stored.id = u"one"_s;
        stored.tool = u"run-as-task"_s;
        stored.createdAt = QDateTime::currentDateTimeUtc();
        QVERIFY(!m_store->put(stored));
        Connection connection(spec, withStore());
        QVERIFY(connects(connection));
        QTRY_VERIFY_WITH_TIMEOUT(connection.tasks()->task(u"one"_s), Patience);
        Call *call = connection.tasks()->follow(u"one"_s);
        QVERIFY(call);
        std::optional<Outcome> outcome;
        connect(call, &Call::finished, this, [&](const Outcome &end) { outcome = end; });
        QTRY_VERIFY_WITH_TIMEOUT(outcome.has_value(), Patience);
        QCOMPARE(outcome->kind, Outcome::Kind::ProtocolError);
        QVERIFY(connection.tasks()->task(u"one"_s));
        QCOMPARE(m_store->tasksOf(spec).size(), 1);
    }

    void aTaskOutlivesARestartOfTheConnection()
    {
        Connection connection(taskServer(Revision::R20251125), {});
        QVERIFY(connects(connection));
        std::optional<Outcome> outcome;
        QPointer<Call> call = connection.request(methods::CallTool, SlowCall, asTask());
        connect(call, &Call::finished, this, [&](const Outcome &end) { outcome = end; });
        QTRY_VERIFY_WITH_TIMEOUT(call->task(), Patience);
        connection.close();
        QTRY_COMPARE_WITH_TIMEOUT(connection.state(), Connection::State::Disconnected, Patience);
        QVERIFY(!outcome);
        QVERIFY(call->isTaskUnreachable());
        // It is asked for again; the new process says that it has no such task.
        QVERIFY(connects(connection));
        QTRY_VERIFY_WITH_TIMEOUT(outcome.has_value(), Patience);
        QCOMPARE(outcome->kind, Outcome::Kind::ProtocolError);
        QCOMPARE(connection.tasks()->tasks().size(), size_t(1));
        QVERIFY(connection.tasks()->tasks().front().isLost);
    }

    // The store

    void whatIsStoredComesBack()
    {
        const ServerSpec spec = taskServer(Revision::R20251125);
        StoredTask one = StoredTask::of(spec);
        one.id = u"a \"quoted\" id"_s;
        one.tool = u"t"_s;
        one.status = TaskState::Status::InputRequired;
        one.createdAt = QDateTime::currentDateTimeUtc();
        one.ttl = 60s;
        QVERIFY(!m_store->put(one));
        StoredTask expired = one;
        expired.id = u"old"_s;
        expired.createdAt = one.createdAt.addSecs(-61);
        QVERIFY(!m_store->put(expired));
        QCOMPARE(TaskStore(m_path).tasksOf(spec), QList<StoredTask>({one}));
        QCOMPARE(QFileInfo(m_path).permissions() & (QFile::ReadGroup | QFile::ReadOther), QFile::Permissions());

        QVERIFY(!m_store->renameServer(spec.name, u"other"_s));
        QCOMPARE(m_store->tasksOf(spec).size(), 0);
        ServerSpec renamed = spec;
        renamed.name = u"other"_s;
        QCOMPARE(m_store->tasksOf(renamed).size(), 1);
        QVERIFY(!m_store->forgetServer(u"other"_s));
        QCOMPARE(m_store->tasksOf(renamed).size(), 0);
    }

    void aDamagedFileIsNoHarm()
    {
        const ServerSpec spec = taskServer(Revision::R20251125);
        StoredTask one = StoredTask::of(spec);
        one.id = u"1"_s;
        one.createdAt = QDateTime::currentDateTimeUtc();
        QVERIFY(!m_store->put(one));
        QFile file(m_path);
        QVERIFY(file.open(QIODevice::Append));
        file.write("{\"server\":\n[]\nnull\n{\"server\":\"tasks\",\"taskId\":7}\n\xff\xfe");
        file.close();
        QCOMPARE(m_store->tasksOf(spec), QList<StoredTask>({one}));
    }

    void theOldestAreForgotten()
    {
        const ServerSpec spec = taskServer(Revision::R20251125);
        StoredTask one = StoredTask::of(spec);
        one.createdAt = QDateTime::currentDateTimeUtc();
        for (int i = 0; i < TaskStore::MaxTasks + 2; ++i) {
            one.id = QString::number(i);
            QVERIFY(!m_store->put(one));
        }
        const QList<StoredTask> kept = m_store->tasksOf(spec);
        QCOMPARE(kept.size(), TaskStore::MaxTasks);
        QCOMPARE(kept.constFirst().id, u"2"_s);
    }

private:
    ConnectionOptions withStore() const
    {
        ConnectionOptions options;
        options.profile.tasks = m_store;
        return options;
    }
    // One that the server has never heard of.
    StoredTask storeTaskOfAnother(const ServerSpec &spec, TaskState::Status status)
    {
        StoredTask stored = StoredTask::of(spec);
        stored.id = u"of another process"_s;
        stored.tool = u"run-as-task"_s;
        stored.status = status;
        stored.createdAt = QDateTime::currentDateTimeUtc();
        if (m_store->put(stored))
            qWarning("the task is not stored");
        return stored;
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    QString m_path;
    std::shared_ptr<TaskStore> m_store;
};

SONDE_TEST(TestTaskList)
#include "tst_tasklist.moc"
