// SPDX-License-Identifier: Apache-2.0
#include "core/transport/eventfacts.h"

#include "core/json/builder.h"
#include "core/json/scan.h"

namespace sonde {

namespace {

void readFact(QByteArrayView json, std::optional<qint64> &number)
{
    bool isPlain = false;
    number = json.toLongLong(&isPlain);
    if (!isPlain)  // 1.0, or no number at all
        number = json::parse(json.toByteArray()).toInteger();
}

void readFact(QByteArrayView json, std::optional<QString> &text)
{
    text.reset();
    if (json.startsWith('"'))
        text = json::decoded(json);
}

void readFact(QByteArrayView json, std::optional<QStringList> &texts)
{
    texts.reset();
    if (!json.startsWith('['))
        return;
    texts.emplace();
    for (const json::Value &text : json::parse(json.toByteArray()))
        texts->append(text.string());
}

void readFact(QByteArrayView json, std::optional<EventFacts::Pairs> &pairs)
{
    pairs.reset();
    if (!json.startsWith('['))
        return;
    pairs.emplace();
    for (const json::Value &pair : json::parse(json.toByteArray()))
        pairs->append({pair.at(0).string(), pair.at(1).string()});
}

void readFact(QByteArrayView json, QByteArray &written)
{
    written = json.toByteArray();
}

void readFact(QByteArrayView json, bool &flag)
{
    flag = json == "true";
}

void writeFact(json::Builder &json, QStringView name, const std::optional<qint64> &number)
{
    if (number)
        json.member(name, *number);
}

void writeFact(json::Builder &json, QStringView name, const std::optional<QString> &text)
{
    if (text)
        json.member(name, *text);
}

void writeFact(json::Builder &json, QStringView name, const std::optional<QStringList> &texts)
{
    if (!texts)
        return;
    json.key(name).beginArray();
    for (const QString &text : *texts)
        json.string(text);
    json.endArray();
}

// The shape in which credentials are looked for.
void writeFact(json::Builder &json, QStringView name, const std::optional<EventFacts::Pairs> &pairs)
{
    if (!pairs)
        return;
    json.key(name).beginArray();
    for (const auto &[key, value] : *pairs)
        json.beginArray().string(key).string(value).endArray();
    json.endArray();
}

void writeFact(json::Builder &json, QStringView name, const QByteArray &written)
{
    if (!written.isEmpty())
        json.rawMember(name, written);
}

void writeFact(json::Builder &json, QStringView name, bool flag)
{
    if (flag)
        json.member(name, true);
}

}  // namespace

EventFacts EventFacts::read(QByteArrayView json)
{
    EventFacts facts;
    json::scanMembers(json, [&facts](QByteArrayView key, QByteArrayView value) {
        const QString name = json::decoded(key);
        each(facts, [&name, value](QStringView known, auto &fact) {
            if (name == known)
                readFact(value, fact);
        });
    });
    return facts;
}

std::optional<qint64> EventFacts::readNumber(QByteArrayView json, std::optional<qint64> EventFacts::*fact)
{
    std::optional<qint64> number;
    const QByteArrayView written = json::findMember(json, nameOf(fact).toLatin1());
    if (!written.isEmpty())
        readFact(written, number);
    return number;
}

EventFacts::Pairs EventFacts::pairs(const QList<std::pair<QByteArray, QByteArray>> &list)
{
    Pairs pairs;
    pairs.reserve(list.size());
    for (const auto &[name, value] : list)
        pairs.append({QString::fromUtf8(name), QString::fromUtf8(value)});
    return pairs;
}

QByteArray EventFacts::toJson() const
{
    json::Builder json;
    json.beginObject();
    each(*this, [&json](QStringView name, const auto &fact) { writeFact(json, name, fact); });
    const QByteArray object = json.endObject().take();
    return object == "{}" ? QByteArray() : object;
}

EventCode EventFacts::eventCode() const
{
    return what ? eventCodeOf(*what) : EventCode::None;
}

}  // namespace sonde
