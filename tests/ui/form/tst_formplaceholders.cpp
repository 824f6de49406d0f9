// Arguments of a saved call: a placeholder is whatever the place asks for.
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/testregistry.h"
#include "tests/ui/form/formfixture.h"

#include <QLineEdit>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace sonde;

class TestFormPlaceholders : public QObject, protected test::FormFixture {
    Q_OBJECT

    static QByteArray schema()
    {
        return R"({"type":"object","properties":{"port":{"type":"integer"},"on":{"type":"boolean"},)"
               R"("when":{"type":"string","format":"date"},"level":{"enum":["low","high"]},)"
               R"("ids":{"type":"array","items":{"type":"number"}},)"
               R"("any":{"anyOf":[{"type":"integer"},{"type":"object","properties":{"x":{"type":"string"}}}]}}})";
    }
    QStringList wrongPlaces() const
    {
        QStringList places;
        const QList<ui::FormIssue> issues = m_form->issues();
        for (const ui::FormIssue &issue : issues)
            places.append(issue.place.toString());
        places.removeDuplicates();
        return places;
    }
    void retype(const QString &name, const QString &text) const
    {
        find<QLineEdit>(name)->selectAll();
        type(name, text);
    }

private Q_SLOTS:
    void init() { begin(); }
    void cleanup() { end(); }

    void placeholdersAreNoProblem()
    {
        m_form->setTakesPlaceholders();
        const QByteArray value =
            R"({"port":"${env:PORT}","on":"${env:ON}","when":"${calls.first.result/day}","level":"${env:LEVEL}",)"
            R"("ids":["${keychain:ID}",2],"any":"${env:ANY}"})";
        open(schema(), value);
        QCOMPARE(wrongPlaces(), QStringList());
        QCOMPARE(m_form->value(), value);
        // A number has its own field, as without one.
        QCOMPARE(find<QLineEdit>(u"field:/port"_s)->text(), u"${env:PORT}"_s);
        // What only looks like one is what was typed.
        retype(u"field:/port"_s, u"${env:}"_s);
        QCOMPARE(wrongPlaces(), QStringList{u"/port"_s});
        retype(u"field:/port"_s, u"1${env:PORT}"_s);  // with other characters it is a string
        QCOMPARE(wrongPlaces(), QStringList{u"/port"_s});
        retype(u"field:/port"_s, u"${env:PORT}"_s);
        QCOMPARE(wrongPlaces(), QStringList());
    }

    void elsewhereTheyAreText()
    {
        open(schema(), R"({"port":"${env:PORT}"})");
        QCOMPARE(wrongPlaces(), QStringList{u"/port"_s});
    }
};

SONDE_TEST(TestFormPlaceholders)
#include "tst_formplaceholders.moc"
