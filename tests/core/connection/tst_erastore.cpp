// What is kept of servers that wanted a handshake, and what a connection makes of it.
// SPDX-License-Identifier: Apache-2.0
#include "core/connection/connection.h"
#include "core/connection/erastore.h"
#include "tests/support/programs.h"
#include "tests/support/testregistry.h"

#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>

using namespace sonde;
using namespace Qt::StringLiterals;

namespace {

constexpr int EraStorePatienceMs = 20'000;
constexpr auto EraMark = R"("method":"server/discover")";

ServerSpec silentOnDiscovery()
{
    ServerSpec spec;
    spec.name = u"old"_s;
    spec.revision = std::nullopt;
    spec.command = u"/bin/sh"_s;
    spec.arguments = {
        u"-c"_s,
        uR"(while read -r line; do case "$line" in *'"initialize"'*) id=${line#*'"id":'}; id=${id%%,*}; )"
        uR"(echo '{"jsonrpc":"2.0","id":'"$id"',"result":{"protocolVersion":"2025-11-25","capabilities":{},)"
        uR"("serverInfo":{"name":"old","version":"1"}}}';; *server/discover*) exit 1;; esac; done)"_s};
    return spec;
}

bool isConnected(Connection &connection)
{
    using State = Connection::State;
    connection.open();
    return QTest::qWaitFor(
               [&] { return connection.state() == State::Connected || connection.state() == State::Disconnected; },
               EraStorePatienceMs) &&
           connection.state() == State::Connected;
}

bool hasProbed(const Connection &connection)
{
    connection.session()->flush();
    for (qsizetype row = 0; row < connection.session()->size(); ++row) {
        if (connection.session()->bytes(row).contains(EraMark))
            return true;
    }
    return false;
}

}  // namespace

class TestEraStore : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_path = m_folder->filePath(u"new/eras.json"_s);
    }

    void survivesItsObjectForADay()
    {
        const QDateTime now = QDateTime::fromSecsSinceEpoch(1'800'000'000).toUTC();
        ServerSpec spec = silentOnDiscovery();
        spec.environment = {{u"TOKEN"_s, u"canary-1"_s}};
        EraStore(m_path).rememberHandshake(spec, now);
        const EraStore store(m_path);
        QCOMPARE(store.handshakeSince(spec, now), now);
        QCOMPARE(store.handshakeSince(spec, now.addSecs(EraStore::LifetimeSeconds - 1)), now);
        QVERIFY(!store.handshakeSince(spec, now.addSecs(EraStore::LifetimeSeconds)).isValid());
        QVERIFY(!store.handshakeSince(spec, now.addSecs(-1)).isValid());  // the clock was set back
        QFile file(m_path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray text = file.readAll();
        QVERIFY2(!text.contains("canary") && !text.contains("/bin/sh"), text.constData());
        QCOMPARE(QFileInfo(m_path).permissions() & (QFile::ReadGroup | QFile::ReadOther | QFile::WriteOther),
                 QFile::Permissions());
    }

    void isAboutTheServerAndNotItsName()
    {
        EraStore store(m_path);
        const ServerSpec spec = silentOnDiscovery();
        store.rememberHandshake(spec);
        ServerSpec renamed = spec;
        renamed.name = u"other"_s;
        renamed.roots = {{u"file:///tmp"_s, QString()}};
        QVERIFY(store.handshakeSince(renamed).isValid());
        ServerSpec changed = spec;
        changed.arguments.append(u"--new"_s);
        QVERIFY(!store.handshakeSince(changed).isValid());
        changed = spec;
        changed.environment = {{u"A"_s, u"1"_s}};
        QVERIFY(!store.handshakeSince(changed).isValid());
        store.forget(renamed);
        QVERIFY(!store.handshakeSince(spec).isValid());
    }

    void anAddressWithoutUserAndHeaders()
    {
        EraStore store;
        ServerSpec spec;
        spec.kind = ServerSpec::Kind::Http;
        spec.url = QUrl(u"https://ada:word@example.org/mcp"_s);
        store.rememberHandshake(spec);
        spec.url = QUrl(u"https://example.org/mcp"_s);
        spec.headers = {{u"X-A"_s, u"1"_s}};
        QVERIFY(store.handshakeSince(spec).isValid());
        spec.url = QUrl(u"https://example.org/other"_s);
        QVERIFY(!store.handshakeSince(spec).isValid());
    }

    void whatCannotBeReadIsUnknown_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("cut") << R"({"handshake":{"a":1)"_ba;
        QTest::newRow("other shapes") << R"({"handshake":[1,{"b":"x"}]})"_ba;
        QTest::newRow("no JSON") << QByteArray(4096, '\0');
    }
    void whatCannotBeReadIsUnknown()
    {
        QFETCH(const QByteArray, text);
        const QString path = m_folder->filePath(u"eras.json"_s);
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
        file.close();
        EraStore store(path);
        QVERIFY(!store.handshakeSince(silentOnDiscovery()).isValid());
        store.rememberHandshake(silentOnDiscovery());
        QVERIFY(EraStore(path).handshakeSince(silentOnDiscovery()).isValid());
    }

    void nothingIsWrittenWhereThereIsNoFolder()
    {
        EraStore store(u"/dev/null/eras.json"_s);
        store.rememberHandshake(silentOnDiscovery());
        QVERIFY(!store.handshakeSince(silentOnDiscovery()).isValid());
    }

    // The next connection, as after a restart of the program, does not ask again; one that says Automatic anew does.
    void theNextConnectionDoesNotAsk()
    {
        ConnectionOptions options;
        options.profile.eras = std::make_shared<EraStore>(m_path);
        const ServerSpec spec = silentOnDiscovery();
        Connection first(spec, options);
        QVERIFY(isConnected(first));
        QVERIFY(hasProbed(first));

        options.profile.eras = std::make_shared<EraStore>(m_path);
        Connection second(spec, options);
        QVERIFY(isConnected(second));
        QVERIFY(!hasProbed(second));
        QVERIFY2(second.revisionReason().startsWith(u"Remembered from "_s), qPrintable(second.revisionReason()));

        ServerSpec pinned = spec;
        pinned.revision = Revision::R20250618;
        second.setSpec(pinned);
        second.setSpec(spec);
        second.restart();
        QTRY_VERIFY_WITH_TIMEOUT(second.state() == Connection::State::Connected && hasProbed(second),
                                 EraStorePatienceMs);
    }

    // A server that has learned the newer era only: what was remembered fails, and it is asked in the same start.
    void whatFailsIsForgotten()
    {
        ServerSpec spec;
        spec.name = u"new"_s;
        spec.revision = std::nullopt;
        spec.command = test::builtProgram(QStringLiteral("sonde-demo-server"));
        spec.arguments = {u"--revision"_s, u"2026-07-28"_s};
        ConnectionOptions options;
        options.profile.eras = std::make_shared<EraStore>(m_path);
        options.profile.eras->rememberHandshake(spec);
        Connection connection(spec, options);
        QVERIFY(isConnected(connection));
        QCOMPARE(connection.serverInfo().protocolVersion, u"2026-07-28"_s);
        QVERIFY(!options.profile.eras->handshakeSince(spec).isValid());
    }

private:
    std::unique_ptr<QTemporaryDir> m_folder;
    QString m_path;
};

SONDE_TEST(TestEraStore)
#include "tst_erastore.moc"
