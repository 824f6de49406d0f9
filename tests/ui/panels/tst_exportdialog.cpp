// A session exported through the dialog: what is masked, what is written, what goes wrong.
// SPDX-License-Identifier: Apache-2.0
#include "core/session/session.h"
#include "core/transport/monotonicclock.h"
#include "tests/support/files.h"
#include "tests/support/testregistry.h"
#include "tests/support/turns.h"
#include "ui/dialogs/exportdialog.h"
#include "ui/theme/widgets.h"

#include <sys/resource.h>
#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QGuiApplication>
#include <QLineEdit>
#include <QPushButton>
#include <QScopeGuard>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QThreadPool>
#include <csignal>

using namespace Qt::StringLiterals;
using namespace sonde;
using namespace sonde::ui;

class TestExportDialog : public QObject {
    Q_OBJECT

private:
    static constexpr int Patience = 20'000;
    static constexpr int LongPatience = 6 * Patience;  // many rows, and sanitizers
    static constexpr const char *Canaries[] = {"canary-pass-4711", "ghp_canary0123456789abcdefghijklmnop",
                                               "canary-header-0815"};

    // A session of one message, which is in no file.
    static ExportSource inMemory(Session *session, const QByteArray &message)
    {
        WireEvent event;
        event.kind = WireEvent::Kind::Message;
        event.direction = Direction::ToServer;
        event.bytes = message;
        event.message = Message::parse(message);
        event.wireLength = message.size();
        session->append(event, 1);
        session->flush();
        ExportSource source;
        source.session = session;
        source.serverName = u"in memory"_s;
        source.count = 1;
        return source;
    }

    // A recording of a call with secrets in several places.
    struct Recording {
        QTemporaryDir folder;
        QString path = folder.filePath(u"demo-1.mcpsession"_s);
        std::unique_ptr<Session> session = Session::create(path, u"demo"_s);

        Recording()
        {
            message(
                Direction::ToServer,
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"login\",\"arguments\":{"
                "\"password\":\"canary-pass-4711\",\"colour\":\"green\"}}}");
            message(Direction::FromServer,
                    "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"hello "
                    "canary-pass-4711, ghp_canary0123456789abcdefghijklmnop\"}]}}");
            WireEvent head;
            head.kind = WireEvent::Kind::HttpRequest;
            head.direction = Direction::ToServer;
            head.facts =
                "{\"stream\":1,\"method\":\"POST\",\"url\":\"http://localhost/mcp\",\"headers\":[["
                "\"Authorization\",\"Bearer canary-header-0815\"]]}";
            session->append(head, 1);
            message(Direction::ToServer,
                    "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\",\"params\":{\"who\":\"Ann "
                    "Example\"}}");
            session->flush();
        }
        void message(Direction direction, const QByteArray &raw)
        {
            WireEvent event;
            event.kind = WireEvent::Kind::Message;
            event.direction = direction;
            event.monotonicNs = monotonicNs();
            event.bytes = raw;
            event.wireLength = raw.size();
            event.message = Message::parse(raw);
            session->append(event, 1);
        }
        ExportSource source() const
        {
            ExportSource result;
            result.path = path;
            result.session = session.get();
            result.serverName = u"demo"_s;
            result.count = session->size();
            result.isFiltered = true;
            result.selected = 1;
            result.shownRows = {0, 1};
            result.selectedRows = {3};
            return result;
        }
    };

    struct Parts {
        ExportDialog dialog;
        QComboBox *format = dialog.findChild<QComboBox *>(u"exportFormat"_s);
        QComboBox *scope = dialog.findChild<QComboBox *>(u"exportScope"_s);
        QLineEdit *words = dialog.findChild<QLineEdit *>(u"exportWords"_s);
        QLineEdit *path = dialog.findChild<QLineEdit *>(u"exportPath"_s);
        QTableWidget *table = dialog.findChild<QTableWidget *>(u"exportMasked"_s);
        QPushButton *start = dialog.findChild<QPushButton *>(u"exportStart"_s);
        QWidget *progress = dialog.findChild<QWidget *>(u"exportProgress"_s);
        Banner *result = dialog.findChild<Banner *>(u"exportResult"_s);

        explicit Parts(const ExportSource &source) : dialog(source) { dialog.show(); }

        bool isIdle() const { return !progress->isVisible(); }
        QStringList kinds() const
        {
            QStringList found;
            for (int row = 0; row < table->rowCount(); ++row)
                found << table->item(row, 0)->text();
            return found;
        }
        void exportTo(const QString &target)
        {
            path->setText(target);
            QTest::mouseClick(start, Qt::LeftButton);
        }
        QString said() const { return result->isVisible() ? result->accessibleName() : QString(); }
    };

private Q_SLOTS:
    void whatIsMaskedIsShownBefore()
    {
        const Recording recording;
        Parts p(recording.source());
        QTRY_VERIFY_WITH_TIMEOUT(p.isIdle() && p.table->rowCount() >= 2, Patience);
        QVERIFY(p.kinds().contains(u"password"_s) && p.kinds().contains(u"token"_s));
        const int password = int(p.kinds().indexOf(u"password"_s));
        QCOMPARE(p.table->item(password, 2)->text(), u"2"_s);
        QVERIFY(p.table->item(password, 1)->text().contains(u"#1"));
        for (int row = 0; row < p.table->rowCount(); ++row) {
            for (int column = 0; column < p.table->columnCount(); ++column)
                QVERIFY(!p.table->item(row, column)->text().contains(u"canary"));
        }
        // A further word, typed.
        const int before = p.table->rowCount();
        QTest::keyClicks(p.words, u"Ann Example, abc"_s);
        QTRY_COMPARE_WITH_TIMEOUT(p.table->rowCount(), before + 1, Patience);
        QVERIFY(p.dialog.findChild<TextLabel *>(u"exportWordsNote"_s)->isVisible());  // of "abc"
    }

    void noCanaryLeaves_data()
    {
        QTest::addColumn<int>("format");
        QTest::addColumn<QString>("suffix");
        QTest::newRow("JSON Lines") << 0 << u".jsonl"_s;
        QTest::newRow("HAR") << 1 << u".har"_s;
        QTest::newRow("Markdown") << 2 << u".md"_s;
        QTest::newRow("HTML") << 3 << u".html"_s;
    }

    void noCanaryLeaves()
    {
        QFETCH(int, format);
        QFETCH(QString, suffix);
        const Recording recording;
        const QTemporaryDir out;
        Parts p(recording.source());
        p.format->setCurrentIndex(format);
        QVERIFY(p.path->text().endsWith(suffix));
        QTest::keyClicks(p.words, u"Ann Example"_s);
        const QString target = out.filePath(u"report"_s + suffix);
        p.exportTo(target);
        QTRY_VERIFY_WITH_TIMEOUT(p.said() == u"Exported"_s, Patience);
        const QByteArray content = test::readFile(target);
        QVERIFY(content.size() > 100);
        for (const QByteArray canary : Canaries) {
            for (const QByteArray &form : {canary, canary.toBase64(), canary.toPercentEncoding()})
                QVERIFY2(!content.contains(form), content.constData());
        }
        QVERIFY(!content.contains("Ann Example"));
        QCOMPARE(QDir(out.path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot).size(), 1);
        QTest::mouseClick(p.dialog.findChild<QPushButton *>(u"exportCopyPath"_s), Qt::LeftButton);
        QCOMPARE(QGuiApplication::clipboard()->text(), target);
        // The suffix follows the format, the rest of the path stays.
        p.format->setCurrentIndex((format + 1) % 4);
        QVERIFY(p.path->text().startsWith(out.filePath(u"report."_s)) && !p.path->text().endsWith(suffix));
    }

    void rowsAreChosen()
    {
        const Recording recording;
        const QTemporaryDir out;
        Parts p(recording.source());
        QCOMPARE(p.scope->count(), 3);
        for (int scope = 0; scope < 3; ++scope) {
            p.scope->setCurrentIndex(scope);
            const QString target = out.filePath(u"rows%1.jsonl"_s.arg(scope));
            p.exportTo(target);
            QTRY_VERIFY_WITH_TIMEOUT(p.said() == u"Exported"_s && p.isIdle(), Patience);
            QCOMPARE(test::readFile(target).count('\n'), scope == 0 ? 3 : scope == 1 ? 2 : 1);
        }
        QVERIFY(test::readFile(out.filePath(u"rows2.jsonl"_s)).contains("Ann Example"));
    }

    void whatGoesWrongIsSaid()
    {
        const Recording recording;
        const QTemporaryDir out;
        Parts p(recording.source());
        p.exportTo(out.filePath(u"missing/report.jsonl"_s));
        QTRY_COMPARE_WITH_TIMEOUT(p.said(), u"Not exported"_s, Patience);
        QVERIFY(p.result->accessibleDescription().contains(u"does not exist"));
        p.exportTo(out.path());
        QTRY_VERIFY_WITH_TIMEOUT(p.result->accessibleDescription().contains(u"is a folder"), Patience);
        p.exportTo(u"/dev/null/x.jsonl"_s);
        QTRY_VERIFY_WITH_TIMEOUT(p.said() == u"Not exported"_s && p.isIdle(), Patience);
        QVERIFY(QDir(out.path()).isEmpty());
    }

    void whatIsThereIsReplacedAfterAServerRequestOnly()
    {
        const Recording recording;
        const QTemporaryDir out;
        Parts p(recording.source());
        const auto *serverRequest = p.dialog.findChild<Banner *>(u"exportQuestion"_s);
        auto *replace = p.dialog.findChild<QPushButton *>(u"exportReplace"_s);
        const QString target = out.filePath(u"there.jsonl"_s);
        QFile file(target);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("precious") == 8);
        file.close();
        p.exportTo(target);
        QVERIFY(serverRequest->isVisible() && replace->isVisible());
        QVERIFY(serverRequest->accessibleDescription().contains(u"there.jsonl"));
        QTest::mouseClick(p.start, Qt::LeftButton);  // no response
        QTRY_VERIFY_WITH_TIMEOUT(p.isIdle(), Patience);
        QCOMPARE(test::readFile(target), "precious"_ba);
        // Another name takes the server request back.
        p.path->setText(out.filePath(u"other.jsonl"_s));
        QVERIFY(!serverRequest->isVisible());
        p.exportTo(target);
        QTest::mouseClick(replace, Qt::LeftButton);
        QVERIFY(!serverRequest->isVisible());
        QTRY_COMPARE_WITH_TIMEOUT(p.said(), u"Exported"_s, Patience);
        QVERIFY(test::readFile(target).startsWith('{'));
        // What was written a moment ago is a file as others are.
        QTest::mouseClick(p.start, Qt::LeftButton);
        QVERIFY(serverRequest->isVisible() && p.said().isEmpty());
    }

    void theChoiceOfFilesResponsesForThatFileOnly()
    {
        const Recording recording;
        const QTemporaryDir out;
        Parts p(recording.source());
        const auto *serverRequest = p.dialog.findChild<Banner *>(u"exportQuestion"_s);
        const QString target = out.filePath(u"there.jsonl"_s);
        test::writeFile(target, "precious");
        const auto choose = [&] {
            QTest::mouseClick(p.dialog.findChild<QPushButton *>(u"exportBrowse"_s), Qt::LeftButton);
            auto *files = p.dialog.findChild<QFileDialog *>(u"exportFileDialog"_s);
            Q_EMIT files->fileSelected(target);
            files->reject();
        };
        choose();
        p.path->setText(out.filePath(u"other.jsonl"_s));
        p.exportTo(target);
        QVERIFY(serverRequest->isVisible());
        QCOMPARE(test::readFile(target), "precious"_ba);
        choose();
        QTest::mouseClick(p.start, Qt::LeftButton);
        QVERIFY(!serverRequest->isVisible());
        QTRY_COMPARE_WITH_TIMEOUT(p.said(), u"Exported"_s, Patience);
    }

    void theHintStandsRightUnderItsField()
    {
        const Recording recording;
        Parts p(recording.source());
        p.format->setCurrentIndex(1);
        const auto *hint = p.dialog.findChild<TextLabel *>(u"exportFormatNote"_s);
        QTRY_VERIFY_WITH_TIMEOUT(hint->isVisible() && hint->y() > p.format->y(), Patience);
        QVERIFY(hint->height() < 2 * hint->fontMetrics().height());
        QVERIFY(p.scope->y() - p.format->geometry().bottom() < 3 * hint->fontMetrics().height());
    }

    // No file of this process grows any more, which is what a full disk is to it.
    void aFullDiskIsGivenItsName()
    {
        Session session;
        const QTemporaryDir out;
        Parts p(inMemory(&session, "{\"jsonrpc\":\"2.0\",\"method\":\"m\"}"));
        QTRY_VERIFY_WITH_TIMEOUT(p.isIdle(), Patience);
        ::signal(SIGXFSZ, SIG_IGN);
        rlimit before{};
        ::getrlimit(RLIMIT_FSIZE, &before);
        const rlimit narrow{0, before.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &narrow);
        const auto lift = qScopeGuard([&before] { ::setrlimit(RLIMIT_FSIZE, &before); });
        p.exportTo(out.filePath(u"full.jsonl"_s));
        QTRY_COMPARE_WITH_TIMEOUT(p.said(), u"Not exported"_s, Patience);
        const QString why = p.result->accessibleDescription();
        QVERIFY2(why.contains(out.path()) && why.contains(u"too large"_s), qPrintable(why));
        QVERIFY2(!why.contains(u"Unknown"_s), qPrintable(why));
        QVERIFY(!QFile::exists(out.filePath(u"full.jsonl"_s)));
    }

    void aSessionInMemoryIsExportedToo()
    {
        Session session;
        const QTemporaryDir out;
        Parts p(inMemory(&session,
                         "{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"params\":{\"password\":\"canary-pass-4711\"}}"));
        QTRY_COMPARE_WITH_TIMEOUT(p.table->rowCount(), 1, Patience);
        p.exportTo(out.filePath(u"memory.jsonl"_s));
        QTRY_COMPARE_WITH_TIMEOUT(p.said(), u"Exported"_s, Patience);
        QVERIFY(!test::readFile(out.filePath(u"memory.jsonl"_s)).contains("canary"));
    }

    // What is there when it begins is read on a worker, whatever becomes of the session meanwhile.
    void aLongSessionInMemoryDoesNotHoldUpTheWindow()
    {
        constexpr int Rows = 100'000;
        auto session = std::make_unique<Session>();
        WireEvent event;
        event.kind = WireEvent::Kind::Message;
        event.direction = Direction::FromServer;
        event.bytes = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"data\":1}}";
        event.message = Message::parse(event.bytes);
        event.wireLength = event.bytes.size();
        for (int i = 0; i < Rows; ++i)
            session->append(event, 1);
        session->flush();
        QCOMPARE(session->size(), Rows);
        ExportSource source;
        source.session = session.get();
        source.serverName = u"in memory"_s;
        source.count = Rows;
        const QTemporaryDir out;
        {
            Parts p(source);
            test::Turns turns;
            p.words->setText(u"a word to be masked"_s);
            p.format->setCurrentIndex(2);
            QVERIFY(!p.isIdle());
            p.format->setCurrentIndex(0);
            QVERIFY(turns.runUntil([&p] { return p.isIdle(); }, LongPatience));
            p.exportTo(out.filePath(u"long.jsonl"_s));
            session->append(event, 1);
            session->flush();
            QVERIFY(turns.runUntil([&p] { return p.said() == u"Exported"; }, LongPatience));
            QCOMPARE(test::readFile(out.filePath(u"long.jsonl"_s)).count('\n'), Rows);
            p.format->setCurrentIndex(1);
            session.reset();
        }
        // Closing it ends what it was about.
        QVERIFY(QThreadPool::globalInstance()->waitForDone(Patience));
    }

    void harOfNoHttpSaysSo()
    {
        const Recording recording;
        Parts p(recording.source());
        p.scope->setCurrentIndex(1);
        p.format->setCurrentIndex(1);
        QTRY_VERIFY_WITH_TIMEOUT(p.said().startsWith(u"No HTTP exchanges"), Patience);
    }

    void closingStopsTheWork()
    {
        const Recording recording;
        for (int i = 0; i < 20; ++i)
            Parts p(recording.source());
        QVERIFY(QThreadPool::globalInstance()->waitForDone(Patience));
    }
};

SONDE_TEST(TestExportDialog)
#include "tst_exportdialog.moc"
