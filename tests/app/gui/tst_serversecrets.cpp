// Secrets of servers on their way into the keychain, with one that works and one that does not.
// SPDX-License-Identifier: Apache-2.0
#include "app/gui/notice.h"
#include "app/gui/servercontroller.h"
#include "core/connection/serverstore.h"
#include "core/secrets/secretreference.h"
#include "tests/app/gui/desk.h"
#include "tests/support/fakekeychain.h"
#include "tests/support/files.h"

#include <QMessageBox>

using namespace Qt::StringLiterals;
using namespace sonde;
using sonde::test::Desk;

namespace {

struct Servers {
    test::FakeKeychain *keychain = new test::FakeKeychain;
    app::Workspace workspace{std::unique_ptr<SecretStore>(keychain)};
    app::MainWindow window;
    app::SecretKeeper secrets{workspace.secrets(), &window};
    app::ServerController servers{&workspace, &secrets, &window};

    Servers()
    {
        workspace.followStore();
        window.show();
    }
    QMessageBox *question() const { return window.findChild<QMessageBox *>(u"secretsNotKept"_s); }
    QStringList names()
    {
        QStringList names;
        for (const ServerSpec &spec : workspace.store().servers())
            names.append(spec.name);
        return names;
    }
};

}  // namespace

class TestServerSecrets : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { Desk::clear(); }

    // Locked, it does not say what it has: an old file must not replace what is there.
    void whatCannotBeReadIsNotMissing()
    {
        Servers servers;
        servers.keychain->values.insert(u"token"_s, "current");
        servers.keychain->readError = Error::local(u"It is locked."_s);
        ServerSpec known = *ServerSpec::fromLine(u"/no/such/program"_s);
        known.environment = {{u"TOKEN"_s, secretReference(u"token"_s)}};
        qsizetype missing = -1;
        servers.secrets.fillIn(known, {{u"token"_s, u"old"_s}}, [&missing](qsizetype count) { missing = count; });
        QTRY_VERIFY(servers.question() || missing >= 0);
        QCOMPARE(servers.keychain->values.value(u"token"_s), "current"_ba);
        QVERIFY(servers.question());
        servers.keychain->readError = {};
        QVERIFY(test::clickButton(servers.question(), u"Try again"_s));
        QTRY_COMPARE(missing, 0);
        QCOMPARE(servers.keychain->values.value(u"token"_s), "current"_ba);
    }
};

SONDE_TEST(TestServerSecrets)
#include "tst_serversecrets.moc"
