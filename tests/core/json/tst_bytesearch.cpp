// Words in bytes, against the plainest way of looking for them.
// SPDX-License-Identifier: Apache-2.0
#include "core/json/bytesearch.h"
#include "tests/support/testregistry.h"

#include <QRandomGenerator>
#include <QTest>

using namespace sonde;

class ByteSearchTest : public QObject {
    Q_OBJECT

private:
    static QByteArray lower(QByteArray text)
    {
        for (char &c : text)
            c = c >= 'A' && c <= 'Z' ? char(c + 32) : c;
        return text;
    }

private Q_SLOTS:
    void words_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("word");
        QTest::addColumn<qsizetype>("place");
        const QByteArray letters =
            "{\"method\":\"tools/CALL\",\"name\":\"Gr\xC3\xB6\xC3\x9F"
            "e\"}";
        QTest::addRow("either case") << letters << QByteArray("Tools/call") << qsizetype(11);
        QTest::addRow("first") << letters << QByteArray("{") << qsizetype(0);
        QTest::addRow("last") << letters << QByteArray("}") << letters.size() - 1;
        QTest::addRow("whole") << letters << letters << qsizetype(0);
        QTest::addRow("longer than the text") << letters << letters + '}' << qsizetype(-1);
        QTest::addRow("beyond ASCII as it is") << letters << QByteArray("gR\xC3\xB6") << letters.indexOf("Gr");
        QTest::addRow("no folding beyond ASCII") << letters << QByteArray("gr\xC3\x96") << qsizetype(-1);
        QTest::addRow("empty") << letters << QByteArray() << qsizetype(0);
        QTest::addRow("in nothing") << QByteArray() << QByteArray("a") << qsizetype(-1);
        QTest::addRow("@ is no upper `") << QByteArray(40, '@') << QByteArray("`") << qsizetype(-1);
        QTest::addRow("[ is no upper {") << QByteArray(40, '[') << QByteArray("{") << qsizetype(-1);
        QTest::addRow("zeros") << QByteArray(40, '\0') + "a" << QByteArray("\0a", 2) << qsizetype(39);
    }

    void words()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, word);
        QTEST(CaseInsensitiveMatcher(word).indexIn(text), "place");
    }

    void inNoTextAtAll()
    {
        QCOMPARE(CaseInsensitiveMatcher("ab").indexIn(QByteArrayView()), -1);
        QCOMPARE(CaseInsensitiveMatcher("").indexIn(QByteArrayView()), 0);
    }

    // Few different letters, so that there are many near misses, at every distance from the ends of blocks.
    void random()
    {
        QRandomGenerator random(7);
        const QByteArray letters = "aAbB\"\\:\xC3";
        int found = 0;
        for (int round = 0; round < 20000; ++round) {
            QByteArray text(random.bounded(120), Qt::Uninitialized);
            for (char &c : text)
                c = letters.at(random.bounded(int(letters.size())));
            QByteArray word(1 + random.bounded(5), Qt::Uninitialized);
            for (char &c : word)
                c = letters.at(random.bounded(int(letters.size())));
            const qsizetype from = random.bounded(int(text.size()) + 1);
            const qsizetype expected = lower(text).indexOf(lower(word), from);
            QCOMPARE(CaseInsensitiveMatcher(word).indexIn(text, from), expected);
            found += expected >= 0 ? 1 : 0;
        }
        QVERIFY(found > 2000 && found < 18000);
    }
};

SONDE_TEST(ByteSearchTest)
#include "tst_bytesearch.moc"
