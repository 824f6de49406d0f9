// The rules of the house that a compiler does not enforce: who may include whom.
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/programs.h"
#include "tests/support/testregistry.h"

#include <QDateTime>
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <QSet>
#include <QTest>

using namespace Qt::StringLiterals;

class TestHouse : public QObject {
    Q_OBJECT

private:
    struct Include {
        QString file;  // from the project's root
        QString what;
    };

    static QList<Include> includesOf(const QString &folder)
    {
        static const QRegularExpression pattern(u"^\\s*#\\s*include\\s*[<\"]([^>\"]+)[>\"]"_s,
                                                QRegularExpression::MultilineOption);
        const QString root = QStringLiteral(SONDE_SOURCE_DIR) + u'/';
        QList<Include> result;
        QDirIterator files(root + folder, {u"*.h"_s, u"*.cpp"_s}, QDir::Files, QDirIterator::Subdirectories);
        while (files.hasNext()) {
            QFile file(files.next());
            if (!file.open(QIODevice::ReadOnly))
                continue;
            auto matches = pattern.globalMatch(QString::fromUtf8(file.readAll()));
            while (matches.hasNext())
                result.append({file.fileName().mid(root.size()), matches.next().captured(1)});
        }
        return result;
    }

    struct Source {
        QString name;  // from the project's root
        QString text;
    };

    static QList<Source> sources()
    {
        const QString root = QStringLiteral(SONDE_SOURCE_DIR) + u'/';
        QList<Source> all;
        for (const auto &folder : {u"core"_s, u"ui"_s, u"app"_s}) {
            QDirIterator files(root + folder, {u"*.h"_s, u"*.cpp"_s}, QDir::Files, QDirIterator::Subdirectories);
            while (files.hasNext()) {
                QFile file(files.next());
                if (file.open(QIODevice::ReadOnly))
                    all.append({file.fileName().mid(root.size()), QString::fromUtf8(file.readAll())});
            }
        }
        return all;
    }

    static void expectNone(const QString &folder, const QRegularExpression &forbidden)
    {
        const QList<Include> includes = includesOf(folder);
        QVERIFY2(!includes.isEmpty(), qPrintable(folder + u" has no includes: is the path right?"_s));
        QStringList found;
        for (const Include &include : includes) {
            if (forbidden.match(include.what).hasMatch())
                found << include.file + u" includes "_s + include.what;
        }
        QVERIFY2(found.isEmpty(), qPrintable(found.join(u'\n')));
    }

private Q_SLOTS:
    void layers_data()
    {
        QTest::addColumn<QString>("folder");
        QTest::addColumn<QString>("forbidden");
        // Every class of QtGui and QtWidgets that has ever been included by mistake, and whole modules.
        const QString gui =
            u"^(QtGui|QtWidgets|QtSvg)\\b|^Q(Application|GuiApplication|Widget|Dialog|Color|Font|FontDatabase|"_s +
            u"Image|ImageReader|Pixmap|Painter|Palette|Icon|Brush|Pen|Clipboard|Cursor|Window|Screen|"_s +
            u"DesktopServices|TextDocument|Style|Label|PushButton|LineEdit|Menu|Action|Shortcut|"_s +
            u"KeySequence|KeyEvent|MouseEvent|Validator|StandardItemModel|SvgRenderer|Layout|"_s +
            u"[A-Z]\\w*(Layout|Edit|Button|Box|Delegate|Dialog|Widget|(Tree|Table|List|Column|Graphics|Header|Item)View))$"_s;
        QTest::newRow("core: no GUI") << u"core"_s << gui;
        QTest::newRow("command line: no GUI") << u"app/cli"_s << gui;
        QTest::newRow("demo server: no GUI") << u"app/demo"_s << gui;
        QTest::newRow("demo server: nothing of the client but JSON") << u"app/demo"_s << u"^(core/(?!json/)|ui/)"_s;
        QTest::newRow("core: nothing above it") << u"core"_s << u"^(ui|app|tests)/"_s;
        QTest::newRow("ui: nothing above it") << u"ui"_s << u"^(app|tests)/"_s;
        QTest::newRow("app: no tests") << u"app"_s << u"^tests/"_s;
        QTest::newRow("ui: no sockets, processes, transports, settings")
            << u"ui"_s
            << u"^core/transport/|^QtNetwork\\b|^Q(Process|NetworkAccessManager|NetworkReply|NetworkRequest|TcpSocket|"_s +
                   u"TcpServer|UdpSocket|LocalSocket|LocalServer|SslSocket|Settings)$|^sys/socket\\.h$|^unistd\\.h$"_s;
        // Each room of core and the rooms below it that it may use.
        const QString json = u"json"_s;
        const QString protocol = json + u"|protocol"_s;
        const QString transport = protocol + u"|files|transport"_s;
        const QString redact = protocol + u"|schema|redact"_s;
        const QString session = transport + u"|schema|redact|session"_s;
        const QString server = transport + u"|schema|redact|secrets|authorization|server"_s;
        const QString connection = session + u"|check|calls|client|secrets|authorization|server|connection"_s;
        const std::initializer_list<std::pair<const char *, QString>> rooms = {
            {"json", json},
            {"schema", json + u"|schema"_s},
            {"shape", protocol + u"|schema|shape"_s},
            {"protocol", protocol},
            {"files", protocol + u"|files"_s},
            {"transport", transport},
            {"secrets", u"json|protocol|secrets"_s},
            {"authorization", transport + u"|secrets|authorization"_s},
            {"redact", redact},
            {"client", transport + u"|schema|client"_s},
            {"session", session},
            {"check", session + u"|check"_s},
            {"calls", session + u"|calls"_s},
            {"filter", session + u"|filter"_s},
            {"export", session + u"|calls|filter|export"_s},
            {"server", server},
            {"connection", connection},
            {"doctor", connection + u"|doctor"_s},
            {"replay", connection + u"|filter|export|replay"_s},
            {"savedcalls", connection + u"|filter|export|replay|savedcalls"_s},
        };
        for (const auto &[room, mayUse] : rooms)
            QTest::newRow(room) << u"core/"_s + QLatin1StringView(room) << u"^core/(?!("_s + mayUse + u")/)"_s;
        QTest::newRow("HTTP: nothing of processes") << u"core/transport/http"_s << u"^core/transport/process/"_s;
        QTest::newRow("processes: nothing of HTTP") << u"core/transport/process"_s << u"^core/transport/http/"_s;
        QTest::newRow("no network below transport")
            << u"core/json"_s << u"^QtNetwork\\b|^Q(Network|Tcp|Udp|Ssl|Local)\\w+$"_s;
        QTest::newRow("differences: no screen that shows some") << u"ui/diff"_s << u"^ui/(?!(theme|json|diff)/)"_s;
        QTest::newRow("viewers: nothing that uses them") << u"ui/json"_s << u"^ui/(?!(theme|json)/)"_s;
        QTest::newRow("replay in the window: no panel but its own") << u"ui/replay"_s << u"^ui/(panels|dialogs)/"_s;
        QTest::newRow("replay: no sockets of its own")
            << u"core/replay"_s
            << u"^QtNetwork\\b|^Q(NetworkAccessManager|TcpSocket|TcpServer|UdpSocket|LocalSocket|LocalServer|Process)$"_s;
    }

    void layers()
    {
        QFETCH(QString, folder);
        QFETCH(QString, forbidden);
        expectNone(folder, QRegularExpression(forbidden));
    }

    // What the transports share knows none of them.
    void transportsStandAboveTheirTap()
    {
        QStringList found;
        for (const Include &include : includesOf(u"core/transport"_s)) {
            static const QRegularExpression transports(u"^core/transport/(http|process)/"_s);
            if (include.what.contains(transports) && !include.file.contains(transports))
                found << include.file + u" includes "_s + include.what;
        }
        QVERIFY2(found.isEmpty(), qPrintable(found.join(u'\n')));
    }

    // Text of servers reaches the desktop through one function, which refuses what could do harm, and in sonde-cli
    // through another one that asks the same class.
    void s2_oneFileHandsAddressesToTheDesktop()
    {
        static const QRegularExpression opening(u"QDesktopServices|xdg-open|org\\.freedesktop\\.portal\\.OpenURI"_s);
        QStringList found;
        for (const Source &source : sources()) {
            if (opening.match(source.text).hasMatch())
                found << source.name;
        }
        QCOMPARE(found, (QStringList{u"ui/theme/opener.cpp"_s, u"app/cli/login.cpp"_s}));
    }

    // Each folder that calls the system has one for Unix, with a counterpart that uses Qt only.
    void systemHeadersStayInTheirPlaces()
    {
        static const QRegularExpression system(
            u"^(sys|linux|asm|arpa|net|netinet)/|^(unistd|time|fcntl|signal|poll|pthread|spawn|sched|dirent|dlfcn|pwd|grp|"_s +
            u"termios|netdb|errno|syslog|malloc|windows)\\.h$"_s);
        QStringList found;
        for (const auto &folder : {u"core"_s, u"ui"_s, u"app"_s}) {
            for (const Include &include : includesOf(folder)) {
                const bool isOfUnix = include.file.contains(u"/unix/"_s);
                // Signals are of the standard, but what they mean is the system's.
                const bool isSignal =
                    folder == "app"_L1 && include.what == "csignal"_L1 && !include.file.contains(u"/portable/"_s);
                if (!isOfUnix && (isSignal || system.match(include.what).hasMatch()))
                    found << include.file + u" includes "_s + include.what;
            }
        }
        QVERIFY2(found.isEmpty(), qPrintable(found.join(u'\n')));
        for (const QString &folder :
             {u"core/files"_s, u"core/transport"_s, u"core/transport/process"_s, u"app/common"_s}) {
            expectNone(folder + u"/portable"_s, QRegularExpression(u"^(core|app)/[\\w/]+/unix/|^[a-z]\\w*\\.h$"_s));
        }
    }

    // A pipe or a device in the place of a file must neither hold Sonde up nor fill the memory. Of what the person has
    // no say in, such as resources and /proc, nothing of that is to be feared.
    void filesAreReadInOnePlace()
    {
        static const QRegularExpression reading(
            u"\\.open\\([^;]*QIODevice::ReadOnly|\\b(std::)?(ifstream|fopen)\\b|QSslCertificate::fromPath"_s);
        static const QRegularExpression buffer(u"\\b(m_)?buffer\\.open\\([^;]*;"_s);
        QStringList found;
        for (const Source &source : sources()) {
            if (!source.name.startsWith(u"core/files/") && QString(source.text).remove(buffer).contains(reading))
                found << source.name;
        }
        found.sort();
        QCOMPARE(found,
                 (QStringList{u"core/schema/metaschemas.cpp"_s, u"core/transport/process/unix/unixprocess.cpp"_s}));
    }

    // An umbrella header costs four seconds a file.
    void exactIncludesOnly()
    {
        for (const auto &folder : {u"core"_s, u"ui"_s, u"app"_s})
            expectNone(folder, QRegularExpression(u"^(QtCore|QtGui|QtWidgets|QtNetwork|QtTest)(/\\1)?$"_s));
    }

    // What a server can do is asked of its description or its transport; the kind is only set and edited elsewhere.
    void kindsOfServersAreAskedForInOnePlace()
    {
        static const QRegularExpression question(u"kind [!=]= (sonde::)?ServerSpec::Kind::"_s);
        QStringList found;
        int read = 0;
        for (const Source &source : sources()) {
            if (source.name.startsWith(u"core/server/") || source.name.startsWith(u"core/connection/") ||
                source.name == u"ui/dialogs/serverdialog.cpp")
                continue;
            ++read;
            if (question.match(source.text).hasMatch())
                found << source.name;
        }
        QVERIFY(read > 100);
        QVERIFY2(found.isEmpty(), qPrintable(found.join(u'\n')));
    }

    // English plurals come from counted(), so that they can be translated in one place.
    void pluralsAreMadeInOnePlace()
    {
        static const QRegularExpression copy(u"\\bcounted\\s*=\\s*\\[|QString\\s+counted\\(|count == 1 \\?"_s);
        QStringList found;
        for (const Source &source : sources()) {
            if (copy.match(source.text).hasMatch())
                found << source.name;
        }
        found.sort();
        QCOMPARE(found, QStringList({u"core/protocol/numbertext.cpp"_s, u"core/protocol/numbertext.h"_s}));
    }

    // A translator sees the class and its namespace, spelled as in the code.
    void translationContextsAreQualified()
    {
        static const QRegularExpression context(u"(?:Q_DECLARE_TR_FUNCTIONS\\(|translate\\(\")([^)\"]*)"_s);
        QStringList found;
        int read = 0;
        for (const Source &source : sources()) {
            auto contexts = context.globalMatch(source.text);
            while (contexts.hasNext()) {
                const QString name = contexts.next().captured(1);
                ++read;
                if (!name.startsWith(u"sonde::") || name.contains(u' '))
                    found << source.name + u": "_s + name;
            }
        }
        QVERIFY(read > 50);
        QVERIFY2(found.isEmpty(), qPrintable(found.join(u'\n')));
    }

    void panelsDoNotKnowEachOther()
    {
        // A panel is put together from parts; the window's controllers connect panels with each other.
        static const QRegularExpression panel(u"^ui/panels/(\\w+)panel\\.h$"_s);
        for (const Include &include : includesOf(u"ui/panels"_s)) {
            const auto match = panel.match(include.what);
            if (!match.hasMatch())
                continue;
            const QString own = include.file.section(u'/', -1).section(u'.', 0, 0);
            QVERIFY2(own == match.captured(1) + u"panel"_s, qPrintable(include.file + u" includes "_s + include.what));
        }
    }

    // Qt 6.4's moc loses its way in some raw strings, and the test functions behind them are silently never run.
    void everyTestFunctionIsRun()
    {
        static const QRegularExpression section(
            u"^private Q_SLOTS:\\n(.*?)^(?=\\}|private:|public:|protected:)"_s,
            QRegularExpression::MultilineOption | QRegularExpression::DotMatchesEverythingOption);
        static const QRegularExpression function(u"^    void (\\w+)\\(\\)"_s, QRegularExpression::MultilineOption);
        const QString built = QFileInfo(sonde::test::programFolder()).path() + u"/tests"_s;
        QDirIterator files(built, {u"tst_*.moc"_s}, QDir::Files, QDirIterator::Subdirectories);
        QStringList lost;
        int compared = 0;
        while (files.hasNext()) {
            QFile generated(files.next());
            const QString folder = QDir(built).relativeFilePath(generated.fileName().section(u"_autogen/"_s, 0, 0));
            const QString name = u"tests/"_s + QFileInfo(folder).path() + u'/' +
                                 QFileInfo(generated.fileName()).completeBaseName() + u".cpp"_s;
            QFile source(QStringLiteral(SONDE_SOURCE_DIR) + u'/' + name);
            // Left from an earlier build.
            if (!source.exists() || QFileInfo(source).lastModified() > QFileInfo(generated).lastModified())
                continue;
            QVERIFY(generated.open(QIODevice::ReadOnly) && source.open(QIODevice::ReadOnly));
            const QByteArray known = generated.readAll();
            auto sections = section.globalMatch(QString::fromUtf8(source.readAll()));
            while (sections.hasNext()) {
                auto functions = function.globalMatch(sections.next().captured(1));
                while (functions.hasNext()) {
                    const QString slot = functions.next().captured(1);
                    ++compared;
                    if (!known.contains("\n    \"" + slot.toUtf8() + '"'))
                        lost << name + u": "_s + slot;
                }
            }
        }
        QVERIFY2(compared >= 4, "not even those of this file were found: is the path right?");
        QVERIFY2(lost.isEmpty(), qPrintable(lost.join(u'\n')));
    }

    // Every fault that Sonde is measured by has a test that is there, or says why it has none.
    void faultsHaveTheirTests()
    {
        constexpr int faults = 44;
        constexpr int attacks = 19;
        const QString root = QStringLiteral(SONDE_SOURCE_DIR) + u'/';
        const auto textOf = [&root](const QString &path) {
            QFile file(root + path);
            return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
        };
        static const QRegularExpression row(u"^\\| ([FS]\\d+) \\|.*\\| ([^|]+) \\|$"_s,
                                            QRegularExpression::MultilineOption);
        static const QRegularExpression tests(u"`([^`]+)`: ([A-Za-z0-9_]+(?:, [A-Za-z0-9_]+)*)"_s);
        QStringList named;
        QStringList missing;
        auto rows = row.globalMatch(textOf(u"docs/robustness.md"_s));
        while (rows.hasNext()) {
            const QRegularExpressionMatch each = rows.next();
            named.append(each.captured(1));
            if (each.captured(2).startsWith(u"No test: "))
                continue;
            auto files = tests.globalMatch(each.captured(2));
            if (!files.hasNext())
                missing.append(each.captured(1));
            while (files.hasNext()) {
                const QRegularExpressionMatch file = files.next();
                const QString text = textOf(u"tests/"_s + file.captured(1) + u".cpp"_s);
                for (const QString &function : file.captured(2).split(u", "_s)) {
                    if (!text.contains(QRegularExpression(u"void (\\w+::)?"_s + function + u"\\(\\)"_s)))
                        missing.append(each.captured(1) + u": "_s + file.captured(1) + u' ' + function);
                }
            }
        }
        QVERIFY2(missing.isEmpty(), qPrintable(missing.join(u'\n')));
        QStringList expected;
        for (int number = 1; number <= faults; ++number)
            expected.append(u'F' + QString::number(number));
        for (int number = 1; number <= attacks; ++number)
            expected.append(u'S' + QString::number(number));
        QCOMPARE(named, expected);
    }
};

SONDE_TEST(TestHouse)
#include "tst_house.moc"
