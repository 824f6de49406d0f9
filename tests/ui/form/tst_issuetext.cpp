// Where a problem of the arguments is, said in words rather than as a pointer.
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/testregistry.h"
#include "ui/form/draft.h"
#include "ui/form/hints.h"
#include "ui/form/issuetext.h"
#include "ui/form/schemaform.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace sonde;
using namespace sonde::ui;

class TestIssueText : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void itemsAreCountedFromOne()
    {
        const json::Value root = json::parse(R"({"objs":[{"0":[1]},{}]})");
        const auto words = [&root](const QString &pointer) {
            return placeWords(root, *json::Pointer::fromString(pointer));
        };
        QCOMPARE(words(u"/objs/1/name"_s), (QStringList{u"objs"_s, u"item 2"_s, u"name"_s}));
        QCOMPARE(words(u"/objs/0/0/0"_s), (QStringList{u"objs"_s, u"item 1"_s, u"0"_s, u"item 1"_s}));
        QCOMPARE(words({}), QStringList());
    }

    void aDraftSaysTheSame()
    {
        const Draft::Ptr root = Draft::make(R"({"objs":[{"a":1},{"name":"x"}]})");
        const Draft::Ptr item = root->member(u"objs"_s)->items().at(1);
        QCOMPARE(placeWords(*item->member(u"name"_s)), (QStringList{u"objs"_s, u"item 2"_s, u"name"_s}));
        QCOMPARE(placeWords(*root), QStringList());
    }

    void messagesGoOnFromThePlace()
    {
        QCOMPARE(issueText({u"name"_s}, u"is required"_s), u"“name” is required"_s);
        QCOMPARE(issueText({u"objs"_s, u"item 40"_s, u"name"_s}, u"must be at most 3"_s),
                 u"“objs, item 40, name” must be at most 3"_s);
        QCOMPARE(issueText({}, u"Give either id or slug"_s), u"Give either id or slug"_s);
        QCOMPARE(issueText({u"filter"_s}, u"Give either id or slug"_s), u"filter: Give either id or slug"_s);
    }

    // The field itself is always named.
    void aLongPathBeginsLater()
    {
        const QStringList words{u"channel"_s, u"blocks"_s, u"item 1"_s, u"text"_s};
        QCOMPARE(placeText(words, 80), u"channel, blocks, item 1, text"_s);
        QCOMPARE(placeText(words, 26), u"…, blocks, item 1, text"_s);
        QCOMPARE(placeText(words, 5), u"…, text"_s);
        QCOMPARE(placeText({u"a, b"_s, {}}, 30), u"a, b, \"\""_s);
        QCOMPARE(placeText({}, 30), QString());
    }

    void issuesOfAFormHaveTheirWords()
    {
        SchemaForm form;
        form.setSchema(json::parse(
            R"({"type":"object","properties":{"objs":{"type":"array","items":{"type":"object","required":["name"]}}}})"));
        form.setValue(json::parse(R"({"objs":[{"name":1},{}]})"));
        const QList<FormIssue> issues = form.issues();
        QCOMPARE(issues.size(), 1);
        QCOMPARE(issues.first().words, (QStringList{u"objs"_s, u"item 2"_s, u"name"_s}));
    }

    void oneOfSeveral_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("one");
        QTest::newRow("charts") << u"charts"_s << u"chart"_s;
        QTest::newRow("entries") << u"entries"_s << u"entry"_s;
        QTest::newRow("branches") << u"branches"_s << u"branch"_s;
        QTest::newRow("addresses") << u"addresses"_s << u"address"_s;
        for (const QString &name : {u"logit_bias"_s, u"status"_s, u"analysis"_s, u"class"_s, u"data"_s})
            QTest::newRow(qPrintable(name)) << name << QString();
    }
    void oneOfSeveral()
    {
        QFETCH(QString, name);
        QFETCH(QString, one);
        QCOMPARE(singular(name), one);
    }
};

SONDE_TEST(TestIssueText)
#include "tst_issuetext.moc"
