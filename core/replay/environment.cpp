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
void addPairs(json::Builder &builder, QStringView key, const std::optional<EventFacts::Pairs> &pairs,
              const QStringList &without = {})
{
    if (!pairs)
        return;
    QMap<QString, QString> values;
    for (const auto &[name, recorded] : *pairs) {
        if (without.contains(name, Qt::CaseInsensitive))
            continue;
        const QString value = withoutMarkDigits(recorded);
        values[name] = values.contains(name) ? values[name] + u", "_s + value : value;
    }
    builder.key(key).beginObject();
    for (auto it = values.cbegin(); it != values.cend(); ++it)
        builder.member(it.key(), it.value());
    builder.endObject();
}

void addTexts(json::Builder &builder, QStringView key, const std::optional<QStringList> &texts, qsizetype from = 0)
{
    if (!texts)
        return;
    builder.key(key).beginArray();
    for (qsizetype i = from; i < texts->size(); ++i)
        builder.string(withoutMarkDigits(texts->at(i)));
    builder.endArray();
}

void addText(json::Builder &builder, QStringView key, const std::optional<QString> &text)
{
    if (text)
        builder.member(key, withoutMarkDigits(*text));
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
    const EventFacts open = EventFacts::read(openingFactsOf(session, handshakeRow));
    const json::Value params = session.message(handshakeRow).params();
    json::Builder builder;
    builder.beginObject();
    addText(builder, u"transport", open.transport);
    addText(builder, u"program", open.program);
    addTexts(builder, u"arguments", open.argv, 1);
    addText(builder, u"workingDirectory", open.cwd);
    addPairs(builder, u"variables", open.variables);
    addTexts(builder, u"inherited", open.inherited);
    addText(builder, u"url", open.url);
    if (open.url)
        addPairs(builder, u"headers", EventFacts::read(requestFactsOf(session, handshakeRow)).headers,
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
