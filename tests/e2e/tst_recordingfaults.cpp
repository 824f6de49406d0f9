// A disk that fails while a real server is called: whichever write it is, the call goes on and the file stays sound.
// SPDX-License-Identifier: Apache-2.0
#include "tests/e2e/driver.h"
#include "tests/support/sessionscript.h"
#include "tests/support/testregistry.h"

#include <QFileInfo>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace sonde;
using sonde::test::Driver;
using sonde::test::FaultyCalls;

class tst_RecordingFaults : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theCallGoesOn_data()
    {
        QTest::addColumn<FaultyCalls::Fault>("fault");
        QTest::addColumn<bool>("fatal");
        QTest::newRow("no space") << FaultyCalls::Fault::NoSpace << true;
        QTest::newRow("I/O error") << FaultyCalls::Fault::IoError << true;
        QTest::newRow("short, then no space") << FaultyCalls::Fault::ShortThenNoSpace << true;
        QTest::newRow("short") << FaultyCalls::Fault::Short << false;
    }

    // The failing write moves on until a run is through without meeting it.
    void theCallGoesOn()
    {
        QFETCH(FaultyCalls::Fault, fault);
        QFETCH(bool, fatal);
        int k = 1;
        for (bool met = true; met; ++k) {
            const auto calls = std::make_shared<FaultyCalls>();
            calls->fault = fault;
            calls->failAt = k;
            calls->lasts = fatal;
            ConnectionOptions options;
            options.sessionPath = m_folder.filePath(u"%1-%2"_s.arg(int(fault)).arg(k));
            options.fileOps = calls;
            options.loadCatalog = false;
            Driver driver(test::demoServer(), options);
            QSignalSpy failed(driver.connection().session(), &Session::recordingFailed);
            QVERIFY2(driver.openOnly(), driver.describe().constData());
            int steps = 0;
            Call *call = driver.connection().callTool(u"progress"_s, R"({"steps":3,"intervalMs":5})");
            connect(call, &Call::progressed, this, [&steps] { ++steps; });
            const Outcome outcome = driver.run(call);
            QVERIFY2(outcome.kind == Outcome::Kind::Ok, outcome.error.message.toUtf8().constData());
            QCOMPARE(driver.callTool(u"add"_s, R"({"a":1,"b":2})").kind, Outcome::Kind::Ok);
            QCOMPARE(steps, 3);
            QVERIFY(driver.close());
            Session &session = *driver.connection().session();
            session.finish();
            met = calls->writes >= k;
            const bool broken = met && fatal;
            QCOMPARE(bool(session.error()), broken);
            QCOMPARE(failed.size(), broken && k > 1 ? 1 : 0);

            // Everything is there for whoever looks now …
            QVERIFY(driver.hasRecord(WireEvent::Kind::Message, "\"tools/call\""));
            QVERIFY(driver.hasRecord(WireEvent::Kind::Message, "\"result\""));
            // … and in the file what came before, sound.
            const auto reopened = Session::open(options.sessionPath);
            QCOMPARE(reopened.ok(), !broken || k > 1);
            if (!reopened)
                continue;
            QVERIFY((*reopened)->damage().isEmpty());
            QVERIFY(broken ? (*reopened)->size() < session.size() : (*reopened)->size() == session.size());
            for (qsizetype row = 0; row < (*reopened)->size(); ++row)
                QCOMPARE(test::contentOf(**reopened, row), test::contentOf(session, row));
        }
        qInfo("%d runs", k - 1);
        QVERIFY(k > 8);
    }

private:
    QTemporaryDir m_folder;
};

SONDE_TEST(tst_RecordingFaults)
#include "tst_recordingfaults.moc"
