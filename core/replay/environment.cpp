// SPDX-License-Identifier: Apache-2.0
#include "core/replay/environment.h"

#include "core/calls/exchange.h"
#include "core/json/builder.h"
#include "core/json/pointer.h"
#include "core/redact/secretmarks.h"

#include <QCryptographicHash>
#include <QMap>
#include <QMessageAuthenticationCode>
#include <QRandomGenerator>
#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace sonde {

namespace {

// [["NAME","value"],…] as an object. A name that occurs twice has both values.
void addPairs(json::Builder &builder, QStringView key, const json::Value &pairs, const QStringList &without = {})
{
    if (!pairs.isArray())
        return;
    QMap<QString, QString> values;
    for (const json::Value &pair : pairs) {
        const QString name = pair.at(0).string();
        if (without.contains(name, Qt::CaseInsensitive))
            continue;
        const QString value = withoutMarkDigits(pair.at(1).string());
        values[name] = values.contains(name) ? values[name] + u", "_s + value : value;
    }
    builder.key(key).beginObject();
    for (auto it = values.cbegin(); it != values.cend(); ++it)
        builder.member(it.key(), it.value());
    builder.endObject();
}

void addTexts(json::Builder &builder, QStringView key, const json::Value &texts, qsizetype from = 0)
{
    if (!texts.isArray())
        return;
    builder.key(key).beginArray();
    qsizetype index = 0;
    for (const json::Value &text : texts) {
        if (index++ >= from)
            builder.string(withoutMarkDigits(text.string()));
    }
    builder.endArray();
}

void addText(json::Builder &builder, QStringView key, const json::Value &text)
{
    if (text.isString())
        builder.member(key, withoutMarkDigits(text.string()));
}

QByteArray print(const QString &secret)
{
    static const QByteArray key = [] {
        QByteArray bytes(32, Qt::Uninitialized);
        QRandomGenerator::system()->generate(bytes.begin(), bytes.end());
        return bytes;
    }();
    return QMessageAuthenticationCode::hash(secret.toUtf8(), key, QCryptographicHash::Sha256);
}

}  // namespace

json::Value environmentOf(const Session &session, qsizetype handshakeRow)
{
    const json::Value open = json::parse(openingFactsOf(session, handshakeRow));
    const json::Value params = session.message(handshakeRow).params();
    json::Builder builder;
    builder.beginObject();
    addText(builder, u"transport", open[u"transport"]);
    addText(builder, u"program", open[u"program"]);
    addTexts(builder, u"arguments", open[u"argv"], 1);
    addText(builder, u"workingDirectory", open[u"cwd"]);
    addPairs(builder, u"variables", open[u"variables"]);
    addTexts(builder, u"inherited", open[u"inherited"]);
    addText(builder, u"url", open[u"url"]);
    if (open[u"url"].exists())
        addPairs(builder, u"headers", json::parse(requestFactsOf(session, handshakeRow))[u"headers"],
                 {u"content-length"_s, u"host"_s});
    // In initialize, or in the _meta of server/discover.
    const auto addDeclared = [&](QStringView key, QStringView name, const QString &metaName) {
        const json::Value value =
            params.contains(name) ? params[name] : params[u"_meta"][u"io.modelcontextprotocol/"_s + metaName];
        if (value.exists())
            builder.key(key).value(value);
    };
    addDeclared(u"client", u"clientInfo", u"clientInfo"_s);
    addDeclared(u"capabilities", u"capabilities", u"clientCapabilities"_s);
    addDeclared(u"protocolVersion", u"protocolVersion", u"protocolVersion"_s);
    return json::parse(builder.endObject().take());
}

QHash<QString, QByteArray> secretPrintsOf(const ServerSpec &spec)
{
    QHash<QString, QByteArray> prints;
    const auto add = [&prints](const QStringList &place, const QString &value) {
        prints.insert(json::Pointer(place).toString(), print(value));
    };
    for (const auto &[name, value] : spec.environment)
        add({u"variables"_s, name}, value);
    for (const auto &[name, value] : spec.headers)
        add({u"headers"_s, name.trimmed()}, value.trimmed());
    for (qsizetype i = 0; i < spec.arguments.size(); ++i)
        add({u"arguments"_s, QString::number(i)}, spec.arguments[i]);
    add({u"url"_s}, spec.url.toString(QUrl::FullyEncoded));
    return prints;
}

QString withoutMarkDigits(const QString &text)
{
    const QByteArray bytes = text.toUtf8();
    if (nextMark(bytes) < 0)
        return text;
    QByteArray result;
    qsizetype done = 0;
    for (qsizetype at = nextMark(bytes); at >= 0; at = nextMark(bytes, done)) {
        const qsizetype end = at + markLength(bytes, at);
        const bool isNumber = !QByteArrayView(bytes).sliced(at).startsWith(MarkBegin);
        result += bytes.sliced(done, at - done);
        result += isNumber ? bytes.sliced(at, end - at) : MarkBegin + kindOfMark(bytes, at) + MarkEnd;
        done = end;
    }
    return QString::fromUtf8(result + bytes.sliced(done));
}

bool holdsMark(const QString &text)
{
    static const QRegularExpression bare(u"\u2039[a-z0-9-]{1,40}\u203A"_s);
    return text.contains(bare);
}

}  // namespace sonde
