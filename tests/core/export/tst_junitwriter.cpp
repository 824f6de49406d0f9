// JUnit's XML: what it counts, and texts that XML cannot hold.
// SPDX-License-Identifier: Apache-2.0
#include "core/export/junitwriter.h"
#include "tests/support/testregistry.h"

#include <QTest>
#include <QXmlStreamReader>

using namespace Qt::StringLiterals;
using namespace sonde;

class tst_JUnitWriter : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void problemsAreCounted()
    {
        using Kind = JUnitProblem::Kind;
        JUnitSuite suite{u"all"_s};
        suite.cases.append(JUnitCase{u"c"_s, u"passed"_s, 1'500'000});
        suite.cases.append(
            JUnitCase{u"c"_s, u"failed"_s, -1, {JUnitProblem{Kind::Failure, u"why"_s, u"more"_s, u"changed"_s}}});
        suite.cases.append(
            JUnitCase{u"c"_s, u"both"_s, -1, {JUnitProblem{Kind::Error, u"a"_s}, JUnitProblem{Kind::Failure, u"b"_s}}});
        suite.cases.append(JUnitCase{u"c"_s, u"skipped"_s, -1, {JUnitProblem{Kind::Skipped}}, u"said"_s});
        suite.durationNs = 2'000'000'000;
        suite.errorOutput = u"last words"_s;
        const QByteArray xml = junitXml({suite, JUnitSuite{u"none"_s}});
        QVERIFY2(xml.contains("<testsuite name=\"all\" tests=\"4\" failures=\"2\" errors=\"1\" skipped=\"1\" "
                              "time=\"2.000000\">"),
                 xml.constData());
        for (const QByteArray &part :
             {"<testcase classname=\"c\" name=\"passed\" time=\"0.001500\"/>"_ba,
              "<failure message=\"why\" type=\"changed\">more</failure>"_ba, "<skipped/>"_ba,
              "<system-out>said</system-out>"_ba, "<system-err>last words</system-err>"_ba,
              "<testsuite name=\"none\" tests=\"0\" failures=\"0\" errors=\"0\" skipped=\"0\"/>"_ba})
            QVERIFY2(xml.contains(part), xml.constData());
    }

    void whatXmlCannotHoldIsVisible()
    {
        const QString hostile = u"]]> <a&b> \u001b[31m \u0001 \uFFFE \uFFFF \u202e \" \xD800"_s;
        const JUnitProblem problem{JUnitProblem::Kind::Error, hostile, hostile};
        const JUnitCase failed{hostile, hostile, -1, {problem}, hostile};
        const QByteArray xml = junitXml({JUnitSuite{hostile, {failed}, -1, hostile}});
        QXmlStreamReader reader(xml);
        QString all;
        while (!reader.atEnd()) {
            reader.readNext();
            all += reader.text();
            const QXmlStreamAttributes attributes = reader.attributes();
            for (const QXmlStreamAttribute &attribute : attributes)
                all += attribute.value();
        }
        QVERIFY2(!reader.hasError(), qPrintable(reader.errorString()));
        for (const QString &part : {u"<a&b>"_s, u"‹ESC›"_s, u"‹U+FFFE›"_s, u"‹U+FFFF›"_s, u"‹U+202E›"_s})
            QVERIFY2(all.count(part) >= 7, qPrintable(part + u": "_s + all));
    }
};

SONDE_TEST(tst_JUnitWriter)
#include "tst_junitwriter.moc"
