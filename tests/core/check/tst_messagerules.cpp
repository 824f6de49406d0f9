// The rules of messages: they agree with the official schema of each revision, and say what is wrong and where.
// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/messagerules.h"
#include "core/schema/schema.h"
#include "tests/support/testregistry.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>
#include <functional>
#include <map>

using namespace sonde;
using namespace Qt::StringLiterals;

namespace {

const QString SharedFolder = QStringLiteral(SONDE_SOURCE_DIR "/../shared");

QByteArray readAll(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QByteArray compactJson(const QJsonValue &value)
{
    const QByteArray inArray = QJsonDocument(QJsonArray{value}).toJson(QJsonDocument::Compact);
    return inArray.sliced(1, inArray.size() - 2);
}

// The official schema of one revision, as data.
struct Official {
    explicit Official(const QString &revision)
        : text(readAll(SharedFolder + u"/schema/"_s + revision + u".schema.json"_s)),
          root(QJsonDocument::fromJson(text).object()),
          key(root.contains(u"$defs"_s) ? u"$defs"_s : u"definitions"_s),
          definitions(root[key].toObject())
    {}

    QJsonObject resolved(QJsonObject schema) const
    {
        while (schema.contains(u"$ref"_s))
            schema = definitions[schema[u"$ref"_s].toString().section(u'/', -1)].toObject();
        if (!schema.contains(u"allOf"_s))
            return schema;
        QJsonObject properties;
        QJsonArray required;
        for (const QJsonValue part : schema[u"allOf"_s].toArray()) {
            const QJsonObject one = resolved(part.toObject());
            const QJsonObject members = one[u"properties"_s].toObject();
            for (auto it = members.begin(); it != members.end(); ++it)
                properties.insert(it.key(), it.value());
            for (const QJsonValue name : one[u"required"_s].toArray())
                required.append(name);
        }
        return {{u"type"_s, u"object"_s}, {u"properties"_s, properties}, {u"required"_s, required}};
    }

    // A value that agrees; variant 0 has only what is required, others take another branch of each union.
    QJsonValue sample(const QJsonObject &unresolved, int variant) const
    {
        const bool isInputRequired = unresolved[u"$ref"_s].toString().endsWith(u"/InputRequiredResult"_s);
        const QJsonObject schema = resolved(unresolved);
        if (schema.contains(u"anyOf"_s)) {
            const QJsonArray branches = schema[u"anyOf"_s].toArray();
            return sample(branches.at(variant % branches.size()).toObject(), variant);
        }
        if (schema.contains(u"const"_s))
            return schema[u"const"_s];
        if (schema.contains(u"enum"_s))
            return schema[u"enum"_s].toArray().first();
        const QJsonValue type = schema[u"type"_s].isArray() ? schema[u"type"_s].toArray().first() : schema[u"type"_s];
        if (type == u"string"_s || !schema.contains(u"type"_s))
            return u"text"_s;
        if (type == u"number"_s || type == u"integer"_s)
            return 1;
        if (type == u"boolean"_s)
            return true;
        if (type == u"array"_s)
            return QJsonArray{sample(schema[u"items"_s].toObject(), variant)};
        QJsonObject object;
        const QJsonObject members = schema[u"properties"_s].toObject();
        const QJsonArray required = schema[u"required"_s].toArray();
        for (auto it = members.begin(); it != members.end(); ++it) {
            if (variant > 0 || required.contains(it.key()))
                object.insert(it.key(), sample(it->toObject(), variant));
        }
        if (isInputRequired)
            object[u"resultType"_s] = u"input_required"_s;
        const QJsonObject others = schema[u"additionalProperties"_s].toObject();
        if (!others.isEmpty() && variant > 0 && !isAnyValue(others))
            object.insert(u"other"_s, sample(others, variant));
        return object;
    }

    // What the schema generator made of "any value" forbids null and fractions, which the specification does not.
    bool isAnyValue(const QJsonObject &schema) const { return schema[u"$ref"_s].toString().endsWith(u"/JSONValue"_s); }

    bool accepts(const QJsonObject &of, const QByteArray &value)
    {
        const QByteArray name = compactJson(of);
        auto known = schemas.find(name);
        if (known == schemas.end()) {
            QJsonObject whole{{u"$schema"_s, root[u"$schema"_s]}, {key, definitions}};
            whole.insert(u"allOf"_s, QJsonArray{of});
            known = schemas.emplace(name, schema::Schema(json::parse(compactJson(whole)))).first;
        }
        return known->second.validate(json::parse(value)).isEmpty();
    }

    const QByteArray text;
    const QJsonObject root;
    const QString key;
    const QJsonObject definitions;
    std::map<QByteArray, schema::Schema> schemas;
};

struct OfficialMethod {
    Sender sender = Sender::Client;
    QString method;
    bool isNotification = false;
    QJsonObject params;
    QJsonObject result;
};

QList<OfficialMethod> methodsOf(const Official &official)
{
    QList<OfficialMethod> all;
    const std::pair<const char *, Sender> unions[] = {{"ClientRequest", Sender::Client},
                                                      {"ClientNotification", Sender::Client},
                                                      {"ServerRequest", Sender::Server},
                                                      {"ServerNotification", Sender::Server}};
    for (const auto &[name, sender] : unions) {
        const QJsonObject of = official.definitions[QLatin1StringView(name)].toObject();
        if (of.isEmpty())
            continue;
        for (const QJsonValue each : of.contains(u"anyOf"_s) ? of[u"anyOf"_s].toArray() : QJsonArray{of}) {
            QString type = each[u"$ref"_s].toString().section(u'/', -1);
            const QJsonObject members = official.resolved(each.toObject())[u"properties"_s].toObject();
            OfficialMethod method{sender,
                                  members[u"method"_s][u"const"_s].toString(),
                                  QLatin1StringView(name).endsWith("Notification"_L1),
                                  members[u"params"_s].toObject(),
                                  {}};
            type.replace(u"Request"_s, u"Result"_s);
            const QJsonObject response = official.definitions[type + u"Response"_s].toObject();
            if (method.isNotification)
                method.result = {};
            else if (!response.isEmpty())
                method.result = response[u"properties"_s][u"result"_s].toObject();
            else if (official.definitions.contains(type))
                method.result = {{u"$ref"_s, u"#/"_s + official.key + u'/' + type}};
            all.append(method);
        }
    }
    return all;
}

// Each value within it replaced by one of another kind, and each removed.
void mutate(const QJsonValue &whole, const std::function<void(const QJsonValue &)> &use)
{
    static const QJsonArray others{QJsonValue(), true, 1.5, u"x"_s, QJsonArray(), QJsonObject()};
    if (whole.isObject()) {
        const QJsonObject object = whole.toObject();
        for (auto it = object.begin(); it != object.end(); ++it) {
            QJsonObject changed = object;
            changed.remove(it.key());
            use(changed);
            for (const QJsonValue other : others) {
                changed[it.key()] = other;
                use(changed);
            }
            mutate(it.value(), [&](const QJsonValue &inner) {
                changed[it.key()] = inner;
                use(changed);
            });
        }
    } else if (whole.isArray() && !whole.toArray().isEmpty()) {
        for (const QJsonValue other : others)
            use(QJsonArray{other});
        mutate(whole.toArray().first(), [&](const QJsonValue &inner) { use(QJsonArray{inner}); });
    }
}

struct Comparison {
    int compared = 0;
    int refused = 0;
    QStringList differences;
};

// Both judge the value, which is the params of the method or the result of it.
void compare(Official &official, const OfficialMethod &each, Revision revision, const QJsonValue &value, bool isResult,
             Comparison *tally)
{
    const QByteArray text = compactJson(value);
    QByteArray bytes = "{\"jsonrpc\":\"2.0\",";
    if (!each.isNotification)
        bytes += "\"id\":1,";
    bytes += isResult ? "\"result\":" + text : "\"method\":\"" + each.method.toUtf8() + "\",\"params\":" + text;
    const Message message = Message::parse(bytes + '}');
    const Sender sender = !isResult ? each.sender : each.sender == Sender::Client ? Sender::Server : Sender::Client;
    const QStringList findings = messageFindings(message, sender, isResult ? each.method : QString(), revision);
    // Which of them a result is, its resultType says.
    QJsonObject meant = isResult ? each.result : each.params;
    const QJsonArray branches = meant[u"anyOf"_s].toArray();
    if (isResult && !branches.isEmpty() && value[u"resultType"_s].isString() &&
        value[u"resultType"_s] != u"input_required"_s)
        meant = branches.last().toObject();
    const bool accepted = official.accepts(meant, text);
    ++tally->compared;
    tally->refused += accepted ? 0 : 1;
    if (accepted != findings.isEmpty() && tally->differences.size() < 20)
        tally->differences.append(each.method + u' ' + QString::fromUtf8(text) + u"\n    "_s +
                                  (accepted ? findings.join(u' ') : u"refused by the schema only"_s));
}

void compareAll(Official &official, const OfficialMethod &each, Revision revision, Comparison *tally)
{
    for (const bool isResult : {false, true}) {
        const QJsonObject of = isResult ? each.result : each.params;
        for (int variant = 0; variant < 4 && !of.isEmpty(); ++variant) {
            const QJsonValue sample = official.sample(of, variant);
            compare(official, each, revision, sample, isResult, tally);
            mutate(sample, [&](const QJsonValue &changed) {
                // The schema says integer where the specification says number: what a form is filled in with.
                if (!compactJson(changed).contains("\"other\":1.5"))
                    compare(official, each, revision, changed, isResult, tally);
            });
        }
    }
}

}  // namespace

class tst_MessageRules : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void agreeWithTheOfficialSchemas_data()
    {
        QTest::addColumn<Revision>("revision");
        for (const Revision revision : statefulRevisions() + statelessRevisions())
            QTest::newRow(qPrintable(toString(revision))) << revision;
    }

    void agreeWithTheOfficialSchemas()
    {
        QFETCH(Revision, revision);
        Official official(toString(revision));
        if (official.text.isEmpty())
            QSKIP("the official schemas are not on this machine");
        const QList<OfficialMethod> methods = methodsOf(official);
        QVERIFY(methods.size() > 15);
        Comparison tally;
        for (const OfficialMethod &each : methods) {
            compareAll(official, each, revision, &tally);
        }
        qInfo("%d messages compared, %d of them refused", tally.compared, tally.refused);
        QVERIFY2(tally.differences.isEmpty(), qPrintable(tally.differences.join(u'\n')));
        QVERIFY(tally.refused > 1000);
        QVERIFY(tally.compared - tally.refused > 500);
    }

    void recordedServers()
    {
        const QDir corpus(SharedFolder + u"/corpus"_s);
        const QStringList names = corpus.entryList({u"*.json"_s});
        if (names.isEmpty())
            QSKIP("the recorded servers are not on this machine");
        int tools = 0;
        for (const QString &name : names) {
            const QJsonObject recorded = QJsonDocument::fromJson(readAll(corpus.filePath(name))).object();
            const auto revision = revisionFromString(recorded[u"protocolVersion"_s].toString());
            if (!revision || !recorded[u"tools"_s].isArray())
                continue;
            Official official(toString(*revision));
            const QByteArray result = compactJson(QJsonObject{{u"tools"_s, recorded[u"tools"_s]}});
            const QStringList findings =
                messageFindings(Message::parse("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":" + result + '}'),
                                Sender::Server, u"tools/list"_s, *revision);
            const bool accepted =
                official.accepts({{u"$ref"_s, u"#/"_s + official.key + u"/ListToolsResult"_s}}, result);
            QVERIFY2(accepted == findings.isEmpty(), qPrintable(name + u' ' + findings.join(u' ')));
            tools += int(recorded[u"tools"_s].toArray().size());
        }
        QVERIFY(tools > 100);
    }

    void sayWhatIsWrong_data()
    {
        QTest::addColumn<Sender>("sender");
        QTest::addColumn<QString>("requestMethod");
        QTest::addColumn<Revision>("revision");
        QTest::addColumn<QByteArray>("rest");
        QTest::addColumn<QStringList>("expected");
        const auto row = [](const char *name, Sender sender, const char *method, Revision revision, const char *rest,
                            const QStringList &expected) {
            QTest::newRow(name) << sender << QString::fromLatin1(method) << revision << QByteArray(rest) << expected;
        };
        row("missing member", Sender::Server, "tools/list", Revision::R20251125,
            "'id':1,'result':{'tools':[{'name':'a','inputSchema':{'type':'object'}},{'name':'b'}]}",
            {u"'result.tools[1].inputSchema' is missing."_s});
        row("wrong kind", Sender::Server, "tools/list", Revision::R20250618,
            "'id':1,'result':{'tools':[{'name':5,'inputSchema':{'type':'array'}}]}",
            {u"'result.tools[0].name' must be a string; it is 5."_s,
             u"'result.tools[0].inputSchema.type' must be \"object\"; it is \"array\"."_s});
        row("no such content", Sender::Server, "tools/call", Revision::R20241105,
            "'id':1,'result':{'content':[{'type':'audio','data':'','mimeType':'a/b'}]}",
            {u"'result.content[0].type' must be \"text\", \"image\" or \"resource\"; it is \"audio\"."_s});
        row("the same is right later", Sender::Server, "tools/call", Revision::R20250326,
            "'id':1,'result':{'content':[{'type':'audio','data':'','mimeType':'a/b'}]}", {});
        row("closest of several", Sender::Server, "tools/call", Revision::R20251125,
            "'id':1,'result':{'content':[{'type':'image','data':'x'}]}",
            {u"'result.content[0].mimeType' is missing."_s});
        row("result without its kind", Sender::Server, "tools/call", Revision::R20260728,
            "'id':1,'result':{'content':[]}", {u"'result.resultType' is missing."_s});
        row("result that is no result", Sender::Server, "tools/call", Revision::R20260728,
            "'id':1,'result':{'resultType':'complete'}", {u"'result.content' is missing."_s});
        row("out of bounds", Sender::Server, "resources/list", Revision::R20251125,
            "'id':1,'result':{'resources':[{'uri':'a:b','name':'c','annotations':{'priority':2}}]}",
            {u"'result.resources[0].annotations.priority' must be 0 to 1; it is 2."_s});
        row("unknown level", Sender::Server, "", Revision::R20251125,
            "'method':'notifications/message','params':{'level':'loud','data':1}",
            {u"'params.level' must be \"debug\", \"info\", \"notice\", \"warning\", \"error\", \"critical\", "
             u"\"alert\" or \"emergency\"; it is \"loud\"."_s});
        row("not yet", Sender::Server, "", Revision::R20250326, "'id':1,'method':'elicitation/create','params':{}",
            {u"Revision 2025-03-26 has no elicitation/create."_s});
        row("not any more", Sender::Client, "", Revision::R20260728,
            "'id':1,'method':'resources/subscribe','params':{}",
            {u"Revision 2026-07-28 has no resources/subscribe."_s});
        row("of the other side", Sender::Server, "", Revision::R20251125, "'id':1,'method':'tools/list'",
            {u"Servers do not send tools/list in revision 2025-11-25."_s});
        row("method of its own", Sender::Server, "", Revision::R20251125, "'method':'notifications/mine'", {});
        row("notification with an id", Sender::Client, "", Revision::R20251125,
            "'id':4,'method':'notifications/initialized'",
            {u"notifications/initialized is a notification and must not have an 'id'."_s});
        row("no params", Sender::Client, "", Revision::R20251125, "'id':1,'method':'tools/call'",
            {u"'params' is missing."_s});
        row("error data", Sender::Server, "tools/call", Revision::R20251125,
            "'id':1,'error':{'code':-32042,'message':'m','data':{}}", {u"'error.data.elicitations' is missing."_s});
        row("only the first few", Sender::Server, "tools/list", Revision::R20251125,
            "'id':1,'result':{'tools':[1,2,3,4,5,6,7]}",
            {u"'result.tools[0]' must be an object; it is 1."_s, u"'result.tools[1]' must be an object; it is 2."_s,
             u"'result.tools[2]' must be an object; it is 3."_s, u"'result.tools[3]' must be an object; it is 4."_s,
             u"'result.tools[4]' must be an object; it is 5."_s});
    }

    void sayWhatIsWrong()
    {
        QFETCH(Sender, sender);
        QFETCH(QString, requestMethod);
        QFETCH(Revision, revision);
        QFETCH(QByteArray, rest);
        QFETCH(QStringList, expected);
        const Message message = Message::parse("{\"jsonrpc\":\"2.0\"," + rest.replace('\'', '"') + '}');
        QCOMPARE(message.problems(), QStringList());
        QCOMPARE(messageFindings(message, sender, requestMethod, revision), expected);
    }
};

SONDE_TEST(tst_MessageRules)
#include "tst_messagerules.moc"
