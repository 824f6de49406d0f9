// What is known of a server's tools, while long lists of them are compared in the background.
// SPDX-License-Identifier: Apache-2.0
#include "core/client/catalog.h"
#include "core/client/client.h"
#include "core/connection/toolmemory.h"
#include "core/protocol/methods.h"
#include "tests/support/faketransport.h"
#include "tests/support/openclient.h"
#include "tests/support/testregistry.h"

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QThreadPool>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using namespace sonde;
using namespace sonde::test;

namespace {

constexpr int Many = 1000;

QByteArray listOf(int count, const QByteArray &description, const QByteArray &annotations = "{}")
{
    QByteArrayList tools;
    for (int i = 0; i < count; ++i)
        tools.append(R"({"name":"tool)" + QByteArray::number(i) + R"(","description":")" + description +
                     R"(","inputSchema":{"type":"object"},"annotations":)" + annotations + '}');
    return R"({"tools":[)" + tools.join(',') + "]}";
}

const QByteArray ReadOnly = R"({"readOnlyHint":true})";
const QByteArray Destroys = R"({"readOnlyHint":false,"destructiveHint":true})";

}  // namespace

class TestToolMemory : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_client = openClient(m_transport);
        m_catalog = std::make_unique<Catalog>(m_client.get());
        m_catalog->setRefreshInterval(0ms);
        m_memory = std::make_unique<ToolMemory>(m_catalog.get(), nullptr, QString());
    }

    void cleanup()
    {
        m_memory.reset();
        m_catalog.reset();
        m_client.reset();
        m_transport.reset();
    }

    // The turn in which a list arrives compares none of it, and yet says nothing wrong of a tool.
    void comparesInTheBackground()
    {
        QVERIFY(isListed(listOf(Many, "one")));
        QTRY_VERIFY(isCompared());
        QVERIFY(isListed(listOf(Many, "two", Destroys)));
        QVERIFY2(!m_memory->isChanged(u"tool0"_s), "compared in the turn in which the list arrived");
        for (const QString &name : {u"tool0"_s, u"tool999"_s}) {
            const Tool *tool = m_catalog->tool(name);
            QVERIFY(tool && m_memory->asks(*tool));
            QCOMPARE(m_memory->formerDefinition(*tool)[u"description"].string(), u"one"_s);
        }
        QSignalSpy changed(m_memory.get(), &ToolMemory::changed);
        QTRY_VERIFY(m_memory->isChanged(u"tool0"_s) && m_memory->isChanged(u"tool999"_s));
        QCOMPARE(changed.size(), 1);
    }

    void isWhatItWasAgain()
    {
        QVERIFY(isListed(listOf(Many, "one")));
        QTRY_VERIFY(isCompared());
        QVERIFY(isListed(listOf(Many, "two")));
        QTRY_VERIFY(m_memory->isChanged(u"tool5"_s));
        QVERIFY(isListed(listOf(Many, "one")));
        QTRY_VERIFY(!m_memory->isChanged(u"tool5"_s));
    }

    // Only the last list counts, whichever thread is done first.
    void changesWhileItIsCompared()
    {
        QVERIFY(isListed(listOf(Many, "one")));
        QTRY_VERIFY(isCompared());
        QVERIFY(isListed(listOf(Many, "two")));
        QVERIFY(isListed(listOf(10, "one")));
        QSignalSpy changed(m_memory.get(), &ToolMemory::changed);
        QTRY_VERIFY(isCompared());
        QVERIFY(!m_memory->isChanged(u"tool5"_s));
        QCOMPARE(changed.size(), 0);
    }

    void acceptedWhileItIsCompared()
    {
        QVERIFY(isListed(listOf(Many, "one", ReadOnly)));
        QTRY_VERIFY(isCompared());
        QVERIFY(isListed(listOf(Many, "two", Destroys)));
        const Tool seen = *m_catalog->tool(u"tool7"_s);
        const Tool allowed = *m_catalog->tool(u"tool8"_s);
        m_memory->accept(seen);
        m_memory->allowAlways(allowed);
        QTRY_VERIFY(m_memory->isChanged(u"tool5"_s));
        QVERIFY(!m_memory->isChanged(seen.name));
        QVERIFY(!m_memory->formerDefinition(seen).exists());
        QVERIFY(!m_memory->asks(allowed));
    }

    // Also of tools that no list had before.
    void allowedWhileItIsComparedForTheFirstTime()
    {
        QVERIFY(isListed(listOf(Many, "one", Destroys)));
        const Tool tool = *m_catalog->tool(u"tool3"_s);
        QVERIFY(m_memory->asks(tool));
        m_memory->allowAlways(tool);
        QTRY_VERIFY(isCompared());
        QVERIFY(!m_memory->asks(tool));
        QVERIFY(!m_memory->isChanged(tool.name));
    }

    void lostWhileItIsCompared()
    {
        QVERIFY(isListed(listOf(Many, "one")));
        m_catalog->suspend();
        QTRY_VERIFY(isCompared());
        m_catalog->load(json::Value());
        QVERIFY(m_catalog->tools().isEmpty());
        m_catalog->refresh(Catalog::List::Tools);
        m_transport->response(m_transport->expectSent(methods::ListTools), listOf(10, "two"));
        QTRY_VERIFY(m_memory->isChanged(u"tool5"_s));
    }

    void goesWhileItIsCompared()
    {
        const QTemporaryDir folder;
        const auto store = std::make_shared<ToolStore>(folder.filePath(u"tools"_s));
        m_memory = std::make_unique<ToolMemory>(m_catalog.get(), store, u"one"_s);
        QThreadPool::globalInstance()->waitForDone();
        QCoreApplication::processEvents();
        QVERIFY(isListed(listOf(Many, "one")));
        QSignalSpy changed(m_memory.get(), &ToolMemory::changed);
        m_memory.reset();
        QCOMPARE(changed.size(), 0);
        QVERIFY2(store->read(u"one"_s).size() == Many, "what was learned last is lost");
        QThreadPool::globalInstance()->waitForDone();
        QCoreApplication::processEvents();  // nobody takes what the thread found
    }

private:
    // Returns in the turn in which it has arrived.
    bool isListed(const QByteArray &list)
    {
        const Tool *before = m_catalog->tools().constData();
        m_catalog->refresh(Catalog::List::Tools);
        m_transport->response(m_transport->expectSent(methods::ListTools), list);
        QEventLoop loop;
        connect(m_catalog.get(), &Catalog::changed, &loop, [&] {
            if (m_catalog->tools().constData() != before && !m_catalog->isLoading())
                loop.quit();
        });
        QTimer::singleShot(Patience, &loop, &QEventLoop::quit);
        if (m_catalog->tools().constData() == before || m_catalog->isLoading())
            loop.exec();
        return m_catalog->tools().constData() != before && !m_catalog->isLoading();
    }

    // Threads have nothing to do, and what they did has been taken.
    bool isCompared() const
    {
        if (!QThreadPool::globalInstance()->waitForDone(0))
            return false;
        QCoreApplication::processEvents();
        return QThreadPool::globalInstance()->activeThreadCount() == 0;
    }

    std::unique_ptr<FakeTransport> m_transport;
    std::unique_ptr<Client> m_client;
    std::unique_ptr<Catalog> m_catalog;
    std::unique_ptr<ToolMemory> m_memory;
};

SONDE_TEST(TestToolMemory)
#include "tst_toolmemory.moc"
