// The window in other languages: changed while servers run, complete, and with room for longer texts.
// SPDX-License-Identifier: Apache-2.0
#include "app/gui/actions.h"
#include "app/gui/menubar.h"
#include "app/gui/reconnectbar.h"
#include "app/gui/warningbar.h"
#include "tests/app/gui/cuttexts.h"
#include "tests/app/gui/requestdesk.h"
#include "tests/support/files.h"
#include "tests/support/testtranslators.h"
#include "ui/dialogs/preferencesdialog.h"
#include "ui/form/schemaform.h"
#include "ui/panels/welcomepanel.h"
#include "ui/replay/replaypanel.h"
#include "ui/theme/translations.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QListWidget>
#include <QMenuBar>
#include <QTabWidget>
#include <QTemporaryDir>

using namespace Qt::StringLiterals;
using namespace sonde;
using sonde::app::Actions;
using sonde::test::Patience;

class TestLanguages : public QObject {
    Q_OBJECT

private:
    // In the preferences, as a person does.
    static bool choose(test::RequestWindow &desk, const QString &language)
    {
        test::WhenDialog dialog([&language](QDialog *preferences) {
            auto *languages = preferences->findChild<QComboBox *>(u"languageChoice"_s);
            languages->setFocus();
            languages->setCurrentIndex(languages->findText(language));
            preferences->reject();
        });
        desk.window().actions->preferences->trigger();
        return dialog.hasRun();
    }

    static QString firstMenu(test::RequestWindow &desk)
    {
        return desk.window().menus->actions().constFirst()->text().remove(u'&');
    }

    static bool changes(test::RequestWindow &desk, const QString &language, const QString &firstTitle)
    {
        return choose(desk, language) &&
               QTest::qWaitFor([&] { return firstMenu(desk) == firstTitle && desk.test::TestWindow::panel(); },
                               Patience);
    }

    static QList<QAction *> dialogActions(const Actions &actions)
    {
        return {actions.addServer,     actions.importServers, actions.exportServers, actions.openSession,
                actions.preferences,   actions.shortcuts,     actions.replay,        actions.compare,
                actions.exportSession, actions.about};
    }

    // Calls `look` for each screen, with a word for it.
    static void walk(test::RequestWindow &desk, const std::function<void(QWidget *, const QString &)> &look)
    {
        look(desk.window().welcome, u"welcome"_s);
        QVERIFY(desk.openDemo());
        QVERIFY(desk.enter(u"/a"_s, u"1"_s));
        desk.press(Qt::Key_Return, Qt::ControlModifier);
        QTRY_VERIFY_WITH_TIMEOUT(desk.facts().contains(u"ms"_s), Patience);
        look(&desk.window(), u"tool error"_s);
        QVERIFY(desk.open(u"every-field-kind"_s));
        look(&desk.window(), u"every field"_s);
        QVERIFY(desk.open(u"greeting"_s));
        look(&desk.window(), u"resource"_s);
        desk.window().actions->serverInfo->trigger();
        look(&desk.window(), u"server"_s);
        QVERIFY(desk.open(u"ask-form"_s));
        desk.press(Qt::Key_Return, Qt::ControlModifier);
        QVERIFY(desk.waitsForPerson(1));
        look(&desk.window(), u"request"_s);
        desk.test::TestWindow::panel()->cancel();
        QTRY_VERIFY(!desk.test::TestWindow::panel()->isRunning());
        for (QAction *action : dialogActions(*desk.window().actions)) {
            if (!action->isEnabled())
                continue;
            test::WhenDialog dialog([&](QDialog *shown) {
                look(shown, action->objectName());
                if (auto *pages = shown->findChild<QListWidget *>(u"preferencePages"_s)) {
                    for (int page = 1; page < pages->count(); ++page) {
                        pages->setCurrentRow(page);
                        look(shown, u"%1, page %2"_s.arg(action->objectName()).arg(page));
                    }
                }
                shown->reject();
            });
            action->trigger();
            QTRY_VERIFY2(dialog.hasRun() && !QApplication::activeModalWidget(), qPrintable(action->objectName()));
        }
    }

private Q_SLOTS:
    void init() { test::TestWindow::clear(); }

    void everythingStartsInTheChosenLanguage()
    {
        app::Settings settings;
        settings.set(app::setting::Language, u"de"_s);
        settings.save();
        test::RequestWindow desk;
        QCOMPARE(firstMenu(desk), u"Datei"_s);
        QCOMPARE(desk.workspace().demo()->spec.name, u"Demo-Server"_s);
        QVERIFY(desk.close());
    }

    // The name that files have for the demo server is none of a language.
    void savedCallsOfTheDemoServerAreThereInEachLanguage()
    {
        const QTemporaryDir folder;
        test::writeFile(folder.filePath(u"sum.call.json"_s), R"({"name":"sum","tool":"add","server":"Demo server"})");
        app::Settings settings;
        settings.set(app::setting::Language, u"de"_s);
        settings.set(app::setting::SavedCallFolders, QStringList{folder.path()});
        settings.save();
        test::RequestWindow desk;
        QVERIFY(desk.openDemo());
        QTRY_VERIFY(desk.offered().contains(u"sum"_s));
        QVERIFY(desk.close());
    }

    void theLanguageOfTheSystemIsTheFirstThatIsThere_data()
    {
        QTest::addColumn<QStringList>("wanted");
        QTest::addColumn<QString>("language");
        QTest::newRow("Austrian") << QStringList{u"de-AT"_s, u"de"_s} << u"de"_s;
        QTest::newRow("second") << QStringList{u"fr-FR"_s, u"ja-JP"_s, u"de-DE"_s} << u"ja"_s;
        QTest::newRow("none") << QStringList{u"fr-FR"_s} << u"en"_s;
        QTest::newRow("English first") << QStringList{u"en-GB"_s, u"de-DE"_s} << u"en"_s;
        QTest::newRow("simplified") << QStringList{u"zh-Hans-SG"_s} << u"zh_CN"_s;
        QTest::newRow("traditional") << QStringList{u"zh-Hant-TW"_s, u"ja"_s} << u"ja"_s;
        QTest::newRow("no language") << QStringList{u"C"_s} << u"en"_s;
    }

    void theLanguageOfTheSystemIsTheFirstThatIsThere()
    {
        QFETCH(QStringList, wanted);
        QFETCH(QString, language);
        QCOMPARE(ui::Translations::firstOf(wanted), language);
    }

    // The server runs on, and every tab has what was typed and received.
    void theWindowChangesItsLanguage()
    {
        test::RequestWindow desk;
        QVERIFY(desk.openDemo());
        QVERIFY(desk.enter(u"/a"_s, u"1"_s));
        QVERIFY(desk.enter(u"/b"_s, u"2"_s));
        QVERIFY(desk.call(u"✓ OK"_s));
        QVERIFY(desk.enter(u"/a"_s, u"18446744073709551617"_s));
        QVERIFY(desk.test::TestWindow::panel()->form().canUndo());
        QVERIFY(desk.open(u"greeting"_s));
        QVERIFY(desk.endsWith(u"✓ OK"_s));
        QVERIFY(desk.open(u"add"_s));
        const QByteArray typed = desk.test::TestWindow::panel()->arguments();
        const QString result = desk.resultText();
        const Session *session = desk.session();
        const int calls = desk.countOf(u"tools/call"_s, Direction::ToServer);
        const int reads = desk.countOf(u"resources/read"_s, Direction::ToServer);
        const int tabs = desk.window().tabs->count();

        QVERIFY(changes(desk, u"Deutsch"_s, u"Datei"_s));
        QCOMPARE(desk.session(), session);
        QCOMPARE(desk.workspace().demo()->connection->state(), Connection::State::Connected);
        QCOMPARE(desk.window().tabs->count(), tabs);
        QCOMPARE(desk.test::TestWindow::panel()->ref().key, u"add"_s);
        QCOMPARE(desk.test::TestWindow::panel()->arguments(), typed);
        QTRY_COMPARE(desk.focused(), u"field:/a"_s);
        QVERIFY(desk.test::TestWindow::panel()->isAncestorOf(desk.window().focusWidget()));
        auto *form = desk.test::TestWindow::panel()->findChild<ui::SchemaForm *>();
        QVERIFY(form->undo());
        QCOMPARE(desk.test::TestWindow::panel()->arguments(), R"({"a":1,"b":2})"_ba);
        QVERIFY(form->redo());
        QCOMPARE(desk.test::TestWindow::panel()->arguments(), typed);
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);  // fields that were drawn anew
        QCOMPARE(desk.resultText(), result);
        QCOMPARE(desk.countOf(u"tools/call"_s, Direction::ToServer), calls);
        QCOMPARE(desk.countOf(u"resources/read"_s, Direction::ToServer), reads);
        QVERIFY(desk.enter(u"/a"_s, u"40"_s));
        QVERIFY(desk.call(u"✓ OK"_s));
        QVERIFY2(desk.resultText().startsWith(u"42"_s), qPrintable(desk.resultText()));
        QVERIFY(desk.open(u"ask-form"_s));
        desk.press(Qt::Key_Return, Qt::ControlModifier);
        QVERIFY(desk.waitsForPerson(1));  // the new window responds to the server

        QVERIFY(choose(desk, u"English"_s));
        QTRY_VERIFY(desk.window().told->text().startsWith(u"Die Sprache wechselt"_s));  // a call is running
        QCOMPARE(firstMenu(desk), u"Datei"_s);
        QVERIFY(desk.fill(u"/name"_s, u"Ada"_s));
        QVERIFY(desk.pressButton(u"requestAccept"_s));
        QTRY_COMPARE_WITH_TIMEOUT(firstMenu(desk), u"File"_s, Patience);
        QTRY_VERIFY(desk.test::TestWindow::panel());
        QVERIFY(desk.endsWith(u"✓ OK"_s));
        QVERIFY(desk.close());
    }

    // Reports of what ran, closed tabs, offers and notices, without a question.
    void nothingElseIsLostEither()
    {
        test::RequestWindow desk;
        const ServerSpec other = *ServerSpec::fromLine(test::demoProgram());
        const Result<QString> name = desk.workspace().add(other);
        QVERIFY(name && desk.openDemo());
        test::WhenDialog dialog([](QDialog *asked) {
            QTest::mouseClick(asked->findChild<QAbstractButton *>(u"replayOk"_s), Qt::LeftButton);
        });
        QTest::mouseClick(desk.window().replay, Qt::LeftButton);
        QVERIFY(dialog.hasRun());
        const auto replay = [&desk] { return desk.window().tabs->findChild<ui::ReplayPanel *>(); };
        QTRY_VERIFY_WITH_TIMEOUT(replay() && !replay()->isRunning(), Patience);
        const ReplayRun *run = &replay()->run();
        const qsizetype steps = run->steps().size();
        QVERIFY(steps > 0);
        desk.window().activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&desk.window(), Patience));
        QVERIFY(desk.open(u"echo"_s));
        QVERIFY(desk.enter(u"/value"_s, u"\"typed\""_s));
        desk.press(Qt::Key_W, Qt::ControlModifier);
        QVERIFY(desk.open(u"add"_s));
        desk.window().reconnect->offer(&desk.workspace(), {desk.workspace().serverNamed(*name)->id});
        desk.window().notice->say(u"Something happened"_s, Error::local(u"Somewhere."_s));
        const int tabs = desk.window().tabs->count();

        QVERIFY(changes(desk, u"Deutsch"_s, u"Datei"_s));
        QCOMPARE(desk.window().tabs->count(), tabs);
        QVERIFY(replay());
        QCOMPARE(&replay()->run(), run);
        const auto *list = replay()->findChild<QAbstractItemView *>(u"replaySteps"_s);
        QCOMPARE(list->model()->rowCount(), int(steps));
        QVERIFY(desk.window().reconnect->isVisible());
        QCOMPARE(desk.window().notice->said().first, u"Something happened"_s);
        desk.press(Qt::Key_T, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(desk.test::TestWindow::panel());
        QCOMPARE(desk.test::TestWindow::panel()->ref().key, u"echo"_s);
        QVERIFY(desk.test::TestWindow::panel()->arguments().contains("typed"));
        QVERIFY(desk.close());
    }

    void aNoticeKeepsItsButton()
    {
        test::RequestWindow desk;
        QVERIFY(desk.openDemo());
        const auto remedy = [&desk] { return desk.find<QAbstractButton>(u"noticeRemedy"_s); };
        Q_EMIT desk.workspace().notRecorded(Error::local(u"Somewhere."_s));
        QVERIFY(changes(desk, u"Deutsch"_s, u"Datei"_s));
        QVERIFY2(desk.window().notice->said().first.startsWith(u"Nicht gespeichert"_s),
                 qPrintable(desk.window().notice->said().first));
        QVERIFY(remedy()->isVisible());
        Q_EMIT desk.session()->limitNear();
        QVERIFY(changes(desk, u"English"_s, u"File"_s));
        QVERIFY2(desk.window().notice->said().first.contains(u"is close to its limit"_s),
                 qPrintable(desk.window().notice->said().first));
        test::WhenDialog dialog([](QDialog *preferences) { preferences->reject(); });
        QTest::mouseClick(remedy(), Qt::LeftButton);
        QVERIFY(dialog.hasRun());
        QVERIFY(desk.close());
    }

    // The files of all languages have the same texts, and translations/check finds what is not translated in them. Here
    // it is about texts whose context lupdate and the program see in different ways.
    void everyTextIsTranslated()
    {
        test::StrictTranslation strict;
        QVERIFY(strict.load(u":/translations/sonde_de"_s));
        QCoreApplication::installTranslator(&strict);
        test::RequestWindow desk;
        walk(desk, [](QWidget *, const QString &) {});
        const QStringList missing(strict.missing().cbegin(), strict.missing().cend());
        QVERIFY2(missing.isEmpty(), qPrintable(missing.join(u'\n')));
        QVERIFY(desk.close());
    }

    void longerTextsHaveRoom_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::newRow("1440x900") << QSize(1440, 900);
        QTest::newRow("1000x700") << QSize(1000, 700);
    }

    void longerTextsHaveRoom()
    {
        QFETCH(QSize, size);
        test::LongerTexts longer;
        QCoreApplication::installTranslator(&longer);
        test::RequestWindow desk;
        desk.window().resize(size);
        QStringList cut;
        walk(desk, [&cut](QWidget *screen, const QString &name) {
            const QStringList here = test::cutTexts(screen);
            for (const QString &each : here)
                cut << name + u": "_s + each;
        });
        QVERIFY2(cut.isEmpty(), qPrintable(cut.join(u'\n')));
        QVERIFY(desk.close());
    }
};

SONDE_TEST(TestLanguages)
#include "tst_languages.moc"
