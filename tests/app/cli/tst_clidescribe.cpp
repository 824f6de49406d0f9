// sonde-cli describe and validate: schemas as people read them, and values checked against them.
// SPDX-License-Identifier: Apache-2.0
#include "core/json/builder.h"
#include "core/json/compare.h"
#include "core/schema/schema.h"
#include "core/transport/process/commandline.h"
#include "tests/app/cli/clirun.h"
#include "tests/support/files.h"
#include "tests/support/testregistry.h"

#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace sonde;
using sonde::test::askDemo;
using sonde::test::CliRun;
using sonde::test::runCli;
using sonde::test::writeFile;

class TestCliDescribe : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void argumentsAreForPeople()
    {
        const CliRun run = askDemo({u"describe"_s, u"every-field-kind"_s});
        QVERIFY2(run.exitCode == 0, run.describe().constData());
        for (const char *line :
             {"every-field-kind  Every kind of field\n", "\nAnnotations\n  read-only: changes nothing\n",
              "\nArguments\n  text  string · required\n    Any text\n",
              "  code  string · 5 characters · pattern ^[A-Z]{2}[0-9]{3}$\n",
              "  color  3 choices · required\n    One of three\n    one of: \"red\", \"green\", \"blue\"\n",
              "  version  constant · required\n    Always the same\n    always: \"v1\"\n",
              "  limit  integer · 1 – 1000 · default 20\n",
              "    position  object\n      latitude  number · -90 – 90 · required\n",
              "    each item: object\n      name  string · min 1 character · required\n", "    either Circle: object\n",
              "\nExample\n  sonde-cli call every-field-kind 'text:=\""})
            QVERIFY2(run.out.contains(line), run.describe().constData());
        QVERIFY(!run.out.contains('\x1b'));  // not at a terminal
        // A definition that refers to itself is printed once, and what a line says already is not repeated.
        QCOMPARE(run.out.count("(as above)"), 1);
        QVERIFY2(!run.out.contains("either string"), run.describe().constData());

        const CliRun add = askDemo({u"describe"_s, u"add"_s});
        QVERIFY2(add.out.contains("\nOutput\n  sum  number · required\n"), add.describe().constData());
        QVERIFY2(!add.out.contains("idempotent"), add.describe().constData());  // it changes nothing at all
    }

    void anUnknownToolIsSaid()
    {
        const CliRun run = askDemo({u"describe"_s, u"ad"_s});
        QVERIFY2(run.exitCode == 4 && run.err.contains("no tool 'ad'") && run.err.contains("Did you mean 'add'?"),
                 run.describe().constData());
        QVERIFY2(askDemo({u"describe"_s}).exitCode == 4, "a tool has to be named");
    }

    // What is printed can be run as it is.
    void everyExampleIsValid()
    {
        const CliRun list = askDemo({u"list"_s, u"tools"_s, u"--json"_s});
        const json::Value tools = list.result()[u"tools"];
        QVERIFY2(tools.size() > 20, list.describe().constData());
        for (const json::Value &tool : tools) {
            const QString name = tool[u"name"].string();
            const CliRun run = askDemo({u"describe"_s, name, u"--json"_s});
            QVERIFY2(run.exitCode == 0, run.describe().constData());
            const json::Value result = run.result();
            QVERIFY2(json::equal(result[u"tool"], tool), run.describe().constData());
            const schema::Schema schema(tool[u"inputSchema"]);
            QVERIFY2(schema.isValid(result[u"example"]), run.describe().constData());

            // The words of the command say the same.
            const Result<CommandLine> command = splitCommandLine(result[u"command"].string());
            QVERIFY2(command && command->words.startsWith(u"sonde-cli"_s), run.describe().constData());
            QCOMPARE(command->words.value(2), name);
            json::Builder typed;
            typed.beginObject();
            for (const QString &word : command->words.mid(3)) {
                if (word == "--"_L1)
                    break;
                const qsizetype at = word.indexOf(u":="_s);
                QVERIFY2(at > 0, qPrintable(word));
                typed.rawMember(word.left(at), word.mid(at + 2).toUtf8());
            }
            const json::Value arguments = json::parse(typed.endObject().take());
            QVERIFY2(schema.isValid(arguments) && json::equal(arguments, result[u"example"]),
                     run.describe().constData());
        }
    }

    void validateSaysWhereAndWhat()
    {
        QTemporaryDir folder;
        const QString schema = folder.filePath(u"schema.json"_s);
        const QString value = folder.filePath(u"value.json"_s);
        writeFile(schema, R"({"type":"object","properties":{"a":{"type":"integer","maximum":5}},"required":["b"]})");
        writeFile(value, R"({"a":7,"b":1})");
        const CliRun wrong = runCli({u"validate"_s, schema, value});
        QVERIFY2(wrong.exitCode == 1 && wrong.out.startsWith("/a: must be at most 5"), wrong.describe().constData());
        QVERIFY2(wrong.out.contains("/properties/a/maximum"), wrong.describe().constData());
        QCOMPARE(wrong.err, "Not valid: 1 finding\n"_ba);

        const CliRun valid = runCli({u"validate"_s, schema, u"-"_s}, R"({"a":5,"b":null})");
        QVERIFY2(valid.exitCode == 0 && valid.out == "Valid\n", valid.describe().constData());
        const CliRun fromInput = runCli({u"validate"_s, u"-"_s, value}, R"({"required":["c"]})");
        QVERIFY2(fromInput.exitCode == 1 && fromInput.out.contains("c"), fromInput.describe().constData());

        const CliRun machine = runCli({u"validate"_s, schema, value, u"--json"_s});
        QCOMPARE(machine.exitCode, 1);
        const json::Value result = machine.result();
        QVERIFY2(result[u"valid"].isBool() && !result[u"valid"].toBool(), machine.describe().constData());
        QCOMPARE(result[u"issues"].at(0)[u"pointer"].string(), u"/a"_s);
        QCOMPARE(result[u"issues"].at(0)[u"keyword"].string(), u"maximum"_s);
    }

    void validateRefusesWhatItCannotRead()
    {
        QTemporaryDir folder;
        const QString good = folder.filePath(u"good.json"_s);
        const QString broken = folder.filePath(u"broken.json"_s);
        writeFile(good, "{}");
        writeFile(broken, "{\n\"a\": 1,\n}");
        const CliRun run = runCli({u"validate"_s, broken, good});
        QVERIFY2(run.exitCode == 4 && run.err.contains("line 3"), run.describe().constData());
        QCOMPARE(runCli({u"validate"_s, good, broken}).exitCode, 4);
        QCOMPARE(runCli({u"validate"_s, good, folder.filePath(u"none"_s)}).exitCode, 4);
        QCOMPARE(runCli({u"validate"_s, u"-"_s, u"-"_s}, "{}").exitCode, 4);
        const CliRun noSchema = runCli({u"validate"_s, u"-"_s, good}, "[]");
        QVERIFY2(noSchema.exitCode == 4 && noSchema.err.contains("JSON Schema"), noSchema.describe().constData());
        // What cannot be checked is not valid.
        const CliRun elsewhere = runCli({u"validate"_s, u"-"_s, good}, "{\"$ref\":\"https://example.com/s.json\"}");
        QVERIFY2(elsewhere.exitCode == 1 && elsewhere.out.contains("not checked"), elsewhere.describe().constData());
        QCOMPARE(runCli({u"validate"_s, u"-"_s, good, u"--formats"_s}, R"({"format":"date"})").exitCode, 0);
        QCOMPARE(runCli({u"validate"_s, u"--formats"_s, u"-"_s, broken}, R"({"format":"date"})").exitCode, 4);
    }
};

SONDE_TEST(TestCliDescribe)
#include "tst_clidescribe.moc"
