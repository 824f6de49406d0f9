// SPDX-License-Identifier: Apache-2.0
#include "tests/support/testregistry.h"
#include "ui/result/outcometext.h"

#include <QSet>
#include <QTest>

using namespace Qt::StringLiterals;

namespace sonde::ui {

class TestOutcomeText : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyOutcomeLooksDifferent()
    {
        QSet<QString> signs;
        QSet<int> tones;
        QSet<QString> titles;
        for (const auto kind :
             {Outcome::Kind::Ok, Outcome::Kind::ToolError, Outcome::Kind::ProtocolError, Outcome::Kind::NoResponse}) {
            Outcome outcome;
            outcome.kind = kind;
            outcome.error.code = -32602;
            signs.insert(badgeText(outcome).left(1));
            tones.insert(int(toneOf(kind)));
            titles.insert(titleOf(outcome));
        }
        signs.insert(sign(Tone::Finding));
        tones.insert(int(Tone::Finding));
        QCOMPARE(signs, (QSet<QString>{u"✓"_s, u"▲"_s, u"✕"_s, u"⊘"_s, u"◆"_s}));
        QCOMPARE(tones.size(), 5);
        QCOMPARE(titles.size(), 4);
    }

    void toolErrorSaysExactlyThat()
    {
        Outcome outcome;
        outcome.kind = Outcome::Kind::ToolError;
        QCOMPARE(titleOf(outcome), u"The tool ran and reported a failure (isError: true)."_s);
        QCOMPARE(explanationOf(outcome), u"Not a protocol error. The model sees this text."_s);
    }

    void protocolErrorNamesCodeAndMeaning()
    {
        Outcome outcome;
        outcome.kind = Outcome::Kind::ProtocolError;
        outcome.error.code = -32601;
        QCOMPARE(badgeText(outcome), u"✕ -32601"_s);
        QVERIFY(titleOf(outcome).contains(u"-32601: Method not found"_s, Qt::CaseInsensitive));
        QVERIFY(!titleOf(outcome).contains(u".."_s));
        outcome.error.code = 17;
        QVERIFY(titleOf(outcome).contains(u"17"_s));
    }

    void anHttpStatusIsShown()
    {
        Outcome outcome;
        outcome.error = {Error::Kind::Transport, 404, u"x"_s, {}, {}, {}, Error::Reason::HttpStatus};
        QCOMPARE(badgeText(outcome), u"⊘ HTTP 404"_s);
        QVERIFY(titleOf(outcome).contains(u"HTTP 404"));
        outcome.error = {Error::Kind::Auth, 401, u"x"_s, {}, {}, {}, Error::Reason::HttpStatus};
        QCOMPARE(badgeText(outcome), u"⊘ HTTP 401"_s);
        QCOMPARE(badgeText(RowOutcome::NoResponse, 500), u"⊘ HTTP 500"_s);
        QCOMPARE(badgeText(RowOutcome::NoResponse), u"⊘ no response"_s);
        QCOMPARE(badgeText(RowOutcome::InputRequired), u"? input required"_s);
        QCOMPARE(toneOf(RowOutcome::InputRequired), Tone::Asks);
    }

    void noResponseSaysWhy()
    {
        QSet<QString> badges;
        for (const auto kind : {Error::Kind::Timeout, Error::Kind::Cancelled, Error::Kind::Transport, Error::Kind::Auth,
                                Error::Kind::Protocol, Error::Kind::Local}) {
            Outcome outcome;
            outcome.error.kind = kind;
            outcome.error.message = u"because"_s;
            QVERIFY(badgeText(outcome).startsWith(u"⊘ "_s));
            // Said once: these say all there is to say.
            const bool isTitle =
                kind == Error::Kind::Cancelled || kind == Error::Kind::Timeout || kind == Error::Kind::Local;
            QCOMPARE(isTitle ? titleOf(outcome) : explanationOf(outcome), u"because"_s);
            QCOMPARE(explanationOf(outcome).isEmpty(), isTitle);
            badges.insert(badgeText(outcome));
        }
        QCOMPARE(badges.size(), 6);
    }

    void durations_data()
    {
        QTest::addColumn<qint64>("ns");
        QTest::addColumn<QString>("text");
        QTest::newRow("none") << qint64(-1) << QString();
        QTest::newRow("tiny") << qint64(23000) << u"0.02 ms"_s;
        QTest::newRow("small") << qint64(3100000) << u"3.1 ms"_s;
        QTest::newRow("hundreds") << qint64(412000000) << u"412 ms"_s;
        QTest::newRow("nearly a second") << qint64(999600000) << u"1.0 s"_s;
        QTest::newRow("seconds") << qint64(9204000000) << u"9.2 s"_s;
        QTest::newRow("nearly a minute") << qint64(59960000000) << u"1 min 00 s"_s;
        QTest::newRow("minutes") << qint64(65000000000) << u"1 min 05 s"_s;
    }

    void durations()
    {
        QFETCH(qint64, ns);
        QTEST(durationText(ns), "text");
    }

    void sizes_data()
    {
        QTest::addColumn<qint64>("bytes");
        QTest::addColumn<QString>("text");
        QTest::newRow("0") << qint64(0) << u"0 B"_s;
        QTest::newRow("999") << qint64(999) << u"999 B"_s;
        QTest::newRow("1300") << qint64(1300) << u"1.3 kB"_s;
        QTest::newRow("18000") << qint64(18000) << u"18 kB"_s;
        QTest::newRow("999900") << qint64(999900) << u"1.0 MB"_s;
        QTest::newRow("2.1 M") << qint64(2100000) << u"2.1 MB"_s;
        QTest::newRow("5 G") << qint64(5000000000) << u"5.0 GB"_s;
        QTest::newRow("5 T") << qint64(5000000000000) << u"5000 GB"_s;
    }

    void sizes()
    {
        QFETCH(qint64, bytes);
        QTEST(sizeText(bytes), "text");
    }
};

}  // namespace sonde::ui

using TestOutcomeText = sonde::ui::TestOutcomeText;
SONDE_TEST(TestOutcomeText)
#include "tst_outcometext.moc"
