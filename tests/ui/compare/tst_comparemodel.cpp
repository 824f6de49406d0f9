// What differs becomes one row a thing, in words, that can be filtered and folded.
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/testregistry.h"
#include "tests/ui/compare/snapshots.h"
#include "ui/compare/comparemodel.h"

#include <QAbstractItemModelTester>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace sonde;
using namespace sonde::ui;
using sonde::test::compared;
using sonde::test::side;

namespace {

// "[Tools 2]", "echo | now required: b | ✕ breaking"
QStringList rowsOf(const CompareModel &model)
{
    QStringList rows;
    for (int row = 0; row < model.rowCount(); ++row) {
        const QModelIndex index = model.index(row);
        const QString name = index.data().toString();
        const QString note = index.data(CompareModel::NoteRole).toString();
        rows.append(index.data(CompareModel::HeadingRole).toBool()
                        ? u'[' + name + u' ' + note + u']'
                        : name + u" | "_s + note + u" | "_s + index.data(CompareModel::BadgeTextRole).toString());
    }
    return rows;
}

}  // namespace

class TestCompareModel : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void schemaChangesInWords_data()
    {
        QTest::addColumn<QByteArray>("left");
        QTest::addColumn<QByteArray>("right");
        QTest::addColumn<QString>("words");
        const auto row = [](const char *name, const char *left, const char *right, QStringView words) {
            QTest::newRow(name) << QByteArray(left) << QByteArray(right) << words.toString();
        };
        row("parameter added", "{'properties':{}}", "{'properties':{'b':{}}}", u"parameter “b” added");
        row("parameter gone", "{'properties':{'a':{},'b':{}}}", "{'properties':{'a':{}}}", u"parameter “b” removed");
        row("required", "{'required':['a']}", "{'required':['a','b']}", u"now required: b");
        row("no longer required", "{'required':['a','b']}", "{'required':['a']}", u"no longer required: b");
        row("both", "{'required':['a']}", "{'required':['b']}", u"now required: b; no longer required: a");
        row("order", "{'required':['a','b']}", "{'required':['b','a']}", u"order changed");
        row("type", "{'properties':{'a':{'type':'integer'}}}", "{'properties':{'a':{'type':'string'}}}",
            u"“a”: type: integer → string");
        row("choice", "{'properties':{'a':{'enum':['x','y']}}}", "{'properties':{'a':{'enum':['x']}}}",
            u"“a”: values removed: y");
        row("deep", "{'properties':{'a':{'items':{'properties':{'b':{'maxLength':3}}}}}}",
            "{'properties':{'a':{'items':{'properties':{'b':{}}}}}}", u"“a.[].b”: maxLength removed, was 3");
        row("described", "{'properties':{'a':{'description':'x'}}}", "{'properties':{'a':{'description':'y'}}}",
            u"“a”: description changed");
        row("deeper than words", "{'anyOf':[{'type':'null'}]}", "{'anyOf':[{'type':'string'}]}",
            u"anyOf.0.type: null → string");
    }
    void schemaChangesInWords()
    {
        QFETCH(QByteArray, left);
        QFETCH(QByteArray, right);
        const auto tool = [](const QByteArray &schema) {
            return "[{\"name\":\"t\",\"inputSchema\":" + QByteArray(schema).replace('\'', '"') + "}]";
        };
        const auto sides = compared(side(u"l"_s, tool(left)), side(u"r"_s, tool(right)));
        QCOMPARE(sides->entries.size(), 1);
        QCOMPARE(sides->entries[0].changes.size(), 1);
        QTEST(sides->entries[0].changes[0].words, "words");
    }

    void groupsAndWords()
    {
        const auto sides =
            compared(side(u"l"_s,
                          "[{\"name\":\"gone\"},{\"name\":\"echo\",\"description\":\"a\",\"inputSchema\":{\"required\":"
                          "[\"a\"]}}]",
                          "{\"protocolVersion\":\"1\",\"capabilities\":{\"logging\":{},\"tools\":{}}}",
                          "{\"program\":\"/a/b\",\"variables\":{\"PATH\":\"/bin:/usr/"
                          "bin\",\"T\":\"‹t›\"},\"arguments\":[\"x\"]}"),
                     side(u"r"_s,
                          "[{\"name\":\"new\"},{\"name\":\"echo\",\"description\":\"b\",\"inputSchema\":{\"required\":["
                          "\"a\",\"b\"]}}]",
                          "{\"protocolVersion\":\"2\",\"capabilities\":{\"tools\":{\"listChanged\":true}}}",
                          "{\"program\":\"/a/c\",\"variables\":{\"PATH\":\"/bin:/opt/"
                          "x\",\"T\":\"‹t›\"},\"arguments\":[\"x\",\"y\"]}"));
        CompareModel model;
        const QAbstractItemModelTester tester(&model);
        model.setSides(sides);
        const QStringList all{u"[Handshake 1]"_s,
                              u"Protocol revision | 1 → 2 | ? unclear"_s,
                              u"[Environment 3]"_s,
                              u"Program | /a/b → /a/c | ≠ differs"_s,
                              u"Variable PATH | only after: /opt/x; only before: /usr/bin | ≠ differs"_s,
                              u"Arguments | argument 2 added: y | ≠ differs"_s,
                              u"[Capabilities 2]"_s,
                              u"logging | only before: {} | ✕ breaking"_s,
                              u"tools | listChanged added: true | ✓ harmless"_s,
                              u"[Tools 3]"_s,
                              u"gone | removed | ✕ breaking"_s,
                              u"echo | now required: b · description changed | ✕ breaking"_s,
                              u"new | added | ✓ harmless"_s,
                              u"[Not compared 1]"_s,
                              u"/variables/T: redacted in the session; cannot be compared. |  | ◆ unknown"_s};
        QCOMPARE(rowsOf(model), all);
        QCOMPARE(sides->breaking(), 3);
        QCOMPARE(sides->started(), 3);
        QCOMPARE(sides->count(CompareEntry::Kind::Added), 1);
        QCOMPARE(sides->count(CompareEntry::Kind::Removed), 2);

        // Folded away, and found all the same.
        model.toggle(model.index(2));
        QCOMPARE(rowsOf(model).size(), all.size() - 3);
        QCOMPARE(rowsOf(model)[2], all[2]);
        model.setFilter(u"opt/X"_s);
        QCOMPARE(rowsOf(model), (QStringList{u"[Environment 1]"_s, all[4]}));
        model.setFilter(u"tools break"_s);
        QCOMPARE(rowsOf(model), (QStringList{u"[Tools 2]"_s, all[10], all[11]}));
        model.setFilter({});
        model.setBreakingOnly(true);
        QCOMPARE(rowsOf(model), (QStringList{u"[Capabilities 1]"_s, all[7], u"[Tools 2]"_s, all[10], all[11]}));
        model.setBreakingOnly(false);
        model.toggle(model.index(2));
        QCOMPARE(rowsOf(model), all);

        // The same thing is found again in another comparison.
        const CompareEntry echo = *model.entry(model.index(11));
        model.setSides(
            compared(side(u"l"_s, "[{\"name\":\"echo\",\"title\":\"a\"}]"), side(u"r"_s, "[{\"name\":\"echo\"}]")));
        QCOMPARE(model.indexOf(echo).row(), 1);
        QCOMPARE(model.firstEntry().row(), 1);
        model.setSides({});
        QCOMPARE(model.rowCount(), 0);
        QVERIFY(!model.indexOf(echo).isValid());
    }

    void namesOfServersAreMadeSafe()
    {
        const auto sides =
            compared(side(u"l"_s, "[{\"name\":\"a\\u202eb\\n\",\"description\":\"\\u001b[0m\"}]"),
                     side(u"r"_s, "[{\"name\":\"a\\u202eb\\n\",\"inputSchema\":{\"x\\u0007y\":\"\\u200b\"}}]"));
        CompareModel model;
        model.setSides(sides);
        const QString text = rowsOf(model).join(QString()) + model.index(1).data(Qt::AccessibleTextRole).toString();
        for (const char16_t bad : {u'\u202e', u'\n', u'\u001b', u'\u0007', u'\u200b'})
            QVERIFY2(!text.contains(QChar(bad)), qPrintable(text));
    }

    void cancelledMeansNothing()
    {
        const auto cancelled = std::make_shared<std::atomic_bool>(true);
        QVERIFY(!compareSides(side(u"l"_s, "[]"), side(u"r"_s, "[]"), cancelled));
    }

    void aFileThatIsNoSessionSaysSo()
    {
        CompareSide left = side(u"l"_s, "[]");
        left.path = u"/nowhere/s.mcpsession"_s;
        const auto sides = compared(left, side(u"r"_s, "[]"));
        QVERIFY(sides->error && sides->left.error && !sides->right.error);
        QVERIFY(sides->entries.isEmpty());
    }
};

SONDE_TEST(TestCompareModel)
#include "tst_comparemodel.moc"
