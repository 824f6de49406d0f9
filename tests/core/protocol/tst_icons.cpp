// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/icons.h"
#include "tests/support/testregistry.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace sonde;

namespace {

json::Value iconsOf(const QByteArray &srcs)
{
    return json::parse("[" + srcs + "]");
}

QByteArray srcIcon(const QByteArray &src, const QByteArray &theme = {})
{
    return "{\"src\":\"" + src + '"' + (theme.isEmpty() ? QByteArray() : ",\"theme\":\"" + theme + '"') + '}';
}

}  // namespace

namespace {

bool any(const QString &)
{
    return true;
}

bool none(const QString &)
{
    return false;
}

}  // namespace

class TestIcons : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void onlyDataAndHttpsAreIcons_data()
    {
        QTest::addColumn<QByteArray>("src");
        QTest::addColumn<bool>("isIcon");
        const auto row = [](const char *name, const QByteArray &src, bool isIcon) {
            QTest::newRow(name) << src << isIcon;
        };
        row("data", "data:image/png;base64,AAAA", true);
        row("data in capitals", "DATA:image/png;BASE64,AAAA", true);
        row("data without base64", "data:image/svg+xml,<svg/>", false);
        row("data, broken", "data:image/png;base64,A*AA", false);
        row("data, empty", "data:image/png;base64,", false);
        row("data without a comma", "data:image/png;base64", false);
        row("data, 50 MB", "data:image/png;base64," + QByteArray(50'000'000, 'A'), false);
        row("https", "https:\\/\\/example.com\\/a.png", true);
        row("http", "http:\\/\\/example.com\\/a.png", false);
        row("with a password", "https:\\/\\/me:secret@example.com\\/a.png", false);
        row("without a host", "https:\\/\\/\\/a.png", false);
        row("javascript", "javascript:alert(1)", false);
        row("file", "file:\\/\\/\\/etc\\/passwd", false);
        row("relative", "icon.png", false);
        row("nothing", "", false);
    }
    void onlyDataAndHttpsAreIcons()
    {
        QFETCH(QByteArray, src);
        QTEST(chooseIcon(iconsOf(srcIcon(src)), false, any).has_value(), "isIcon");
    }

    void remoteOnesOnlyWhereAllowed()
    {
        const json::Value icons = iconsOf(srcIcon("https:\\/\\/example.com\\/a.png"));
        QVERIFY(!chooseIcon(icons, false, none));
        QVERIFY(chooseIcon(icons, false, any)->isRemote());
    }

    void theThemeDecides()
    {
        const json::Value icons = iconsOf(srcIcon("data:;base64,AAAA", "light") + ',' +
                                          srcIcon("data:;base64,BBBB", "dark") + ',' + srcIcon("data:;base64,CCCC"));
        QCOMPARE(chooseIcon(icons, false, none)->bytes, QByteArray::fromBase64("AAAA"));
        QCOMPARE(chooseIcon(icons, true, none)->bytes, QByteArray::fromBase64("BBBB"));
        // One for the other background is better than none.
        QVERIFY(chooseIcon(iconsOf(srcIcon("data:;base64,AAAA", "light")), true, none));
    }

    void whatIsNoListHasNone()
    {
        for (const auto &text : {"{}", "null", "\"data:;base64,AAAA\"", "[null,1,\"x\",{},{\"src\":1}]", "[[]]"})
            QVERIFY2(!chooseIcon(json::parse(text), false, any), text);
        QVERIFY(!chooseIcon(json::Value(), false, any));
    }
};

SONDE_TEST(TestIcons)
#include "tst_icons.moc"
