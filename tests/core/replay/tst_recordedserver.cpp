// How the server of a recording is reached again.
// SPDX-License-Identifier: Apache-2.0
#include "core/replay/recordedserver.h"
#include "core/session/session.h"
#include "tests/support/testregistry.h"

#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace sonde;

class TestRecordedServer : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void itsAddress()
    {
        const RecordedServer server = recorded(R"({"transport":"http","url":"https:\/\/h/mcp?page=2"})");
        QVERIFY(!server.isUrlMasked);
        QCOMPARE(server.spec.url.text(), u"https://h/mcp?page=2"_s);
    }

    // What would be asked at another address is nobody's answer.
    void aMaskedAddressIsNone_data()
    {
        QTest::addColumn<QByteArray>("url");
        QTest::newRow("path") << "https://h/mcp/3f2504e0-4f89-41d3-9a0c-0305e82c3301"_ba;
        QTest::newRow("query") << "https://h/mcp?api_key=k-query-word-1"_ba;
        QTest::newRow("password") << "https://ada:p-url-word-1@h/mcp"_ba;
    }
    void aMaskedAddressIsNone()
    {
        QFETCH(QByteArray, url);
        const RecordedServer server = recorded(R"({"transport":"http","url":")" + url + R"("})");
        QVERIFY(server.isUrlMasked);
        QVERIFY2(server.spec.url.isEmpty() && server.spec.command.isEmpty(), qPrintable(server.spec.line()));
    }

    // The person sees what is missing in it.
    void marksInACommandStay()
    {
        const RecordedServer server = recorded(R"({"transport":"stdio","argv":["echo","--api-key","k-word-12345"]})");
        QVERIFY2(server.spec.line().contains(u'\u2039'), qPrintable(server.spec.line()));
    }

    void whereNothingIsTold()
    {
        for (const RecordedServer &server : {recordedServer(m_folder.filePath(u"none"_s)), recorded({})})
            QVERIFY(!server.isUrlMasked && server.spec.command.isEmpty() && server.spec.url.isEmpty());
    }

private:
    RecordedServer recorded(const QByteArray &facts)
    {
        const QString path = m_folder.filePath(u"x.mcpsession"_s);
        QFile::remove(path);
        const std::unique_ptr<Session> session = Session::create(path, u"x"_s);
        if (!facts.isEmpty()) {
            WireEvent event;
            event.kind = WireEvent::Kind::Open;
            event.facts = facts;
            session->append(event, 1);
        }
        session->finish();
        return recordedServer(path);
    }

    QTemporaryDir m_folder;
};

SONDE_TEST(TestRecordedServer)
#include "tst_recordedserver.moc"
