// A secret is found however a library has written it, among however many others, and at a bounded cost.
// SPDX-License-Identifier: Apache-2.0
#include "core/json/builder.h"
#include "core/redact/redactor.h"
#include "tests/support/sessionscript.h"
#include "tests/support/testregistry.h"

#include <QElapsedTimer>
#include <QRandomGenerator>
#include <QTest>

using namespace sonde;
using namespace sonde::test;
using namespace Qt::StringLiterals;

namespace {

// The inside of a JSON string, with those characters as \uXXXX; all of them when none are given.
QByteArray escaped(const QString &text, const QString &characters, bool upper = false)
{
    QByteArray out;
    for (const QChar c : text) {
        const bool isForced = characters.isEmpty() || characters.contains(c);
        if (isForced) {
            const QByteArray digits = QByteArray::number(c.unicode(), 16).rightJustified(4, '0');
            out += "\\u" + (upper ? digits.toUpper() : digits);
        } else {
            out += json::quoted(QStringView(&c, 1)).chopped(1).sliced(1);
        }
    }
    return out;
}

QByteArray inside(const QByteArray &text)
{
    return json::quoted(QString::fromUtf8(text)).chopped(1).sliced(1);
}

QByteArray redacted(Redactor &redactor, QByteArray text)
{
    QList<RedactionMark> marks;
    redactor.redactPayload(text, marks);
    return text;
}

QByteArray randomWord(QRandomGenerator &random, int length)
{
    static constexpr char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789";
    QByteArray word;
    for (int i = 0; i < length; ++i)
        word.append(letters[random.bounded(36)]);
    return word;
}

}  // namespace

class SpellingsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void ofEveryLibrary_data()
    {
        QTest::addColumn<QByteArray>("spelling");  // within a JSON string
        const QString secret = Secret;
        const QByteArray base64 = secret.toUtf8().toBase64();
        const auto row = [](const char *name, const QByteArray &spelling) { QTest::newRow(name) << spelling; };
        row("Go", escaped(secret, u"&<>"_s));
        row(".NET", escaped(secret, u"&<>+'`\"\u00e9"_s, true));
        row("PHP", QByteArray(inside(secret.toUtf8())).replace("/", "\\/"));
        row("every character", escaped(secret, {}));
        row("every character, upper case", escaped(secret, {}, true));
        row("Go in a string", inside(escaped(secret, u"&<>"_s)));
        row("Go in a string, by Go", inside(escaped(secret, u"&<>"_s)).replace("\\\\u0026", "\\u005cu0026"));
        row("every character, three times", inside(inside(escaped(secret, {}))));
        row("percent, mixed case", QByteArray(secret.toUtf8().toPercentEncoding()).replace("%3C", "%3c"));
        row("percent, every character", percent(secret.toUtf8()));
        row("percent twice", secret.toUtf8().toPercentEncoding().toPercentEncoding());
        row("percent, its signs escaped", secret.toUtf8().toPercentEncoding().replace("%", "\\u0025"));
        row("JSON in an address", escaped(secret, u"&<>"_s).toPercentEncoding());
        row("base64, slashes escaped", QByteArray(base64).replace("/", "\\/"));
        row("base64 by .NET", QByteArray(base64).replace("+", "\\u002B"));
        row("base64 in an address", base64.toPercentEncoding());
        row("hexadecimal", secret.toUtf8().toHex());
        row("hexadecimal, upper case", secret.toUtf8().toHex().toUpper());
        row("base64, every character", escaped(QString::fromLatin1(base64), {}));
    }
    void ofEveryLibrary()
    {
        QFETCH(const QByteArray, spelling);
        Redactor redactor("key");
        redactor.addSecret(Secret.toUtf8());
        const QByteArray json =
            QByteArray(R"({"jsonrpc":"2.0","method":"n","params":{"a":"you said WORD x"}})").replace("WORD", spelling);
        QVERIFY(json::Document::parse(json).isValid());
        const QByteArray masked = redacted(redactor, json);
        QVERIFY2(json::Document::parse(masked).isValid(), masked.constData());
        const QString said = json::parse(masked)[u"params"][u"a"].string();
        QVERIFY2(said.startsWith(u"you said ‹secret:"_s), masked.constData());
        // Of base64 the characters that belong to its neighbours too may stay.
        QVERIFY2(said.endsWith(u" x"_s) && said.size() < 40, masked.constData());
        // A log says it without being JSON itself.
        const QByteArray log = redacted(redactor, "12:00 sent <" + spelling + '>');
        QVERIFY2(log.contains("secret:") && log.size() < 70, log.constData());
    }

    // Any of the ways, one within the other.
    void inLayers()
    {
        QRandomGenerator random(4711);
        const QString characters = u"abcXYZ019+/=&<>'\"\\` %é€😀\n\t"_s;
        for (int round = 0; round < 3000; ++round) {
            QString secret;
            while (secret.size() < 8 || secret.back().isHighSurrogate())
                secret += characters.at(random.bounded(int(characters.size())));
            if (secret.toUcs4().contains(0xFFFD) || QString::fromUtf8(secret.toUtf8()) != secret)
                continue;
            Redactor redactor("key");
            redactor.addWord(secret.toUtf8());
            QByteArray text = "before " + secret.toUtf8() + " after";
            for (int layer = 0, layers = int(random.bounded(3)); layer < layers; ++layer) {
                if (random.bounded(2) == 0)
                    text = random.bounded(2) == 0 ? percent(text) : text.toPercentEncoding("/");
                else
                    text = escaped(QString::fromUtf8(text), random.bounded(2) == 0 ? u"&<+"_s : QString());
            }
            const QByteArray masked = redacted(redactor, "[\"" + escaped(QString::fromUtf8(text), u"&<>"_s) + "\"]");
            QVERIFY2(masked.contains("secret:") && redacted(redactor, masked) == masked,
                     (secret.toUtf8() + " in " + text + " gave " + masked).constData());
        }
    }

    // Each is found, also where one begins like another or is a part of it.
    void amongOthers()
    {
        QRandomGenerator random(815);
        Redactor redactor("key");
        QList<QByteArray> secrets;
        for (int i = 0; i < 1500; ++i) {
            const QByteArray beginning =
                i % 3 == 0 ? QByteArray() : secrets.at(int(random.bounded(i))).left(int(random.bounded(12)));
            secrets.append(beginning + randomWord(random, 4 + int(random.bounded(20))));
            redactor.addWord(secrets.last());
        }
        for (const QByteArray &secret : std::as_const(secrets)) {
            const QByteArray masked = redacted(redactor, "[\" " + secret + " \"]");
            QVERIFY2(masked.startsWith("[\" \xE2\x80\xB9") && masked.endsWith("\xE2\x80\xBA \"]"), masked.constData());
        }
    }

    void whatIsDeclaredIsNeverTooMuch()
    {
        Redactor redactor("key");
        for (int i = 0; i < 2000; ++i)
            redactor.addSecret("declared-" + QByteArray::number(100'000 + i));
        QVERIFY(!redacted(redactor, "[\"declared-100000 declared-101999\"]").contains("declared"));
    }

    // A server may set any number of cookies. Only the oldest of them are forgotten, and nothing that was declared.
    void whatIsLearnedGivesWay()
    {
        Redactor redactor("key");
        redactor.addSecret("declared-at-first");
        const auto cookie = [](int i) { return "cookie-value-" + QByteArray::number(100'000 + i); };
        const auto see = [&](int i) {
            QList<RedactionMark> marks;
            redactor.redactFacts(json::Document::parse(R"({"headers":[["Set-Cookie","a=)" + cookie(i) + R"("]]})"),
                                 marks);
        };
        see(0);
        for (int i = 1; i < 1200; ++i) {
            see(i);
            see(0);  // in use all the time
            QVERIFY(!redacted(redactor, cookie(i)).contains("cookie-value"));
        }
        redactor.addSecret("declared-at-last");
        for (const QByteArray &text :
             {QByteArray("declared-at-first"), QByteArray("declared-at-last"), cookie(0), cookie(1100)})
            QVERIFY2(redacted(redactor, text).contains("\xE2\x80\xB9"), text.constData());
    }

    // What they have in common is looked at once, and not for each of them.
    void manyThatBeginAlike()
    {
        const QByteArray common(24, 'a');
        const auto costOf = [&common](int count) {
            Redactor redactor("key");
            for (int i = 0; i < count; ++i)
                redactor.addWord(common + QByteArray::number(100'000 + 7919 * i));
            qint64 best = std::numeric_limits<qint64>::max();
            for (int round = 0; round < 3; ++round) {
                QByteArray text = "{\"x\":\"" + QByteArray(100'000, 'a') + "\"}";
                QList<RedactionMark> marks;
                QElapsedTimer timer;
                timer.start();
                redactor.redactPayload(text, marks);
                best = qMin(best, timer.nsecsElapsed());
            }
            return best;
        };
        const qint64 few = costOf(10);
        const qint64 many = costOf(1000);
        QVERIFY2(many < 15 * few, qPrintable(u"%1 ns for ten, %2 ns for a thousand"_s.arg(few).arg(many)));
    }

    void longOnesThatRepeatThemselves()
    {
        Redactor redactor("key");
        redactor.addWord(QByteArray(60'000, 'a') + 'b');
        QElapsedTimer timer;
        timer.start();
        const QByteArray masked = redacted(redactor, QByteArray(2'000'000, 'a'));
        QVERIFY(masked.size() < 10'000);  // thousands of its bytes are as good as all of it
        QVERIFY(timer.elapsed() < Patience);
    }

    // What stands behind a flag that speaks of a secret is one, whatever it looks like.
    void flags_data()
    {
        QTest::addColumn<QByteArray>("words");
        QTest::addColumn<QByteArray>("secret");
        QTest::addColumn<QByteArray>("kept");
        QTest::newRow("a dash") << QByteArray(R"("--secret","-CANARY-12345678")") << QByteArray("CANARY")
                                << QByteArray("--secret");
        QTest::newRow("two dashes") << QByteArray(R"("--secret","--CANARY-123")") << QByteArray("CANARY")
                                    << QByteArray("--secret");
        QTest::newRow("and an equals sign")
            << QByteArray(R"("--secret","-x=CANARY")") << QByteArray("CANARY") << QByteArray("--secret");
        QTest::newRow("two flags") << QByteArray(R"("--auth","--token","CANARY12")") << QByteArray("CANARY")
                                   << QByteArray("--auth");
        QTest::newRow("pass") << QByteArray(R"("--pass","CANARY","--port","80")") << QByteArray("CANARY")
                              << QByteArray(R"("--port","80")");
        QTest::newRow("a word of it") << QByteArray(R"("--db-pass","CANARY")") << QByteArray("CANARY")
                                      << QByteArray("--db-pass");
        QTest::newRow("joined") << QByteArray(R"("--db_pass=CANARY")") << QByteArray("CANARY")
                                << QByteArray("--db_pass=");
        QTest::newRow("none") << QByteArray(R"("--passive","yes","--verbose","-v")") << QByteArray("CANARY")
                              << QByteArray(R"("--passive","yes","--verbose","-v")");
    }
    void flags()
    {
        QFETCH(const QByteArray, words);
        QFETCH(const QByteArray, secret);
        QFETCH(const QByteArray, kept);
        Redactor redactor("key");
        QList<RedactionMark> marks;
        const QByteArray facts =
            redactor.redactFacts(json::Document::parse("{\"argv\":[\"server\"," + words + "]}"), marks);
        QVERIFY2(!facts.contains(secret) && facts.contains(kept), facts.constData());
    }

private:
    static QByteArray percent(const QByteArray &bytes) { return '%' + bytes.toHex('%'); }

    static const QString Secret;
};

const QString SpellingsTest::Secret = u"Tr0ub4dor&3<x>+z'\"/~~~>>>?>?é`"_s;

SONDE_TEST(SpellingsTest)

#include "tst_spellings.moc"
