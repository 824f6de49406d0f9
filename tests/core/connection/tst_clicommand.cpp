// Commands to copy do what was recorded, and tell no secret.
// SPDX-License-Identifier: Apache-2.0
#include "core/connection/clicommand.h"
#include "core/transport/commandline.h"
#include "tests/support/testregistry.h"

#include <QTest>

using namespace sonde;
using namespace Qt::StringLiterals;

class CliCommandTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void curlSendsTheSame()
    {
        const QByteArray facts =
            QByteArray(R"({"stream":1,"method":"POST","url":"http:\/\/localhost\/mcp?a=[1]&b={2}",)"
                       R"("headers":[["Host","localhost"],["Connection","Keep-Alive"],)"
                       R"(["Accept","application/json, text/event-stream"],["X-Empty",""],)"
                       R"(["Authorization","Bearer MARK"],["Content-Length","12"]]})")
                .replace("MARK",
                         "\xE2\x80\xB9"
                         "authorization:00c0ffee"
                         "\xE2\x80\xBA");
        const QByteArray body = "{\"method\":\"it's $HOME `x` \\\\ \\\"q\\\"\"}";
        const QString command = curlCommand(facts, body);
        const Result<CommandLine> words = splitCommandLine(command);
        QVERIFY(words.ok());
        const QStringList expected{u"curl"_s,
                                   u"--globoff"_s,
                                   u"--no-buffer"_s,
                                   u"--request"_s,
                                   u"POST"_s,
                                   u"--header"_s,
                                   u"Accept: application/json, text/event-stream"_s,
                                   u"--header"_s,
                                   u"X-Empty;"_s,
                                   u"--header"_s,
                                   u"Authorization: Bearer ‹authorization:00c0ffee›"_s,
                                   u"--data-raw"_s,
                                   QString::fromUtf8(body),
                                   u"--url"_s,
                                   u"http://localhost/mcp?a=[1]&b={2}"_s};
        QCOMPARE(words->words, expected);
    }

    void curlWithoutBodyOrAddress()
    {
        const QString get = curlCommand(R"({"method":"GET","url":"x:y","headers":[]})", {});
        QVERIFY(get.endsWith(u"--request GET --url x:y"_s) && !get.contains(u"--data-raw"_s));
        QVERIFY(curlCommand("{}", "{}").isEmpty());
        QVERIFY(curlCommand({}, {}).isEmpty());
    }
};

SONDE_TEST(CliCommandTest)
#include "tst_clicommand.moc"
