// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/base64.h"
#include "core/protocol/types.h"
#include "tests/support/files.h"
#include "tests/support/testregistry.h"

#include <QDir>
#include <QTest>

using namespace sonde;
using namespace Qt::StringLiterals;

class TypesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsTools();
    void choosesTitles_data();
    void choosesTitles();
    void keepsHintsApart();
    void readsResources();
    void readsPrompts();
    void saysWhatIsWrong_data();
    void saysWhatIsWrong();
    void readsServers();
    void readsContent();
    void readsResourceContents();
    void saysWhatIsWrongWithContent_data();
    void saysWhatIsWrongWithContent();
    void readsProgress();
    void decodesBase64_data();
    void decodesBase64();
    void readsRealServers_data();
    void readsRealServers();
};

void TypesTest::readsTools()
{
    const json::Value value = json::parse(R"({"name":"t","title":"T","description":"d","x-own":1,
        "inputSchema":{"type":"object","properties":{"b":{},"a":{}}},"outputSchema":{"type":"object"},
        "execution":{"taskSupport":"optional"}})");
    const Tool tool = readTool(value);
    QVERIFY2(tool.findings.isEmpty(), qUtf8Printable(tool.findings.join(u'\n')));
    QCOMPARE(tool.name, u"t"_s);
    QCOMPARE(tool.title, u"T"_s);
    QCOMPARE(tool.description, u"d"_s);
    QCOMPARE(tool.inputSchema[u"properties"].at(0).key(), u"b"_s);
    QVERIFY(tool.outputSchema.isObject());
    QCOMPARE(tool.taskSupport, u"optional"_s);
    QVERIFY(tool.value.isSameNode(value));
    QCOMPARE(tool.value[u"x-own"].toInteger(), 1);
    QVERIFY(!readTool(json::parse(R"({"name":"t","inputSchema":{"type":"object"}})")).outputSchema.exists());
}

void TypesTest::choosesTitles_data()
{
    QTest::addColumn<QByteArray>("members");
    QTest::addColumn<QString>("title");
    QTest::newRow("title") << R"("title":"A","annotations":{"title":"B"})"_ba << u"A"_s;
    QTest::newRow("annotation") << R"("annotations":{"title":"B"})"_ba << u"B"_s;
    QTest::newRow("empty title") << R"("title":"","annotations":{"title":"B"})"_ba << u"B"_s;
    QTest::newRow("name") << R"("x":0)"_ba << u"n"_s;
}

void TypesTest::choosesTitles()
{
    QFETCH(QByteArray, members);
    QFETCH(QString, title);
    const Tool tool = readTool(json::parse(R"({"name":"n","inputSchema":{"type":"object"},)" + members + '}'));
    QCOMPARE(tool.title, title);
    QVERIFY(tool.findings.isEmpty());
}

void TypesTest::keepsHintsApart()
{
    const Tool said = readTool(json::parse(R"({"name":"n","inputSchema":{"type":"object"},"annotations":
        {"readOnlyHint":true,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false}})"));
    QCOMPARE(said.annotations.readOnly, true);
    QCOMPARE(said.annotations.destructive, false);
    QCOMPARE(said.annotations.idempotent, true);
    QCOMPARE(said.annotations.openWorld, false);
    const Tool unsaid = readTool(json::parse(R"({"name":"n","inputSchema":{"type":"object"},"annotations":{}})"));
    QVERIFY(!unsaid.annotations.readOnly);
    QVERIFY(!unsaid.annotations.destructive);
    QVERIFY(!unsaid.annotations.idempotent);
    QVERIFY(!unsaid.annotations.openWorld);
}

void TypesTest::readsResources()
{
    const Resource resource =
        readResource(json::parse(R"({"uri":"file:///a","name":"a","mimeType":"text/plain","size":12})"));
    QVERIFY(resource.findings.isEmpty());
    QCOMPARE(resource.uri, u"file:///a"_s);
    QCOMPARE(resource.mimeType, u"text/plain"_s);
    QCOMPARE(resource.size, 12);

    const ResourceTemplate pattern =
        readResourceTemplate(json::parse(R"({"uriTemplate":"file:///{path}","name":"files","description":"d"})"));
    QVERIFY(pattern.findings.isEmpty());
    QCOMPARE(pattern.uriTemplate, u"file:///{path}"_s);
    QCOMPARE(pattern.title, u"files"_s);
}

void TypesTest::readsPrompts()
{
    const Prompt prompt = readPrompt(json::parse(R"({"name":"p","arguments":[
        {"name":"a","title":"A","description":"d","required":true},{"name":"b"}]})"));
    QVERIFY(prompt.findings.isEmpty());
    QCOMPARE(prompt.arguments.size(), 2);
    QCOMPARE(prompt.arguments[0].title, u"A"_s);
    QVERIFY(prompt.arguments[0].required);
    QCOMPARE(prompt.arguments[1].title, u"b"_s);
    QVERIFY(!prompt.arguments[1].required);
    QVERIFY(readPrompt(json::parse(R"({"name":"p"})")).findings.isEmpty());
}

void TypesTest::saysWhatIsWrong_data()
{
    QTest::addColumn<QString>("type");
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("finding");
    const auto row = [](const char *type, const char *text, const char *finding) {
        QTest::newRow(finding) << QString::fromLatin1(type) << QByteArray(text) << QString::fromLatin1(finding);
    };
    row("tool", "7", "The entry is not an object.");
    row("tool", R"({"inputSchema":{"type":"object"}})", "'name' is missing.");
    row("tool", R"({"name":7,"inputSchema":{"type":"object"}})", "'name' must be a string that is not empty; it is 7.");
    row("tool", R"({"name":"","inputSchema":{"type":"object"}})",
        "'name' must be a string that is not empty; it is \"\".");
    row("tool", R"({"name":"n"})", "'inputSchema' is missing.");
    row("tool", R"({"name":"n","inputSchema":true})", "'inputSchema' must be an object; it is true.");
    row("tool", R"({"name":"n","inputSchema":{}})", "'inputSchema.type' is missing.");
    row("tool", R"({"name":"n","inputSchema":{"type":"object"},"description":null})",
        "'description' must be a string; it is null.");
    row("tool", R"({"name":"n","inputSchema":{"type":"object"},"outputSchema":[]})",
        "'outputSchema' must be an object or a boolean; it is an array.");
    row("tool", R"({"name":"n","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":"yes"}})",
        "'annotations.readOnlyHint' must be a boolean; it is \"yes\".");
    row("tool", R"({"name":"n","inputSchema":{"type":"object"},"annotations":[]})",
        "'annotations' must be an object; it is an array.");
    row("tool", R"({"name":"n","inputSchema":{"type":"object"},"execution":{"taskSupport":"maybe"}})",
        "'execution.taskSupport' must be \"forbidden\", \"optional\" or \"required\"; it is \"maybe\".");
    row("resource", R"({"name":"n"})", "'uri' is missing.");
    row("resource", R"({"name":"n","uri":"just/a/path"})", "'uri' has no scheme.");
    row("resource", R"({"name":"n","uri":"a:b","size":-1})", "'size' must be at least 0; it is -1.");
    row("resource", R"({"name":"n","uri":"a:b","size":"1"})", "'size' must be an integer; it is \"1\".");
    row("template", R"({"name":"n"})", "'uriTemplate' is missing.");
    row("prompt", R"({"name":"n","arguments":{}})", "'arguments' must be an array; it is an object.");
    row("prompt", R"({"name":"n","arguments":[5]})", "'arguments[0]' must be an object; it is 5.");
    row("prompt", R"({"name":"n","arguments":[{"name":"a"},{}]})", "'arguments[1].name' is missing.");
    row("prompt", R"({"name":"n","arguments":[{"name":"a","required":1}]})",
        "'arguments[0].required' must be a boolean; it is 1.");
}

void TypesTest::saysWhatIsWrong()
{
    QFETCH(QString, type);
    QFETCH(QByteArray, text);
    QFETCH(QString, finding);
    const json::Value value = json::parse(text);
    Entry entry;
    if (type == u"tool")
        entry = readTool(value);
    else if (type == u"resource")
        entry = readResource(value);
    else if (type == u"template")
        entry = readResourceTemplate(value);
    else
        entry = readPrompt(value);
    QCOMPARE(entry.findings, QStringList(finding));
    QVERIFY(entry.value.isSameNode(value));
}

void TypesTest::readsServers()
{
    const ServerInfo info = readServerInfo(json::parse(R"({"protocolVersion":"2025-11-25","capabilities":{"tools":{}},
        "serverInfo":{"name":"s","title":"S","version":"1","description":"d","websiteUrl":"https://example.org"},
        "instructions":"be kind"})"));
    QCOMPARE(info.protocolVersion, u"2025-11-25"_s);
    QCOMPARE(info.implementation.name, u"s"_s);
    QCOMPARE(info.implementation.title, u"S"_s);
    QCOMPARE(info.implementation.version, u"1"_s);
    QCOMPARE(info.implementation.websiteUrl, u"https://example.org"_s);
    QVERIFY(info.capabilities[u"tools"].isObject());
    QCOMPARE(info.instructions, u"be kind"_s);
    QCOMPARE(readImplementation(json::parse(R"({"name":"s"})")).title, u"s"_s);
    QVERIFY(readServerInfo(json::parse("[]")).protocolVersion.isEmpty());
}

void TypesTest::readsContent()
{
    const QList<Content> contents = readContents(json::parse(R"([
        {"type":"text","text":"hi"},
        {"type":"image","data":"aGk=","mimeType":"image/png"},
        {"type":"audio","data":"aGk=","mimeType":"audio/wav"},
        {"type":"resource_link","uri":"a:b","name":"n","description":"d","mimeType":"text/plain"},
        {"type":"resource","resource":{"uri":"a:c","mimeType":"text/plain","text":"inside"}},
        {"type":"resource","resource":{"uri":"a:d","blob":"aGk="}},
        {"type":"hologram","data":1}])"));
    QCOMPARE(contents.size(), 7);
    for (qsizetype i = 0; i < 6; ++i)
        QVERIFY2(contents[i].findings.isEmpty(), qUtf8Printable(contents[i].findings.join(u'\n')));
    QCOMPARE(contents[0].kind, Content::Kind::Text);
    QCOMPARE(contents[0].text.string(), u"hi"_s);
    QCOMPARE(contents[1].kind, Content::Kind::Image);
    QCOMPARE(contents[1].mimeType, u"image/png"_s);
    QCOMPARE(decodeBase64(contents[1].data).bytes, "hi");
    QCOMPARE(contents[2].kind, Content::Kind::Audio);
    QCOMPARE(contents[3].kind, Content::Kind::ResourceLink);
    QCOMPARE(contents[3].uri, u"a:b"_s);
    QCOMPARE(contents[3].name, u"n"_s);
    QCOMPARE(contents[4].kind, Content::Kind::Resource);
    QCOMPARE(contents[4].text.string(), u"inside"_s);
    QVERIFY(!contents[4].data.exists());
    QCOMPARE(contents[5].uri, u"a:d"_s);
    QCOMPARE(decodeBase64(contents[5].data).bytes, "hi");
    QCOMPARE(contents[6].kind, Content::Kind::Unknown);
    QCOMPARE(contents[6].value[u"data"].toInteger(), 1);
    QCOMPARE(contents[6].findings.size(), 1);

    QVERIFY(readContents(json::Value()).isEmpty());
    const QList<Content> alone = readContents(json::parse(R"({"type":"text","text":"hi"})"));
    QCOMPARE(alone.size(), 1);
    QCOMPARE(alone[0].text.string(), u"hi"_s);
    QCOMPARE(alone[0].findings.size(), 1);
}

void TypesTest::readsResourceContents()
{
    const Content text = readResourceContents(json::parse(R"({"uri":"a:b","mimeType":"text/x","text":"T"})"));
    QCOMPARE(text.kind, Content::Kind::Resource);
    QCOMPARE(text.uri, u"a:b"_s);
    QCOMPARE(text.mimeType, u"text/x"_s);
    QCOMPARE(text.text.string(), u"T"_s);
    QVERIFY(text.findings.isEmpty());
    QCOMPARE(readResourceContents(json::parse(R"({"uri":"a:b"})")).findings,
             QStringList{u"Neither 'text' nor 'blob' is present."_s});
    QCOMPARE(readResourceContents(json::parse(R"({"uri":"a:b","text":"","blob":""})")).findings,
             QStringList{u"Both 'text' and 'blob' are present."_s});
    QCOMPARE(readResourceContents(json::parse("null")).findings.size(), 1);
}

void TypesTest::saysWhatIsWrongWithContent_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("finding");
    QTest::newRow("no type") << R"({"text":"a"})"_ba << u"'type' is missing."_s;
    QTest::newRow("type as number") << R"({"type":1})"_ba << u"'type' must be a string; it is 1."_s;
    QTest::newRow("no text") << R"({"type":"text"})"_ba << u"'text' is missing."_s;
    QTest::newRow("text as number") << R"({"type":"text","text":5})"_ba << u"'text' must be a string; it is 5."_s;
    QTest::newRow("no data") << R"({"type":"image","mimeType":"image/png"})"_ba << u"'data' is missing."_s;
    QTest::newRow("no MIME type") << R"({"type":"image","data":""})"_ba << u"'mimeType' is missing."_s;
    QTest::newRow("no resource") << R"({"type":"resource"})"_ba << u"'resource' is missing."_s;
    QTest::newRow("no uri") << R"({"type":"resource","resource":{"text":""}})"_ba << u"'resource.uri' is missing."_s;
    QTest::newRow("blob as number") << R"({"type":"resource","resource":{"uri":"a:b","blob":1}})"_ba
                                    << u"'resource.blob' must be a string; it is 1."_s;
    QTest::newRow("no object") << "\"text\""_ba << u"The content is not an object."_s;
}

void TypesTest::saysWhatIsWrongWithContent()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, finding);
    QCOMPARE(readContent(json::parse(text)).findings, QStringList(finding));
}

void TypesTest::readsProgress()
{
    const Progress progress =
        readProgress(json::parse(R"({"progressToken":"t","progress":0.5,"total":2,"message":"half"})"));
    QCOMPARE(progress.token.string(), u"t"_s);
    QCOMPARE(progress.progress, 0.5);
    QCOMPARE(progress.total, 2.0);
    QCOMPARE(progress.message, u"half"_s);
    QVERIFY(!readProgress(json::parse(R"({"progressToken":1,"progress":3})")).total);
}

void TypesTest::decodesBase64_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("problem");
    QTest::newRow("empty") << "\"\""_ba
                           << ""_ba << u""_s;
    QTest::newRow("none to pad") << "\"Zm9v\""_ba
                                 << "foo"_ba << u""_s;
    QTest::newRow("one to pad") << "\"Zm8=\""_ba
                                << "fo"_ba << u""_s;
    QTest::newRow("two to pad") << "\"Zg==\""_ba
                                << "f"_ba << u""_s;
    QTest::newRow("all digits") << "\"+/+/\""_ba
                                << "\xfb\xff\xbf"_ba << u""_s;
    QTest::newRow("escaped slashes") << R"("+\/+\/")"_ba
                                     << "\xfb\xff\xbf"_ba << u""_s;
    QTest::newRow("no padding") << "\"Zg\""_ba
                                << "f"_ba << u"padding"_s;
    QTest::newRow("half the padding") << "\"Zg=\""_ba
                                      << "f"_ba << u"padding"_s;
    QTest::newRow("too much padding") << "\"Zm9v=\""_ba
                                      << "foo"_ba << u"padding"_s;
    QTest::newRow("URL alphabet") << "\"-_-_\""_ba
                                  << "\xfb\xff\xbf"_ba << u"Character 1 ('-')"_s;
    QTest::newRow("line break") << R"("Zm\n9v")"_ba
                                << "foo"_ba << u"Character 3 (byte 0x0a)"_s;
    QTest::newRow("stray character") << R"("Zm9v*Zm9v")"_ba
                                     << "foofoo"_ba << u"Character 5 ('*')"_s;
    QTest::newRow("data after padding") << "\"Zg==Zg==\""_ba
                                        << "f\x06\x60"_ba << u"padding, at character 5"_s;
    QTest::newRow("cut off") << "\"Zm9vZ\""_ba
                             << "foo"_ba << u"middle of a byte"_s;
    QTest::newRow("bits left over") << "\"Zh==\""_ba
                                    << "f"_ba << u"bits"_s;
    QTest::newRow("data URL") << "\"data:\""_ba
                              << "\x75\xab\x5a"_ba << u"Character 5 (':')"_s;
    QTest::newRow("number") << "5"_ba
                            << ""_ba << u"not a string"_s;
}

void TypesTest::decodesBase64()
{
    QFETCH(QByteArray, json);
    QFETCH(QByteArray, bytes);
    QFETCH(QString, problem);
    const Decoded decoded = decodeBase64(json::parse(json));
    QCOMPARE(decoded.bytes, bytes);
    QCOMPARE(decoded.problem.isEmpty(), problem.isEmpty());
    QVERIFY2(decoded.problem.contains(problem), qUtf8Printable(decoded.problem));
}

// The lists of published servers: what they offer must be read without a word of complaint about its form.
void TypesTest::readsRealServers_data()
{
    const QDir folder(QStringLiteral(SONDE_SOURCE_DIR "/../shared/corpus"));
    if (!folder.exists())
        QSKIP("the corpus of real servers is not at hand");
    QTest::addColumn<QString>("path");
    const QStringList names = folder.entryList({u"*.json"_s}, QDir::Files, QDir::Name);
    for (const QString &name : names)
        QTest::newRow(name.toUtf8().constData()) << folder.filePath(name);
}

void TypesTest::readsRealServers()
{
    QFETCH(QString, path);
    const json::Document document = json::Document::parse(test::readFile(path));
    QVERIFY(document.isValid());
    const json::Value tools = document.root()[u"tools"];
    if (!tools.isArray())
        QSKIP("not the list of a server");
    for (const json::Value &value : tools) {
        const Tool tool = readTool(value);
        QVERIFY2(tool.findings.isEmpty(), qUtf8Printable(tool.name + u": "_s + tool.findings.join(u' ')));
        QVERIFY(!tool.name.isEmpty() && !tool.title.isEmpty());
        QVERIFY(tool.inputSchema.isObject());
    }
}

SONDE_TEST(TypesTest)
#include "tst_types.moc"
