// SPDX-License-Identifier: Apache-2.0
#include "app/demo/rawjson.h"

#include "core/json/builder.h"
#include "core/json/document.h"

#include <algorithm>

namespace sonde::demo::json {

constexpr int MaxDepth = 512;

using sonde::json::Document;
using sonde::json::Finding;
using sonde::json::Value;

bool isValid(const QByteArray &text, QString *why)
{
    const Document document = Document::parse(text, {.maxDepth = MaxDepth});
    const QList<Finding> &findings = document.findings();
    const auto error = std::find_if(findings.begin(), findings.end(), [](const Finding &finding) {
        return finding.severity == Finding::Severity::Error;
    });
    if (why && error != findings.end())
        *why = QStringLiteral("at byte %1: %2").arg(error->offset).arg(error->reason);
    return document.isValid();
}

QByteArray compacted(const QByteArray &text)
{
    return sonde::json::compact(sonde::json::parse(text));
}

QList<Member> members(const QByteArray &object)
{
    QList<Member> result;
    const Value value = sonde::json::parse(object);
    if (value.isObject()) {
        for (const Value &each : value)
            result.append({each.key(), each.bytes()});
    }
    return result;
}

QList<QByteArray> elements(const QByteArray &array)
{
    QList<QByteArray> result;
    const Value value = sonde::json::parse(array);
    if (value.isArray()) {
        for (const Value &each : value)
            result.append(each.bytes());
    }
    return result;
}

QByteArray member(const QByteArray &object, const QString &name)
{
    return sonde::json::parse(object)[name].bytes();
}

bool isString(const QByteArray &value)
{
    return value.startsWith('"');
}

bool isNumber(const QByteArray &value)
{
    return !value.isEmpty() && (value.front() == '-' || (value.front() >= '0' && value.front() <= '9'));
}

bool isInteger(const QByteArray &value)
{
    return isNumber(value) && !value.contains('.') && !value.contains('e') && !value.contains('E');
}

bool isObject(const QByteArray &value)
{
    return value.startsWith('{');
}

QString text(const QByteArray &string, const QString &fallback)
{
    return sonde::json::parse(string).string(fallback);
}

QByteArray quoted(const QString &text)
{
    return sonde::json::Builder().string(text).take();
}

Object &Object::raw(const char *name, const QByteArray &value)
{
    if (!m_text.isEmpty())
        m_text.append(',');
    m_text.append('"').append(name).append("\":").append(value);
    return *this;
}

QByteArray withMember(QByteArray object, const char *name, const QByteArray &value)
{
    object.chop(1);
    return object + (object.size() > 1 ? ",\"" : "\"") + name + "\":" + value + '}';
}

QByteArray array(const QList<QByteArray> &values)
{
    return '[' + values.join(',') + ']';
}

}  // namespace sonde::demo::json
