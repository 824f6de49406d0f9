// A server's error that names a field marks that field.
// SPDX-License-Identifier: Apache-2.0
#include "core/json/builder.h"
#include "tests/support/testregistry.h"
#include "ui/panels/remoteissues.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace sonde;

class TestRemoteIssues : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void protocolErrors_data()
    {
        QTest::addColumn<QByteArray>("data");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QStringList>("places");
        QTest::newRow("field") << R"({"field":"limit"})"_ba << u"bad limit"_s << QStringList{u"/limit"_s};
        QTest::newRow("dotted path") << R"({"path":"charts[1].color"})"_ba << u"x"_s
                                     << QStringList{u"/charts/1/color"_s};
        QTest::newRow("pointer") << R"({"instancePath":"/a~1b/0"})"_ba << u"x"_s << QStringList{u"/a~1b/0"_s};
        QTest::newRow("list") << R"({"validation_errors":[{"loc":["body","a"],"msg":"m"},{"field":"b"}]})"_ba << u"x"_s
                              << QStringList{u"/a"_s, u"/b"_s};
        QTest::newRow("list at the top") << R"([{"path":["arguments","a",0],"message":"m"}])"_ba << u"x"_s
                                         << QStringList{u"/a/0"_s};
        QTest::newRow("in the text") << QByteArray()
                                     << QString::fromUtf8(
                                            R"(Invalid arguments: [{"code":"x","path":["count"],"message":"no"}])")
                                     << QStringList{u"/count"_s};
        QTest::newRow("lines") << QByteArray()
                               << u"MCP error -32602: Input validation error: Invalid arguments for tool look-at: "
                                  "Required at people[0].name\nToo big at limit\nUnknown keys"_s
                               << QStringList{u"/people/0/name"_s, u"/limit"_s};
        QTest::newRow("prose") << QByteArray() << u"The engine failed at startup"_s << QStringList{};
        QTest::newRow("nothing") << R"({"why":"because"})"_ba << u"no [idea]"_s << QStringList{};
    }

    void protocolErrors()
    {
        QFETCH(QByteArray, data);
        QFETCH(QString, text);
        QFETCH(QStringList, places);
        Outcome outcome;
        outcome.kind = Outcome::Kind::ProtocolError;
        outcome.error.kind = Error::Kind::Remote;
        outcome.error.message = text;
        if (!data.isEmpty())
            outcome.error.data = json::parse(data);
        QStringList found;
        for (const ui::FormIssue &issue : ui::issuesNamedBy(outcome))
            found << issue.place.toString();
        QCOMPARE(found, places);
    }

    void toolErrorsNameFieldsInTheirText()
    {
        const QByteArray text =
            R"(MCP error -32602: Input validation error: [{"path":["message"],"message":"Required"}])";
        json::Builder result;
        result.beginObject().key(u"content").beginArray().beginObject();
        result.member(u"type", u"text"_s).member(u"text", QString::fromUtf8(text));
        result.endObject().endArray().member(u"isError", true).endObject();
        Outcome outcome;
        outcome.kind = Outcome::Kind::ToolError;
        outcome.message = Message::response(RequestId(1), result.take());
        const QList<ui::FormIssue> issues = ui::issuesNamedBy(outcome);
        QCOMPARE(issues.size(), 1);
        QCOMPARE(issues.first().place.toString(), u"/message"_s);
        QCOMPARE(issues.first().message, u"Required"_s);
        // The same text in a result that worked is no error.
        outcome.kind = Outcome::Kind::Ok;
        QVERIFY(ui::issuesNamedBy(outcome).isEmpty());
    }
};

SONDE_TEST(TestRemoteIssues)
#include "tst_remoteissues.moc"
