// ${env:NAME} in a server's description.
// SPDX-License-Identifier: Apache-2.0
#include "core/server/approval.h"
#include "core/server/specvariables.h"
#include "tests/support/testregistry.h"

#include <QTest>

using namespace Qt::StringLiterals;
using namespace sonde;

class TestSpecVariables : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        qputenv("SONDE_TEST_A", "one two/&");
        qputenv("SONDE_TEST_B", "${env:SONDE_TEST_A}");
        qputenv("SONDE_TEST_EMPTY", "");
        qunsetenv("SONDE_TEST_NONE");
    }

    void everyPlaceThatMay()
    {
        ServerSpec spec;
        spec.command = u"${env:SONDE_TEST_A}"_s;
        spec.workingDirectory = u"/${env:SONDE_TEST_A}"_s;
        spec.arguments = {u"--key=${env:SONDE_TEST_A}${env:SONDE_TEST_EMPTY}"_s, u"${env:1}"_s, u"$SONDE_TEST_A"_s};
        spec.environment = {{u"${env:SONDE_TEST_A}"_s, u"${env:SONDE_TEST_B}"_s}};
        spec.headers = {{u"Authorization"_s, u"Bearer ${env:SONDE_TEST_A}"_s}};
        spec.oauth.clientSecret = u"${env:SONDE_TEST_A}"_s;
        const Result<ResolvedVariables> resolved = withVariables(spec);
        QVERIFY(resolved);
        QCOMPARE(resolved->spec.command, spec.command);
        QCOMPARE(resolved->spec.workingDirectory, spec.workingDirectory);
        QCOMPARE(resolved->spec.arguments, (QStringList{u"--key=one two/&"_s, u"${env:1}"_s, u"$SONDE_TEST_A"_s}));
        // A value is a value, whatever it looks like.
        QCOMPARE(resolved->spec.environment.constFirst(),
                 std::pair(u"${env:SONDE_TEST_A}"_s, u"${env:SONDE_TEST_A}"_s));
        QCOMPARE(resolved->spec.headers.constFirst().second, u"Bearer one two/&"_s);
        QCOMPARE(resolved->spec.oauth.clientSecret, u"one two/&"_s);
        QCOMPARE(resolved->values.size(), 3);
    }

    void aVariableNeverNamesTheHost()
    {
        ServerSpec spec;
        spec.kind = ServerSpec::Kind::Http;
        spec.url = TypedUrl::fromText(u"https://example.com/${env:SONDE_TEST_A}?k=${env:SONDE_TEST_A}"_s);
        Result<ResolvedVariables> resolved = withVariables(spec);
        QVERIFY(resolved);
        QCOMPARE(resolved->spec.url.text(), u"https://example.com/one%20two%2F%26?k=one%20two%2F%26"_s);
        // What is sent is shown to who approves it.
        QVERIFY(launchLines(spec).constFirst().value.contains(u"SONDE_TEST_A"_s));
        spec.url = TypedUrl::fromText(u"https://${env:SONDE_TEST_A}.example.com/"_s);
        resolved = withVariables(spec);
        QVERIFY(resolved);
        QCOMPARE(resolved->spec.url.text(), spec.url.text());
    }

    void missingVariablesAreNamed()
    {
        ServerSpec spec;
        spec.command = u"x"_s;
        spec.arguments = {u"${env:SONDE_TEST_NONE}"_s, u"${env:SONDE_TEST_A}"_s};
        const Result<ResolvedVariables> resolved = withVariables(spec);
        QVERIFY(!resolved);
        QVERIFY2(resolved.error().message.contains(u"SONDE_TEST_NONE is not set"_s),
                 qPrintable(resolved.error().message));
        QVERIFY(!resolved.error().message.contains(u"SONDE_TEST_A"_s));
    }
};

SONDE_TEST(TestSpecVariables)
#include "tst_specvariables.moc"
