// Addresses that a server asks the person to open: what is shown of them, and which ones never open.
// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/consenturl.h"
#include "core/protocol/visibletext.h"
#include "tests/support/testregistry.h"

#include <QTest>

using namespace Qt::StringLiterals;
using sonde::ConsentUrl;

class TestConsentUrl : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void opens_data()
    {
        QTest::addColumn<QString>("address");
        QTest::addColumn<QString>("host");
        QTest::addColumn<int>("warnings");
        QTest::newRow("https") << u"https://example.com/a?b=c#d"_s << u"example.com"_s << 0;
        QTest::newRow("punycode") << u"https://xn--mnchen-3ya.example/"_s << u"xn--mnchen-3ya.example"_s << 1;
        QTest::newRow("letters of another alphabet")
            << u"https://\u043f\u0440.example/"_s << u"xn--o1ac.example"_s << 1;
        QTest::newRow("address of a network") << u"https://192.0.2.1/"_s << u"192.0.2.1"_s << 1;
        QTest::newRow("port") << u"https://example.com:8443/"_s << u"example.com"_s << 1;
        QTest::newRow("this computer") << u"http://localhost:3000/x"_s << u"localhost"_s << 1;
        QTest::newRow("this computer by number") << u"http://127.0.0.1/x"_s << u"127.0.0.1"_s << 1;
        QTest::newRow("this computer in IPv6") << u"http://[::1]:80/x"_s << u"::1"_s << 1;
        QTest::newRow("long") << u"https://example.com/"_s + QString(3000, u'a') << u"example.com"_s << 1;
    }

    void opens()
    {
        QFETCH(QString, address);
        const ConsentUrl read = ConsentUrl::fromText(address);
        QVERIFY2(read.refusal.isEmpty(), qPrintable(read.refusal));
        QVERIFY(!read.url.isEmpty());
        QTEST(read.host, "host");
        QTEST(int(read.warnings.size()), "warnings");
    }

    void neverOpens_data()
    {
        QTest::addColumn<QString>("address");
        QTest::newRow("nothing") << QString();
        for (const auto &scheme : {u"file"_s, u"ftp"_s, u"javascript"_s, u"data"_s, u"ssh"_s, u"HTTPSX"_s})
            QTest::newRow(qPrintable(scheme)) << scheme + u"://example.com/"_s;
        QTest::newRow("javascript without slashes") << u"javascript:alert(1)"_s;
        QTest::newRow("http to elsewhere") << u"http://example.com/"_s;
        QTest::newRow("http to what looks like this computer") << u"http://localhost.evil.test/"_s;
        QTest::newRow("no host") << u"https:///path"_s;
        QTest::newRow("no scheme") << u"example.com/path"_s;
        QTest::newRow("backslash") << u"https://evil.test\\@example.com/"_s;
        QTest::newRow("space") << u"https://example.com/a b"_s;
        QTest::newRow("line break") << u"https://example.com/a\nb"_s;
        QTest::newRow("reversed text") << u"https://example.com/\u202egpj"_s;
        QTest::newRow("user name") << u"https://example.com@evil.test/"_s;
        QTest::newRow("empty user name") << u"https://@evil.test/"_s;
        QTest::newRow("mixed alphabets") << u"https://\u0430pple.com/"_s;
        QTest::newRow("mixed alphabets in punycode") << u"https://xn--pple-43d.com/"_s;
        QTest::newRow("too long") << u"https://example.com/"_s + QString(64 * 1024, u'a');
        QTest::newRow("an option of a program") << u"--help"_s;
    }

    void neverOpens()
    {
        QFETCH(QString, address);
        const ConsentUrl read = ConsentUrl::fromText(address);
        QVERIFY2(!read.refusal.isEmpty(), qPrintable(read.url.toString()));
        QVERIFY(read.url.isEmpty());
    }

    void theHostIsFoundInWhatIsShown_data()
    {
        QTest::addColumn<QString>("address");
        QTest::addColumn<QString>("expected");
        QTest::newRow("plain") << u"https://example.com"_s << u"example.com"_s;
        QTest::newRow("user and port") << u"https://a:b@example.com:80/c@d:e"_s << u"example.com"_s;
        QTest::newRow("IPv6") << u"http://[::1]/x"_s << u"[::1]"_s;
        QTest::newRow("IPv6 with port") << u"http://[::1]:80?x"_s << u"[::1]"_s;
        QTest::newRow("none") << u"mailto:a@b"_s << QString();
    }

    void theHostIsFoundInWhatIsShown()
    {
        QFETCH(QString, address);
        const ConsentUrl read = ConsentUrl::fromText(address);
        QTEST(sonde::visibleText(address, {false}).mid(read.hostStart, read.hostLength), "expected");
    }
};

SONDE_TEST(TestConsentUrl)
#include "tst_consenturl.moc"
