// The list of servers and sessions without any window.
// SPDX-License-Identifier: Apache-2.0
#include "app/gui/workspace.h"
#include "tests/app/gui/testwindow.h"

#include <QFile>
#include <QSignalSpy>
#include <QTest>
#include <chrono>
#include <optional>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

using namespace sonde;
using sonde::app::Workspace;
using sonde::app::WorkspaceItem;

class TestWorkspace : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init()
    {
        test::TestWindow::clear();
        m_workspace = std::make_unique<Workspace>(Profile::ofUser());
        m_workspace->followStore();
    }
    void cleanup() { m_workspace.reset(); }

    void theFirstLineIsCurrent()
    {
        QCOMPARE(m_workspace->items().size(), size_t(1));
        QCOMPARE(m_workspace->current(), m_workspace->demo());
        QVERIFY(!m_workspace->currentConnection());
        QVERIFY(!m_workspace->shownSession());
    }

    void theNextLineIsCurrentWhereOneWasRemoved()
    {
        add(u"a"_s);
        add(u"b"_s);
        add(u"c"_s);
        m_workspace->setCurrent(*m_workspace->serverNamed(u"b"_s));
        QSignalSpy changed(m_workspace.get(), &Workspace::currentChanged);
        QVERIFY(!m_workspace->remove(u"b"_s));
        QCOMPARE(m_workspace->current(), m_workspace->serverNamed(u"c"_s));
        QCOMPARE(m_workspace->rowOf(m_workspace->current()), 1);
        QVERIFY(changed.count() > 0);
        QVERIFY(!m_workspace->remove(u"a"_s));
        QCOMPARE(m_workspace->current(), m_workspace->serverNamed(u"c"_s));
    }

    // Tabs and timeline let go of it then.
    void whatIsRemovedLivesUntilEverybodyKnows()
    {
        add(u"a"_s);
        WorkspaceItem *item = m_workspace->serverNamed(u"a"_s);
        m_workspace->start(*item);
        const QPointer<Connection> connection = item->connection.get();
        bool isTold = false;
        connect(m_workspace.get(), &Workspace::removed, this, [&](const QList<const WorkspaceItem *> &items) {
            if (items.isEmpty())
                return;
            isTold = true;
            QCOMPARE(items.size(), 1);
            QVERIFY(connection && items.first()->connection.get() == connection);
            QVERIFY(!m_workspace->itemOf(connection));
            QVERIFY(m_workspace->current() && m_workspace->current() != items.first());
        });
        QVERIFY(!m_workspace->remove(u"a"_s));
        QVERIFY(isTold);
        QVERIFY(!connection);
    }

    void aChangedServerKeepsItsConnection()
    {
        add(u"a"_s);
        WorkspaceItem *item = m_workspace->serverNamed(u"a"_s);
        m_workspace->start(*item);
        const Connection *connection = item->connection.get();
        ServerSpec spec = item->spec;
        spec.name = u"z"_s;
        QVERIFY(!m_workspace->change(u"a"_s, spec));
        QCOMPARE(m_workspace->itemOf(connection), item);
        QCOMPARE(item->spec.name, u"z"_s);
        QVERIFY(m_workspace->change(u"nobody"_s, spec));  // an Error
    }

    // Before those of the preferences, also where they change while it runs.
    void aServersOwnTimeoutsCount()
    {
        ServerSpec spec = Workspace::demoSpec();
        spec.name = u"a"_s;
        spec.arguments += QStringList{u"--never-respond"_s, u"tools/call"_s};
        spec.timeouts.request = 150ms;
        QVERIFY(m_workspace->add(spec));
        m_workspace->setTimeouts({.request = 70s, .total = 700s, .connection = 80s});
        WorkspaceItem *item = m_workspace->serverNamed(u"a"_s);
        m_workspace->approve(item->spec);
        m_workspace->start(*item);
        Connection *connection = item->connection.get();
        QTRY_VERIFY(connection->state() == Connection::State::Connected);
        std::optional<Outcome> outcome;
        const QObject context;
        connect(connection->callTool(u"add"_s, R"({"a":1,"b":2})"), &Call::finished, &context,
                [&outcome](const Outcome &ended) { outcome = ended; });
        QTRY_VERIFY(outcome);
        QCOMPARE(outcome->error.message, u"Timed out: no response or progress for 0.15 s."_s);
        const auto timeouts = [connection] {
            const ConnectionOptions &options = connection->options();
            return ServerTimeouts{options.callOptions.timeout, options.callOptions.maxTotal, options.handshakeTimeout};
        };
        QVERIFY(timeouts() == (ServerTimeouts{150ms, 700s, 80s}));
        const auto change = [this](const ServerTimeouts &wanted) {
            ServerSpec changed = m_workspace->serverNamed(u"a"_s)->spec;
            changed.timeouts = wanted;
            QVERIFY(!m_workspace->change(u"a"_s, changed));
        };
        change({.total = 0s, .connection = 5s});
        QVERIFY(timeouts() == (ServerTimeouts{70s, 0s, 5s}));
        m_workspace->setTimeouts({.request = 30s, .total = 300s, .connection = 40s});
        QVERIFY(timeouts() == (ServerTimeouts{30s, 0s, 5s}));
        change({});
        QVERIFY(timeouts() == (ServerTimeouts{30s, 300s, 40s}));
    }

    void anotherServerOfTheSameNameGetsAnother()
    {
        add(u"a"_s);
        ServerSpec spec = m_workspace->serverNamed(u"a"_s)->spec;
        spec.arguments = {u"--page-size"_s, u"3"_s};
        QVERIFY(!m_workspace->serverLike(spec));
        const Result<QString> name = m_workspace->add(spec);
        QVERIFY(name && *name != u"a"_s);
        QCOMPARE(m_workspace->serverLike(spec), m_workspace->serverNamed(*name));
        QVERIFY(!m_workspace->nameProblem(*name).isEmpty());
        QVERIFY(!m_workspace->nameProblem(Workspace::demoSpec().name).isEmpty());
        QVERIFY(m_workspace->nameProblem(u"free"_s).isEmpty());
    }

    void whatCannotBeOpenedIsSaid()
    {
        QSignalSpy failed(m_workspace.get(), &Workspace::failed);
        m_workspace->openSessionFile(u"/nowhere/s.mcpsession"_s);
        QCOMPARE(failed.count(), 1);
        QCOMPARE(m_workspace->items().size(), size_t(1));
    }

    void aRecordingIsOpenedOnceAndClosed()
    {
        WorkspaceItem *demo = m_workspace->demo();
        m_workspace->start(*demo);
        QTRY_VERIFY(demo->connection->state() == Connection::State::Connected);
        const QString path = demo->shownSession()->path();
        const QString copy = path + u".copy.mcpsession"_s;
        demo->shownSession()->flush();
        QVERIFY(QFile::copy(path, copy));
        QSignalSpy chosen(m_workspace.get(), &Workspace::chosen);
        m_workspace->openSessionFile(path);  // the live one has it already
        QCOMPARE(m_workspace->items().size(), size_t(1));
        m_workspace->openSessionFile(copy);
        m_workspace->openSessionFile(copy);
        QCOMPARE(chosen.count(), 3);
        QCOMPARE(m_workspace->items().size(), size_t(2));
        WorkspaceItem *opened = m_workspace->current();
        QVERIFY(!opened->isServer());
        QCOMPARE(m_workspace->shownSession()->path(), copy);
        m_workspace->closeSession(*opened);
        QCOMPARE(m_workspace->current(), demo);
        QCOMPARE(m_workspace->items().size(), size_t(1));
    }

    void closingEndsTheServersFirst()
    {
        WorkspaceItem *demo = m_workspace->demo();
        m_workspace->start(*demo);
        QTRY_VERIFY(demo->connection->state() == Connection::State::Connected);
        bool isOver = false;
        connect(m_workspace.get(), &Workspace::finished, this,
                [&] { isOver = isOver || demo->connection->state() == Connection::State::Disconnected; });
        m_workspace->close();
        QTRY_VERIFY(isOver);
    }

private:
    void add(const QString &name)
    {
        ServerSpec spec = Workspace::demoSpec();
        spec.name = name;
        const Result<QString> added = m_workspace->add(spec);
        QVERIFY(added && *added == name);
    }

    std::unique_ptr<Workspace> m_workspace;
};

SONDE_TEST(TestWorkspace)
#include "tst_workspace.moc"
