// Base64, base32 and base16: the vectors of RFC 4648, and what is wrong with a text, and where.
// SPDX-License-Identifier: Apache-2.0
#include "core/schema/textencoding.h"
#include "tests/support/testregistry.h"

#include <QTest>

using namespace Qt::StringLiterals;
using sonde::schema::TextEncoding;

class TestTextEncoding : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void vectorsOfTheRfc_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArrayList>("texts");
        QTest::newRow("base64") << u"base64"_s
                                << QByteArrayList{"", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"};
        QTest::newRow("base32") << u"Base32"_s << QByteArrayList{"",         "MY======", "MZXQ====",        "MZXW6===",
                                                                 "MZXW6YQ=", "MZXW6YTB", "MZXW6YTBOI======"};
        QTest::newRow("base32hex") << u"base32hex"_s
                                   << QByteArrayList{"",         "CO======", "CPNG====",        "CPNMU===",
                                                     "CPNMUOG=", "CPNMUOJ1", "CPNMUOJ1E8======"};
        QTest::newRow("base16") << u"base16"_s
                                << QByteArrayList{"", "66", "666F", "666F6F", "666F6F62", "666F6F6261", "666F6F626172"};
    }
    void vectorsOfTheRfc()
    {
        QFETCH(QString, name);
        QFETCH(QByteArrayList, texts);
        const TextEncoding encoding = *TextEncoding::named(name);
        for (qsizetype size = 0; size < texts.size(); ++size) {
            const QByteArray bytes = QByteArrayLiteral("foobar").first(size);
            QCOMPARE(encoding.encoded(bytes), texts.at(size));
            const TextEncoding::Decoded decoded = encoding.decoded(QString::fromLatin1(texts.at(size)));
            QCOMPARE(decoded.problem, QString());
            QCOMPARE(decoded.bytes, bytes);
            QVERIFY(encoding.bytesIn(texts.at(size).size()) >= size);
        }
    }

    void everyByteComesBack()
    {
        QByteArray all;
        for (int byte = 0; byte < 256; ++byte)
            all += char(byte);
        for (const QString &name : {u"base64"_s, u"base64url"_s, u"base32"_s, u"base32hex"_s, u"base16"_s, u"hex"_s}) {
            const TextEncoding encoding = *TextEncoding::named(name);
            QCOMPARE(encoding.decoded(QString::fromLatin1(encoding.encoded(all))).bytes, all);
        }
        QCOMPARE(TextEncoding::named(u"base64"_s)->encoded(all), all.toBase64());
        QVERIFY(!TextEncoding::named(u"quoted-printable"_s));
        QVERIFY(!TextEncoding::named(QString()));
    }

    void whatIsWrongIsSaidWithItsPlace_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("problem");
        const auto row = [](const QString &name, const QString &text, const QString &problem) {
            QTest::addRow("%s %s", qPrintable(name), qPrintable(text)) << name << text << problem;
        };
        row(u"base64"_s, u"Zm9v\r\nYmFy"_s, {});
        row(u"base64"_s, u"Zm9v Zg=="_s, u"character 5, “ ”, is not allowed"_s);
        row(u"base64"_s, u"-_8A"_s, u"character 1, “-”, is not allowed"_s);
        row(u"base64"_s, u"Z"_s, u"the last byte is incomplete"_s);
        row(u"base64"_s, u"Zg"_s, u"it must end with “==”"_s);
        row(u"base64"_s, u"Zm8=="_s, u"it must end with “=”"_s);
        row(u"base64"_s, u"Zm9v="_s, u"it must not end with “=”"_s);
        row(u"base64"_s, u"Zg==Zg=="_s, u"character 5 is behind the padding"_s);
        row(u"base64"_s, u"Z\U0001F600"_s, u"character 2, “\U0001F600”, is not allowed"_s);
        row(u"base64"_s, u"Z\u0007"_s, u"character 2, “U+0007”, is not allowed"_s);
        row(u"base64url"_s, u"Zg"_s, {});
        row(u"base64url"_s, u"Zg="_s, u"it must end with “==”"_s);
        row(u"base32"_s, u"mzxw6yq="_s, {});
        row(u"base32"_s, u"MZXW1YQ="_s, u"character 5, “1”, is not allowed"_s);
        row(u"base32"_s, u"MZX"_s, u"the last byte is incomplete"_s);
        row(u"base32"_s, u"MZXW6"_s, u"it must end with “===”"_s);
        row(u"base32"_s, u"MZXW6\nYQ="_s, u"character 6, “U+000A”, is not allowed"_s);
        row(u"base16"_s, u"66 6F"_s, u"character 3, “ ”, is not allowed"_s);
        row(u"hex"_s, u"666f6"_s, u"the last byte is incomplete"_s);
        row(u"hex"_s, u"66="_s, u"character 3, “=”, is not allowed"_s);
    }
    void whatIsWrongIsSaidWithItsPlace()
    {
        QFETCH(QString, name);
        QFETCH(QString, text);
        QFETCH(QString, problem);
        QCOMPARE(TextEncoding::named(name)->decoded(text).problem, problem);
    }
};

SONDE_TEST(TestTextEncoding)
#include "tst_textencoding.moc"
