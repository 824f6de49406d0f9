// SPDX-License-Identifier: Apache-2.0
#include "tests/support/testregistry.h"
#include "ui/panels/offericons.h"

#include <QBuffer>
#include <QSignalSpy>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace sonde;
using sonde::ui::OfferIconLabel;
using sonde::ui::OfferIcons;

namespace {

QByteArray picture(int side, const char *format, QImage::Format pixels = QImage::Format_RGB32)
{
    QImage image(side, side, pixels);
    image.fill(pixels == QImage::Format_RGB32 ? uint(Qt::red) : 0U);
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    image.save(&buffer, format);
    return bytes;
}

json::Value dataIcons(const QByteArray &bytes)
{
    return json::parse(R"([{"src":"data:image/png;base64,)" + bytes.toBase64() + "\"}]");
}

}  // namespace

class TestOfferIcons : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void contentDecidesWhatIsDecoded()
    {
        QCOMPARE(OfferIcons::decoded(picture(24, "png")).size(), QSize(24, 24));
        QCOMPARE(OfferIcons::decoded(picture(24, "jpg")).size(), QSize(24, 24));
        // No more is kept than is shown.
        QCOMPARE(OfferIcons::decoded(picture(1024, "png")).width(), 64);
        QVERIFY(OfferIcons::decoded(picture(1025, "png")).isNull());
        QVERIFY(OfferIcons::decoded(picture(24, "bmp")).isNull());
        QVERIFY(OfferIcons::decoded("<svg xmlns='http://www.w3.org/2000/svg'><image href='file:///etc/passwd'/></svg>")
                    .isNull());
        QVERIFY(OfferIcons::decoded(picture(24, "png").first(60)).isNull());
        QVERIFY(OfferIcons::decoded({}).isNull());
        QVERIFY(OfferIcons::decoded(QByteArray(300'000, 'x')).isNull());
        const QByteArray bomb = picture(20'000, "png", QImage::Format_Mono);
        QVERIFY(!bomb.isEmpty() && bomb.size() < MaxIconBytes);
        QVERIFY(OfferIcons::decoded(bomb).isNull());
    }

    void aDataIconIsShown()
    {
        OfferIconLabel label(20);
        label.setIcons(dataIcons(picture(24, "png")), u"one"_s);
        QVERIFY(label.isHidden());  // it is decoded by a worker
        QTRY_VERIFY(!label.isHidden());
        QVERIFY(!label.pixmap(Qt::ReturnByValue).isNull());
        label.setIcons({}, u"one"_s);
        QVERIFY(label.isHidden());
    }

    void aBrokenIconIsNoIcon()
    {
        OfferIcons *icons = OfferIcons::shared();
        const json::Value broken = dataIcons("\x89PNG\r\n\x1a\n and then nothing");
        QVERIFY(icons->pixmap(broken, u"one"_s).isNull());
        const json::Value whole = dataIcons(picture(25, "png"));
        QVERIFY(icons->pixmap(whole, u"one"_s).isNull());
        QTRY_VERIFY(!icons->pixmap(whole, u"one"_s).isNull());
        QVERIFY(icons->pixmap(broken, u"one"_s).isNull());
        QVERIFY(!icons->isShown(broken, u"one"_s));
        QVERIFY(icons->isShown(whole, u"one"_s));
    }

    void nothingIsFetchedUnasked()
    {
        OfferIcons *icons = OfferIcons::shared();
        const json::Value remote = json::parse(R"([{"src":"https:\/\/example.invalid\/a.png"}])");
        const QSignalSpy wanted(icons, &OfferIcons::wanted);
        OfferIconLabel label(20);
        label.setIcons(remote, u"far"_s);
        QVERIFY(!icons->isShown(remote, u"far"_s));
        QVERIFY(wanted.isEmpty());
        icons->setRemoteAllowed(u"other"_s, {u"example.invalid"_s});
        QVERIFY(wanted.isEmpty());
        icons->setRemoteAllowed(u"far"_s, {u"another.invalid"_s});
        QVERIFY(wanted.isEmpty());
        icons->setRemoteAllowed(u"far"_s, {u"example.invalid"_s});
        QCOMPARE(wanted.size(), 1);
        const QUrl url = wanted.first().first().toUrl();
        QCOMPARE(url.host(), u"example.invalid"_s);
        QVERIFY(icons->pixmap(remote, u"far"_s).isNull());
        QCOMPARE(wanted.size(), 1);                                                        // once
        icons->provide(QUrl(u"https://example.invalid/other.png"_s), picture(24, "png"));  // nobody asked for it
        icons->provide(url, picture(24, "png"));
        QTRY_VERIFY(!label.isHidden());
        icons->setRemoteAllowed(u"far"_s, {});
        QVERIFY(label.isHidden());
        QCOMPARE(icons->remoteAllowed().keys(), QStringList{u"other"_s});
        icons->setAllRemoteAllowed({});
    }
};

SONDE_TEST(TestOfferIcons)
#include "tst_offericons.moc"
