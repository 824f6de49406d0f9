// The documents keep their word: their commands run, every verb is in them, and their links lead somewhere.
//
// Fences of a document are read by their info string:
//   sh                  run by bash in a folder that the blocks of one document share; has to end with 0
//   sh exit N           has to end with N
//   sh needs PROGRAM    run only where that program is installed
//   sh no-run: REASON   not run; its lines of sonde-cli must have verbs and options that exist
//   python              run by python3, where it is installed
//   json file: NAME     written to NAME, for the blocks below
// The folder has a session, s.mcpsession. Saved in Sonde is one server, "mine". npx, my-server and some-server are the
// demo server. SPDX-License-Identifier: Apache-2.0
#include "tests/app/cli/clirun.h"
#include "tests/support/files.h"
#include "tests/support/programs.h"
#include "tests/support/testregistry.h"

#include <QDir>
#include <QFileInfo>
#include <QProcess>
#include <QRegularExpression>
#include <QSet>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <map>
#include <memory>

using namespace Qt::StringLiterals;
using namespace sonde;

namespace {

constexpr int MaxReadmePictures = 6;
constexpr int MaxRunMs = 60'000;

QString root()
{
    return QStringLiteral(SONDE_SOURCE_DIR);
}

// Relative to the root.
QStringList documents()
{
    QStringList names = QDir(root()).entryList({u"*.md"_s}, QDir::Files);
    for (const auto &folder : {u"docs/"_s, u"docs/manual/"_s}) {
        for (const QString &name : QDir(root() + u'/' + folder).entryList({u"*.md"_s}, QDir::Files))
            names.append(folder + name);
    }
    return names;
}

QStringList linesOf(const QString &document)
{
    return QString::fromUtf8(test::readFile(root() + u'/' + document)).split(u'\n');
}

struct Block {
    QString document;
    int line = 0;  // of its fence, from 1
    QString info;
    QString text;
};

struct Document {
    QList<Block> blocks;
    QStringList prose;  // the lines outside of the blocks
};

Document read(const QString &name)
{
    Document document;
    Block block;
    bool isInBlock = false;
    int number = 0;
    for (const QString &line : linesOf(name)) {
        ++number;
        const QString trimmed = line.trimmed();
        if (!trimmed.startsWith(u"```"_s)) {
            if (isInBlock)
                block.text += line + u'\n';
            else
                document.prose.append(line);
            continue;
        }
        if (isInBlock)
            document.blocks.append(block);
        else
            block = {name, number, trimmed.mid(3).trimmed(), {}};
        isInBlock = !isInBlock;
    }
    return document;
}

// The command lines of sonde-cli in a block, without what comes before and after in a pipe.
QStringList commandsIn(const QString &text)
{
    QStringList commands;
    for (QString line : QString(text).replace(u"\\\n"_s, u" "_s).split(u'\n')) {
        line = line.section(u" # "_s, 0, 0);
        const qsizetype start = line.indexOf(u"sonde-cli "_s);
        if (start >= 0)
            commands.append(line.mid(start).section(u" | "_s, 0, 0));
    }
    return commands;
}

QString helpOf(const QString &verb)
{
    static QHash<QString, QString> known;
    if (!known.contains(verb)) {
        const QStringList words = verb.isEmpty() ? QStringList{u"--help"_s} : QStringList{verb, u"--help"_s};
        const test::CliRun run = test::runCli(words);
        known.insert(verb, run.exitCode == 0 ? QString::fromUtf8(run.out) : QString());
    }
    return known.value(verb);
}

}  // namespace

class TestCliDocs : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        if (test::isSanitized())
            QSKIP("This is about the documents; what the commands run is tested elsewhere.");
        QVERIFY(QDir().mkpath(m_programs.path()));
        for (const QString &name : {u"npx"_s, u"my-server"_s, u"some-server"_s}) {
            const QString path = m_programs.filePath(name);
            // Whatever the arguments of the real one would be.
            test::writeFile(path, "#!/bin/sh\nexec '" + test::demoProgram().toUtf8() + "'\n");
            QVERIFY(QFile::setPermissions(path, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
        }
        const QString config = QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation) + u"/sonde"_s;
        QVERIFY(QDir().mkpath(config));
        test::writeFile(config + u"/servers.json"_s,
                        "{\"mcpServers\":{\"mine\":{\"command\":\"" + test::demoProgram().toUtf8() + "\"}}}");
        m_session = m_programs.filePath(u"s.mcpsession"_s);
        const test::CliRun run = test::runCli({u"call"_s, u"add"_s, u"a=1"_s, u"b=2"_s, u"--record"_s, m_session,
                                               u"--revision=automatic"_s, u"--"_s, test::demoProgram()});
        QVERIFY2(run.exitCode == 0, run.describe().constData());
    }

    void commandsRun_data()
    {
        QTest::addColumn<QString>("document");
        QTest::addColumn<QString>("info");
        QTest::addColumn<QString>("text");
        int blocks = 0;
        for (const QString &name : documents()) {
            for (const Block &block : read(name).blocks) {
                static const QRegularExpression read(u"^(sh|python|json file:)\\b"_s);
                if (!read.match(block.info).hasMatch() && !block.info.startsWith(u"json file:"_s))
                    continue;
                ++blocks;
                QTest::newRow(qPrintable(u"%1:%2"_s.arg(name, QString::number(block.line))))
                    << name << block.info << block.text;
            }
        }
        QVERIFY2(blocks > 20, "hardly a block was found: is the path right?");
    }
    void commandsRun()
    {
        QFETCH(QString, document);
        QFETCH(QString, info);
        QFETCH(QString, text);
        static const QRegularExpression form(
            u"^(?:(sh|python)(?: exit (\\d+))?(?: needs (\\S+))?|sh (no-run): \\S.*|json file: (\\S+))$"_s);
        const QRegularExpressionMatch match = form.match(info);
        QVERIFY2(match.hasMatch(), qPrintable(u"not understood: "_s + info));
        if (!match.captured(4).isEmpty()) {
            for (const QString &command : commandsIn(text))
                QVERIFY2(problemWith(command).isEmpty(), qPrintable(problemWith(command)));
            return;
        }
        const QString folder = folderFor(document);
        if (!match.captured(5).isEmpty()) {
            test::writeFile(folder + u'/' + match.captured(5), text.toUtf8());
            return;
        }
        const QString program = match.captured(1) == "python"_L1 ? u"python3"_s : u"bash"_s;
        for (const QString &needed : {program, match.captured(3)}) {
            if (!needed.isEmpty() && QStandardPaths::findExecutable(needed).isEmpty())
                QSKIP(qPrintable(needed + u" is not installed"_s));
        }
        QProcess process;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(u"PATH"_s,
                           m_programs.path() + u':' + test::programFolder() + u':' + qEnvironmentVariable("PATH"));
        process.setProcessEnvironment(environment);
        process.setProcessChannelMode(QProcess::MergedChannels);
        process.setWorkingDirectory(folder);
        process.setStandardInputFile(QProcess::nullDevice());
        process.start(program, program == "bash"_L1 ? QStringList{u"-eo"_s, u"pipefail"_s, u"-c"_s, text}
                                                    : QStringList{u"-c"_s, text});
        const bool hasEnded = process.waitForFinished(MaxRunMs);
        const QByteArray output = process.readAll();
        QVERIFY2(hasEnded && process.exitStatus() == QProcess::NormalExit, output.constData());
        QVERIFY2(process.exitCode() == match.captured(2).toInt(),
                 ("exit " + QByteArray::number(process.exitCode()) + '\n' + output).constData());
    }

    void noCommandIsLeftOut()
    {
        static const QRegularExpression command(u"^(    |\\t)(sonde|sonde-cli|sonde-demo-server) "_s);
        QStringList found;
        for (const QString &name : documents()) {
            const Document document = read(name);
            for (const QString &line : document.prose) {
                if (command.match(line).hasMatch())
                    found.append(name + u": "_s + line.trimmed() + u" is in no fence"_s);
            }
            for (const Block &block : document.blocks) {
                if (block.info.isEmpty())
                    found.append(
                        u"%1:%2: a fence that does not say what it holds"_s.arg(name, QString::number(block.line)));
            }
        }
        QVERIFY2(found.isEmpty(), qPrintable(found.join(u'\n')));
    }

    void everyVerbIsDocumented()
    {
        const QString page = QString::fromUtf8(test::readFile(root() + u"/docs/cli.md"_s));
        QStringList missing;
        for (const QString &verb : test::verbsOfHelp()) {
            if (!page.contains(
                    QRegularExpression(u"^\\|.*`"_s + verb + u"[ `].*\\|$"_s, QRegularExpression::MultilineOption)))
                missing.append(verb);
        }
        QVERIFY2(test::verbsOfHelp().size() > 20, "hardly a verb was found: is the help read rightly?");
        QVERIFY2(missing.isEmpty(), qPrintable(u"docs/cli.md has no line of "_s + missing.join(u", "_s)));
    }

    void linksLeadSomewhere()
    {
        static const QRegularExpression link(u"(?:\\]\\(|src=\"|srcset=\")([^)\"\\s]+)[)\"]"_s);
        QStringList broken;
        for (const QString &name : documents()) {
            auto links = link.globalMatch(read(name).prose.join(u'\n'));
            while (links.hasNext()) {
                const QString target = links.next().captured(1);
                if (target.contains(u"://"_s))
                    continue;
                const QString file = target.section(u'#', 0, 0);
                const QString path =
                    file.isEmpty() ? root() + u'/' + name : QFileInfo(root() + u'/' + name).path() + u'/' + file;
                const QString anchor = target.section(u'#', 1);
                if (!QFileInfo::exists(path))
                    broken.append(name + u": "_s + target);
                else if (!anchor.isEmpty() && !anchorsOf(path).contains(anchor))
                    broken.append(name + u": "_s + target + u" (no such heading)"_s);
            }
        }
        QVERIFY2(broken.isEmpty(), qPrintable(broken.join(u'\n')));
    }

    void everyDocumentIsInTheIndex()
    {
        const QString index = QString::fromUtf8(test::readFile(root() + u"/docs/README.md"_s));
        QStringList missing;
        for (const QString &name : documents()) {
            if (name.startsWith(u"docs/"_s) && name != "docs/README.md"_L1 &&
                !index.contains(u"]("_s + name.mid(5) + u')'))
                missing.append(name);
        }
        QVERIFY2(missing.isEmpty(), qPrintable(missing.join(u", "_s)));
    }

    void theReadmeStaysShort()
    {
        const QString text = QString::fromUtf8(test::readFile(root() + u"/README.md"_s));
        // Two themes of one picture are one.
        const auto pictures = text.count(u"!["_s) + text.count(u"<img "_s);
        QVERIFY2(pictures <= MaxReadmePictures, qPrintable(QString::number(pictures)));
    }

private:
    QString folderFor(const QString &document)
    {
        std::unique_ptr<QTemporaryDir> &folder = m_folders[document];
        if (!folder) {
            folder = std::make_unique<QTemporaryDir>();
            QFile::copy(m_session, folder->filePath(u"s.mcpsession"_s));
        }
        return folder->path();
    }

    // Of a command that is not run; empty: none.
    static QString problemWith(const QString &command)
    {
        static const QRegularExpression option(u"(?<=\\s)--[a-z][a-z-]*"_s);
        const QString verb = command.section(u' ', 1, 1);
        if (!test::verbsOfHelp().contains(verb))
            return command + u": there is no such verb"_s;
        auto options = option.globalMatch(command.section(u" -- "_s, 0, 0));
        while (options.hasNext()) {
            const QString name = options.next().captured();
            const QRegularExpression word(name + u"(?![a-z-])"_s);
            if (!helpOf(verb).contains(word) && !helpOf({}).contains(word))
                return command + u": there is no option "_s + name;
        }
        return {};
    }

    // As GitHub makes them of the headings.
    static QSet<QString> anchorsOf(const QString &path)
    {
        static const QRegularExpression heading(u"^#+ (.+)$"_s, QRegularExpression::MultilineOption);
        static const QRegularExpression dropped(u"[^\\w\\- ]"_s, QRegularExpression::UseUnicodePropertiesOption);
        QSet<QString> anchors;
        auto headings = heading.globalMatch(QString::fromUtf8(test::readFile(path)));
        while (headings.hasNext())
            anchors.insert(headings.next().captured(1).toLower().remove(dropped).replace(u' ', u'-'));
        return anchors;
    }

    QTemporaryDir m_programs;
    QString m_session;
    std::map<QString, std::unique_ptr<QTemporaryDir>> m_folders;
};

SONDE_TEST(TestCliDocs)
#include "tst_clidocs.moc"
