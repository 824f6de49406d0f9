// SPDX-License-Identifier: Apache-2.0
#include "tests/support/testregistry.h"
#include "ui/result/imagedecoder.h"
#include "ui/result/payload.h"

#include <QBuffer>
#include <QTest>
#include <QtEndian>

using namespace Qt::StringLiterals;

namespace sonde::ui {

class TestPayload : public QObject {
    Q_OBJECT

private:
    static Content carried(const QByteArray &type, const QByteArray &mimeType, const QByteArray &base64)
    {
        if (type == "resource")
            return readContent(json::parse("{\"type\":\"resource\",\"resource\":{\"uri\":\"x:y/z\",\"mimeType\":\"" +
                                           mimeType + "\",\"blob\":\"" + base64 + "\"}}"));
        return readContent(
            json::parse("{\"type\":\"" + type + "\",\"mimeType\":\"" + mimeType + "\",\"data\":\"" + base64 + "\"}"));
    }

    static QByteArray png(int width, int height)
    {
        QByteArray bytes;
        QBuffer buffer(&bytes);
        QImage image(width, height, QImage::Format_RGB32);
        image.fill(Qt::red);
        image.save(&buffer, "PNG");
        return bytes;
    }

private Q_SLOTS:
    void imagesAreReadNotDecoded()
    {
        const Payload payload = readPayload(carried("image", "image/png", png(12, 7).toBase64()));
        QCOMPARE(payload.form, Payload::Form::Image);
        QCOMPARE(payload.imageSize, QSize(12, 7));
        QVERIFY(payload.shown.isEmpty());
        QCOMPARE(payload.bytes, png(12, 7));
        QCOMPARE(decodeImage(payload.bytes).image.pixelColor(3, 3), QColor(Qt::red));
        QCOMPARE(decodeImage(payload.bytes, {6, 3}).image.size(), QSize(6, 3));
        QVERIFY2(payload.findings.isEmpty(), qPrintable(payload.findings.join(u'\n')));
    }

    void typesThatLieAreNamed()
    {
        const Payload payload = readPayload(carried("image", "image/jpeg", png(2, 2).toBase64()));
        QCOMPARE(payload.form, Payload::Form::Image);
        QCOMPARE(payload.findings.size(), 1);
        QVERIFY(payload.findings.front().contains(u"PNG"_s));
    }

    void s18_hugeImagesAreNamedNotDecoded()
    {
        // Only the header claims the size; whoever believed it would ask for gigabytes.
        QByteArray bytes = png(4, 4);
        qToBigEndian<quint32>(40000, bytes.data() + 16);
        qToBigEndian<quint32>(40000, bytes.data() + 20);
        quint32 crc = 0xffffffffu;
        for (int i = 12; i < 29; ++i) {
            crc ^= uchar(bytes[i]);
            for (int bit = 0; bit < 8; ++bit)
                crc = (crc >> 1) ^ (0xedb88320u & (0u - (crc & 1)));
        }
        qToBigEndian<quint32>(~crc, bytes.data() + 29);
        const Payload payload = readPayload(carried("image", "image/png", bytes.toBase64()));
        QCOMPARE(payload.form, Payload::Form::Bytes);
        QCOMPARE(payload.imageSize, QSize(40000, 40000));
        QVERIFY2(payload.findings.join(u' ').contains(u"too large"_s), qPrintable(payload.findings.join(u'\n')));
        QCOMPARE(payload.bytes, bytes);  // it can still be saved
    }

    void svgIsSource_data()
    {
        QTest::addColumn<QByteArray>("mimeType");
        QTest::addColumn<QByteArray>("bytes");
        const QByteArray svg = "<svg xmlns='http://www.w3.org/2000/svg'><image href='/etc/passwd'/></svg>";
        QTest::newRow("by type") << "image/svg+xml"_ba << svg;
        QTest::newRow("called a png") << "image/png"_ba << svg;
        QTest::newRow("with a declaration") << "image/png"_ba
                                            << "<?xml version='1.0'?>\n" + svg;
        QTest::newRow("with a doctype") << "image/gif"_ba
                                        << "<!DOCTYPE svg>" + svg;
    }

    void svgIsSource()
    {
        QFETCH(QByteArray, mimeType);
        QFETCH(QByteArray, bytes);
        const Payload payload = readPayload(carried("image", mimeType, bytes.toBase64()));
        QCOMPARE(payload.form, Payload::Form::Source);
        QCOMPARE(payload.shown, bytes);
    }

    void noImageIsAFinding()
    {
        const Payload payload = readPayload(carried("image", "image/png", "no picture at all"_ba.toBase64()));
        QCOMPARE(payload.form, Payload::Form::Bytes);
        QCOMPARE(payload.findings.size(), 1);
        QVERIFY(payload.shown.contains("6e 6f 20 70"));
    }

    void brokenBase64IsAFinding()
    {
        const Payload payload = readPayload(carried("resource", "application/octet-stream", "AAEC!!!AwQ="));
        QVERIFY(!payload.findings.isEmpty());
        QVERIFY2(payload.findings.front().contains(u"base64"_s), qPrintable(payload.findings.front()));
    }

    void blobsAreTextOrHex()
    {
        QCOMPARE(readPayload(carried("resource", "text/plain", "hello"_ba.toBase64())).form, Payload::Form::Text);
        QCOMPARE(readPayload(carried("resource", "application/vnd.x+json", "{}"_ba.toBase64())).form,
                 Payload::Form::Text);
        QCOMPARE(readPayload(carried("resource", "text/plain", "\xff\xfe"_ba.toBase64())).form, Payload::Form::Bytes);
        const Payload zipped = readPayload(carried("resource", "application/gzip", "\x1f\x8b\x08\x00"_ba.toBase64()));
        QCOMPARE(zipped.form, Payload::Form::Bytes);
        QVERIFY(zipped.shown.startsWith("00000000  1f 8b 08"));
    }

    void soundIsDescribed()
    {
        const auto chunk = [](const QByteArray &id, const QByteArray &content, quint32 size) {
            QByteArray sizeBytes(4, '\0');
            qToLittleEndian<quint32>(size, sizeBytes.data());
            return id + sizeBytes + content;
        };
        QByteArray format(16, '\0');
        qToLittleEndian<quint16>(2, format.data() + 2);
        qToLittleEndian<quint32>(8000, format.data() + 4);
        qToLittleEndian<quint32>(16000, format.data() + 8);
        // What an encoder says about itself is no sound, nor is what comes after the sound.
        const QByteArray start =
            "RIFF....WAVE" + chunk("LIST", QByteArray(3000, 'x'), 3000) + chunk("fmt ", format, 16);
        const QByteArray sound(32'000, '\0');
        for (const QByteArray &wave :
             {start + chunk("data", sound, 32'000) + chunk("LIST", QByteArray(16'000, 'x'), 16'000),
              start + chunk("data", sound, 0), start + chunk("data", sound, 0xffffffff)}) {
            const Payload payload = readPayload(carried("audio", "audio/wav", wave.toBase64()));
            QCOMPARE(payload.form, Payload::Form::Audio);
            QCOMPARE(payload.note, u"WAV · 2 channels · 8000 Hz · 2.0 s"_s);
        }
        for (const QByteArray &broken :
             {"RIFF"_ba, "RIFF....WAVE"_ba, "RIFF....WAVEfmt "_ba, start.first(start.size() - 9)})
            QVERIFY(readPayload(carried("audio", "audio/wav", broken.toBase64())).note.isEmpty());
        QCOMPARE(readPayload(carried("audio", "audio/wav", start.toBase64())).note, u"WAV · 2 channels · 8000 Hz"_s);
    }

    void onlyWholeContainersAreJson()
    {
        QCOMPARE(containerIn(" {\"a\":1.0}\n").bytes(), "{\"a\":1.0}"_ba);
        for (const QByteArray &text : {"{\"a\":"_ba, "[1] and more"_ba, "42"_ba, "plain"_ba, ""_ba})
            QVERIFY2(!containerIn(text).exists(), text.constData());
    }

    void markdownIsRecognised()
    {
        for (const QByteArray &text : {"# Title\n\nWords"_ba, "One\n\n- a\n- b\n"_ba, "see [this](https://a.b)"_ba,
                                       "```\ncode\n```"_ba, "|a|b|\n|-|-|\n|1|2|"_ba, "it is **bold**"_ba})
            QVERIFY2(looksLikeMarkdown(text), text.constData());
        for (const QByteArray &text :
             {"plain"_ba, "#hashtag"_ba, "a - b - c"_ba, "2 * 3 * 4"_ba, "- one"_ba, ""_ba, "####### seven"_ba})
            QVERIFY2(!looksLikeMarkdown(text), text.constData());
    }

    void fileNamesAreNeverPaths_data()
    {
        QTest::addColumn<QString>("uri");
        QTest::addColumn<QString>("mimeType");
        QTest::addColumn<QString>("name");
        QTest::newRow("ordinary") << u"file:///docs/report.pdf"_s << u"application/pdf"_s << u"report.pdf"_s;
        QTest::newRow("suffix by type") << u"demo://images/1"_s << u"image/png"_s << u"1.png"_s;
        QTest::newRow("encoded climb") << u"x://h/..%2f..%2fetc%2fpasswd"_s << QString() << u"passwd"_s;
        QTest::newRow("hidden") << u"x://h/.bashrc"_s << QString() << u"bashrc"_s;
        QTest::newRow("nothing") << QString() << u"image/png"_s << u"content.png"_s;
        QTest::newRow("controls") << u"x://h/a%0Ab%1B.txt"_s << QString() << u"a_b_.txt"_s;
    }

    void fileNamesAreNeverPaths()
    {
        QFETCH(QString, uri);
        QFETCH(QString, mimeType);
        Content content;
        content.uri = uri;
        content.mimeType = mimeType;
        QTEST(suggestedFileName(content), "name");
    }
};

}  // namespace sonde::ui

using TestPayload = sonde::ui::TestPayload;
SONDE_TEST(TestPayload)
#include "tst_payload.moc"
