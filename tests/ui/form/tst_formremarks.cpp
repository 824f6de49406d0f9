// What the form says of a value that a server may take all the same, and what it takes itself.
// SPDX-License-Identifier: Apache-2.0
#include "core/json/document.h"
#include "tests/support/testregistry.h"
#include "tests/ui/form/formfixture.h"

#include <QApplication>
#include <QCheckBox>
#include <QLabel>
#include <QLineEdit>
#include <QTest>

using namespace Qt::StringLiterals;
using sonde::test::FormFixture;
using sonde::ui::FormIssue;

class TestFormRemarks : public QObject, FormFixture {
    Q_OBJECT

private Q_SLOTS:
    void init() { begin(); }
    void cleanup() { end(); }

    void aFormatIsARemark()
    {
        open(R"({"type":"object","properties":{"at":{"type":"string","format":"date"},)"
             R"("n":{"type":"integer","maximum":5}}})",
             R"({"at":"tomorrow","n":7})");
        QTRY_COMPARE(issueAt(u"/at"_s), u"◆ should be a date such as 2026-01-31"_s);
        QCOMPARE(issueAt(u"/n"_s), u"▲ must be at most 5"_s);
        const QList<FormIssue> issues = m_form->knownIssues();
        QCOMPARE(issues.size(), 2);
        QVERIFY(issues.at(0).isRemark);
        QVERIFY(!issues.at(1).isRemark);
        QCOMPARE(m_form->value(), R"({"at":"tomorrow","n":7})"_ba);
    }

    void whatIsWrongComesBeforeARemark()
    {
        open(R"({"type":"object","properties":{"at":{"type":"string","format":"date","maxLength":3}}})",
             R"({"at":"tomorrow"})");
        QTRY_COMPARE(issueAt(u"/at"_s), u"▲ must have at most 3 characters, has 8"_s);
    }

    // Each of the two members has what is said of it.
    void aKeyThatOccursTwice()
    {
        open(R"({"type":"object","properties":{"t":{"type":"object","properties":{"low":{"type":"number"}},)"
             R"("additionalProperties":{"type":"number"}}}})",
             R"({"t":{"low":"x"}})");
        click(u"add:/t"_s);
        settle();
        QTest::keyClicks(QApplication::focusWidget(), u"low"_s);
        settle();
        auto *value = find<QLineEdit>(u"field:/t/low"_s);  // that of the first is a text of lines: it is no number
        QVERIFY(value);
        QTest::keyClicks(value, u"2"_s);
        QCOMPARE(m_form->value(), R"({"t":{"low":"x","low":2}})"_ba);
        const auto said = [this] {
            QStringList texts;
            const QList<QLabel *> labels = m_form->findChildren<QLabel *>(u"issue:/t/low"_s);
            for (const QLabel *label : labels) {
                const bool isOfRow = label->mapTo(m_form.get(), QPoint()).y() >
                                     find<QWidget>(u"rows:/t"_s)->mapTo(m_form.get(), QPoint()).y();
                if (label->isVisible())
                    texts.append((isOfRow ? u"row: "_s : u"field: "_s) + label->text().left(6));
            }
            texts.sort();
            return texts;
        };
        QTRY_COMPARE(said(), (QStringList{u"field: ▲ must"_s, u"row: ◆ Dupl"_s}));
        const QList<FormIssue> issues = m_form->knownIssues();
        for (const FormIssue &issue : issues)
            QCOMPARE(issue.path, (QList<qsizetype>{0, issue.isRemark ? 1 : 0}));
    }

    // Elicitation names the formats that it means.
    void aPersonIsHeldToFormats()
    {
        m_form->setForPerson();
        open(R"({"type":"object","properties":{"at":{"type":"string","format":"date"}}})", R"({"at":"tomorrow"})");
        QTRY_COMPARE(issueAt(u"/at"_s), u"▲ must be a date such as 2026-01-31"_s);
    }

    void nullableOfOpenApi()
    {
        open(R"({"type":"object","properties":{"a":{"type":"string","nullable":true},"b":{"type":"string"}}})",
             R"({"a":null,"b":null})");
        QTRY_COMPARE(issueAt(u"/b"_s), u"▲ must be a string"_s);
        QCOMPARE(issueAt(u"/a"_s), QString());
        QCOMPARE(m_form->knownIssues().size(), 1);
    }

    void aListOfUniqueConstantsIsChecked()
    {
        open(R"({"type":"object","properties":{"days":{"type":"array","uniqueItems":true,"items":{"anyOf":[)"
             R"({"enum":["mon"],"title":"Monday"},{"const":"tue","title":"Tuesday"},{"$ref":"#/$defs/w"}]}}},)"
             R"("$defs":{"w":{"const":"wed"}}})",
             R"({"days":["tue"]})");
        QList<QCheckBox *> boxes = m_form->findChildren<QCheckBox *>();
        boxes.removeIf([](const QCheckBox *box) { return !box->isVisible(); });
        QCOMPARE(boxes.size(), 3);
        QVERIFY(boxes.at(1)->isChecked());
        QCOMPARE(boxes.at(0)->text(), u"Monday"_s);
        boxes.at(2)->click();
        QCOMPARE(m_form->value(), R"({"days":["tue","wed"]})"_ba);
    }
};

SONDE_TEST(TestFormRemarks)
#include "tst_formremarks.moc"
