// Nothing is fetched or opened because of what a server says. The names begin with those of the threats.
// SPDX-License-Identifier: Apache-2.0
#include "core/json/builder.h"
#include "core/protocol/message.h"
#include "core/protocol/methods.h"
#include "core/transport/http/httpfetch.h"
#include "tests/app/gui/testwindow.h"
#include "tests/support/fakehttpserver.h"
#include "tests/support/testregistry.h"
#include "ui/panels/offericons.h"
#include "ui/panels/serverlist.h"
#include "ui/panels/serverpanel.h"
#include "ui/requests/urlbody.h"
#include "ui/theme/opener.h"
#include "ui/timeline/table/timelinemodel.h"

#include <QAbstractItemView>
#include <QDesktopServices>
#include <QFile>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTemporaryDir>

#include <sys/inotify.h>
#include <unistd.h>

using namespace Qt::StringLiterals;
using namespace sonde;
using sonde::test::FakeHttpServer;
using sonde::test::TestWindow;

namespace {

QStringList hostileUrls()
{
    return {u"javascript:alert(1)"_s,
            u"JaVaScRiPt:alert(1)"_s,
            u"javascript://example.com/%0aalert(1)"_s,
            u"file:///etc/passwd"_s,
            u"file://host/share"_s,
            u"data:text/html,<script>alert(1)</script>"_s,
            u"vscode://file/etc/passwd"_s,
            u"ms-msdt:/id"_s,
            u"smb://host/share"_s,
            u"ftp://example.com/"_s,
            u"ssh://-oProxyCommand=x/"_s,
            u"mailto:a@example.com"_s,
            u"tel:123"_s,
            u"about:blank"_s,
            u"blob:https://example.com/1"_s,
            u"view-source:https://example.com/"_s,
            u"jar:https://example.com!/a"_s,
            u"chrome://settings"_s,
            u"steam://run/1"_s,
            u"\\\\host\\share\\x.exe"_s,
            u"//host/share"_s,
            u"C:\\Windows\\system32\\calc.exe"_s,
            u"/usr/bin/xterm"_s,
            u"../../bin/sh"_s,
            u"-flag"_s,
            u"--version"_s,
            u"$(touch x)"_s,
            u"`touch x`"_s,
            u"https://example.com/$(touch x)"_s,
            u"https://example.com/\";touch x;\""_s,
            u"https://example.com/a b"_s,
            u" https://example.com/"_s,
            u"https://example.com/ "_s,
            u"https://example.com/\nx"_s,
            u"https://example.com/\r\nHost: evil"_s,
            u"https://example.com/\tx"_s,
            u"https://example.com/\u202egpj.exe"_s,
            u"https://\u2066example.com\u2069/"_s,
            u"https://exam\u200bple.com/"_s,
            u"https://example.com/\u00a0x"_s,
            u"https://example.com\\@evil.test/"_s,
            u"https://example.com@evil.test/"_s,
            u"https://user:password@example.com/"_s,
            u"https://\u0430pple.com/"_s,
            u"https://xn--pple-43d.com/"_s,
            u"https://example.com/"_s + QString(64 * 1024, u'a'),
            u"https:///path"_s,
            u"https:example.com"_s,
            u"https://"_s,
            u"http://example.com/"_s,
            u"http://127.0.0.1.evil.test/"_s,
            u"http://localhost.evil.test/"_s,
            u"http://192.168.0.1/"_s,
            u"https://[::1/"_s,
            u"https://example.com:99999/"_s,
            u"https://exa mple.com/"_s,
            u""_s,
            u"\x1b]8;;https://example.com\x07"_s,
            u"https%3A%2F%2Fexample.com"_s};
}

// %1 is an address that whoever renders this would ask for.
const char *const Markup[] = {
    "![x](%1)",
    "![x][r]\n\n[r]: %1",
    "[![a](%1)](%1)",
    "<img src=\"%1\">",
    "<img src=%1 onerror=%1>",
    "<img srcset=\"%1 2x\">",
    "<picture><source srcset=\"%1\"></picture>",
    "<link rel=\"stylesheet\" href=\"%1\">",
    "<link rel=\"prefetch\" href=\"%1\">",
    "<link rel=\"icon\" href=\"%1\">",
    "<style>@import url(%1);</style>",
    "<style>body{background:url('%1')}</style>",
    "<div style=\"background-image:url(%1)\">x</div>",
    "<body background=\"%1\">x</body>",
    "<table background=\"%1\"><tr><td>x</td></tr></table>",
    "<iframe src=\"%1\"></iframe>",
    "<object data=\"%1\"></object>",
    "<embed src=\"%1\">",
    "<video src=\"%1\" poster=\"%1\" autoplay></video>",
    "<audio src=\"%1\" autoplay></audio>",
    "<input type=\"image\" src=\"%1\">",
    "<script src=\"%1\"></script>",
    "<meta http-equiv=\"refresh\" content=\"0;url=%1\">",
    "<base href=\"%1\"><img src=\"a.png\">",
    "<svg xmlns=\"http://www.w3.org/2000/svg\"><image href=\"%1\" width=\"9\" height=\"9\"/></svg>",
    "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\"><use "
    "xlink:href=\"%1#a\"/></svg>",
    "<?xml version=\"1.0\"?><!DOCTYPE svg [<!ENTITY x SYSTEM \"%1\">]><svg "
    "xmlns=\"http://www.w3.org/2000/svg\">&x;</svg>",
    "<?xml-stylesheet href=\"%1\"?><svg xmlns=\"http://www.w3.org/2000/svg\"/>",
    "<a href=\"%1\" ping=\"%1\">x</a>",
    "%1"};

// Takes what the desktop would open, of every scheme above.
class OpenerSpy : public QObject {
    Q_OBJECT
public:
    OpenerSpy()
    {
        for (const QString &scheme : schemes())
            QDesktopServices::setUrlHandler(scheme, this, "open");
    }
    ~OpenerSpy() override
    {
        for (const QString &scheme : schemes())
            QDesktopServices::unsetUrlHandler(scheme);
    }
    int count = 0;

public Q_SLOTS:
    void open(const QUrl &) { ++count; }

private:
    static QStringList schemes()
    {
        QStringList all{u"https"_s, u"http"_s};
        for (const QString &each : hostileUrls()) {
            if (const QString scheme = QUrl(each).scheme(); !scheme.isEmpty() && !all.contains(scheme))
                all += scheme;
        }
        return all;
    }
};

// A server of 2025-11-25 that puts texts and addresses wherever it may.
class Speaker {
public:
    Speaker(QStringList texts, QStringList addresses) : m_texts(std::move(texts)), m_addresses(std::move(addresses)) {}
    QString url() const { return m_server.url().toString(); }

private:
    QByteArray resultOf(const QString &method) const
    {
        json::Builder out;
        out.beginObject();
        if (method == methods::Initialize) {
            out.member(u"protocolVersion", u"2025-11-25"_s)
                .rawMember(u"capabilities", "{\"tools\":{},\"resources\":{},\"prompts\":{}}");
            out.key(u"serverInfo").beginObject().member(u"name", u"speaker"_s).member(u"version", u"1"_s);
            out.member(u"websiteUrl", m_addresses.first());
            icons(&out);
            out.endObject().member(u"instructions", m_texts.join(u'\n'));
        } else if (method == methods::ListTools) {
            out.key(u"tools").beginArray().beginObject().member(u"name", u"show"_s);
            out.member(u"description", m_texts.join(u'\n')).rawMember(u"inputSchema", "{\"type\":\"object\"}");
            icons(&out);
            out.endObject().endArray();
        } else if (method == methods::ListResources) {
            out.key(u"resources").beginArray();
            for (const QString &address : m_addresses)
                out.beginObject().member(u"uri", address).member(u"name", u"r"_s).endObject();
            out.endArray();
        } else if (method == methods::ListPrompts) {
            out.key(u"prompts").beginArray().beginObject().member(u"name", u"say"_s);
            out.member(u"description", m_texts.join(u'\n')).endObject().endArray();
        } else if (method == methods::GetPrompt) {
            out.key(u"messages").beginArray().beginObject().member(u"role", u"user"_s).key(u"content");
            out.beginObject().member(u"type", u"text"_s).member(u"text", m_texts.join(u'\n')).endObject();
            out.endObject().endArray();
        } else if (method == methods::CallTool) {
            content(&out);
        }
        return out.endObject().take();
    }

    void icons(json::Builder *out) const
    {
        out->key(u"icons").beginArray();
        for (const QString &address : m_addresses)
            out->beginObject().member(u"src", address).endObject();
        out->endArray();
    }

    void content(json::Builder *out) const
    {
        out->key(u"content").beginArray();
        const QString types[] = {u"text/html"_s, u"text/markdown"_s, u"image/svg+xml"_s};
        for (const QString &text : m_texts) {
            out->beginObject().member(u"type", u"text"_s).member(u"text", text).endObject();
            for (const QString &type : types) {
                out->beginObject().member(u"type", u"resource"_s).key(u"resource").beginObject();
                out->member(u"uri", u"ui://x"_s).member(u"mimeType", type).member(u"text", text);
                out->endObject().endObject();
            }
            for (const QString &type : {u"image/svg+xml"_s, u"image/png"_s}) {
                out->beginObject().member(u"type", u"image"_s).member(u"mimeType", type);
                out->member(u"data", QString::fromLatin1(text.toUtf8().toBase64())).endObject();
            }
        }
        for (const QString &address : m_addresses) {
            out->beginObject().member(u"type", u"resource_link"_s).member(u"uri", address);
            out->member(u"name", address.left(100)).endObject();
        }
        out->endArray();
    }

    const QStringList m_texts;
    const QStringList m_addresses;
    FakeHttpServer m_server{[this](const FakeHttpServer::Request &request, const FakeHttpServer::Peer &peer) {
        const Message message = Message::parse(request.body);
        if (message.kind() != Message::Kind::Request)
            return request.method == "GET" ? peer.response(405, {}, {}) : peer.accept();
        const QByteArray result = resultOf(message.method());
        peer.json(result == "{}" ? Message::errorResponse(message.id(), -32601, u"no").raw()
                                 : Message::response(message.id(), result).raw());
    }};
};

// Looks at everything that the server offers, and at the result of its tool.
bool seesEverything(TestWindow &desk, const Speaker &speaker)
{
    desk.servers().connectLine(speaker.url());
    if (!desk.open(u"show"_s) || !desk.call(u"✓ OK"_s) || !desk.open(u"say"_s) || !desk.call(u"✓ OK"_s))
        return false;
    if (!QTest::qWaitFor([&] { return qsizetype(desk.timelineModel()->rowCount()) == desk.session()->size(); },
                         test::Patience))
        return false;
    QTabWidget *tabs = desk.window().tabs;
    for (int i = 0; i < tabs->count(); ++i) {
        tabs->setCurrentIndex(i);
        desk.window().grab();
    }
    // The tree, the bytes and the details of each message.
    for (auto *view : desk.window().findChildren<QAbstractItemView *>()) {
        if (!view->isVisible() || !view->model() || view->model() == desk.window().servers)
            continue;
        for (int row = 0; row < qMin(view->model()->rowCount(), 50); ++row) {
            view->setCurrentIndex(view->model()->index(row, 0));
            desk.window().grab();
        }
    }
    return true;
}

}  // namespace

class TestNetworkManners : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { TestWindow::clear(); }

    void s2_hostileUrlsNeverReachTheOpener_data()
    {
        QTest::addColumn<QString>("address");
        for (const QString &address : hostileUrls())
            QTest::addRow("%s", qPrintable(address.left(60))) << address;
        QVERIFY(hostileUrls().size() >= 40);
    }
    void s2_hostileUrlsNeverReachTheOpener()
    {
        QFETCH(QString, address);
        OpenerSpy spy;
        QVERIFY(!ui::openAddress(address));
        const QByteArray params = json::Builder().beginObject().member(u"url", address).endObject().take();
        for (const bool isTold : {true, false}) {  // an elicitation, and an address that an error requires
            ui::UrlBody body(json::parse(params), isTold);
            QVERIFY(body.isBlocked());
            QVERIFY(!body.problem().isEmpty());
            QVERIFY(!body.carryOut());
        }
        QCOMPARE(spy.count, 0);
        QVERIFY(ui::openAddress(u"https://example.com/"_s));  // the spy sees what does get there
        QCOMPARE(spy.count, 1);
    }

    void s2_linksAndIconsOpenNothing()
    {
        OpenerSpy spy;
        const QSignalSpy wanted(ui::OfferIcons::shared(), &ui::OfferIcons::wanted);
        TestWindow desk;
        const Speaker speaker({u"text"_s}, hostileUrls());
        QVERIFY(seesEverything(desk, speaker));
        QVERIFY(desk.close());
        QCOMPARE(spy.count, 0);
        QVERIFY(wanted.isEmpty());
    }

    void s7_s8_nothingIsFetchedForWhatAServerSends()
    {
        FakeHttpServer canary([](const FakeHttpServer::Request &, const FakeHttpServer::Peer &peer) {
            peer.response(200, {{"Content-Type", "image/png"}}, "x");
        });
        QTemporaryDir folder;
        const QString path = folder.filePath(u"canary.png"_s);
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.close();
        const int watch = ::inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
        QVERIFY(watch >= 0 &&
                ::inotify_add_watch(watch, QFile::encodeName(path).constData(), IN_OPEN | IN_ACCESS) >= 0);
        const auto wasOpened = [watch] {
            char buffer[4096];
            return ::read(watch, buffer, sizeof(buffer)) > 0;
        };
        QStringList texts;
        for (const char *markup : Markup) {
            texts += QString::fromLatin1(markup).replace(u"%1"_s, canary.url(u"/x.png"_s).toString());
            texts += QString::fromLatin1(markup).replace(u"%1"_s, QUrl::fromLocalFile(path).toString());
        }
        QCOMPARE(texts.size(), 60);
        {
            TestWindow desk;
            const Speaker speaker(texts, {canary.url(u"/i.png"_s).toString(), QUrl::fromLocalFile(path).toString()});
            QVERIFY(seesEverything(desk, speaker));
            QVERIFY(desk.close());
        }
        QVERIFY(!wasOpened());
        // What was asked before now would have come by now.
        HttpFetch::Request request;
        request.url = canary.url();
        HttpFetch fetch(request);
        QSignalSpy finished(&fetch, &HttpFetch::finished);
        fetch.start();
        QVERIFY(finished.wait(test::Patience));
        QCOMPARE(canary.connections(), 1);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY(wasOpened());
        ::close(watch);
    }
};

SONDE_TEST(TestNetworkManners)
#include "tst_networkmanners.moc"
