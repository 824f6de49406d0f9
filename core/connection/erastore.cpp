// SPDX-License-Identifier: Apache-2.0
#include "core/connection/erastore.h"

#include "core/files/filelimits.h"
#include "core/json/builder.h"

#include <QCryptographicHash>

#include <algorithm>
#include <vector>

using namespace Qt::StringLiterals;

namespace sonde {

namespace {

// What decides about the server that is found. Arguments, variables and headers may hold secrets, hence a digest.
QString digestOf(const ServerSpec &spec)
{
    json::Builder builder;
    builder.beginArray();
    if (spec.startsProcess()) {
        builder.string(spec.command).string(spec.workingDirectory).boolean(spec.inheritEnvironment);
        if (spec.loginShellPath)
            builder.string(u"loginShellPath"_s);
        for (const QString &argument : spec.arguments)
            builder.string(argument);
        builder.beginObject();
        for (const auto &[name, value] : spec.environment)
            builder.member(name, value);
        builder.endObject();
    } else {
        builder.string(spec.url.toString(QUrl::RemoveUserInfo | QUrl::RemoveFragment | QUrl::FullyEncoded));
    }
    const QByteArray text = builder.endArray().take();
    return QString::fromLatin1(QCryptographicHash::hash(text, QCryptographicHash::Sha256).toHex());
}

bool isValidAt(qint64 since, qint64 now)
{
    return since <= now && now - since < EraStore::LifetimeSeconds;
}

}  // namespace

EraStore::EraStore(const QString &path) : m_file(path, {.maxBytes = filelimits::Eras}) {}

QDateTime EraStore::handshakeSince(const ServerSpec &spec, const QDateTime &now) const
{
    const qint64 since = entriesOf(m_file.read()).value(digestOf(spec), -1);
    return since >= 0 && isValidAt(since, now.toSecsSinceEpoch()) ? QDateTime::fromSecsSinceEpoch(since).toUTC()
                                                                  : QDateTime();
}

void EraStore::rememberHandshake(const ServerSpec &spec, const QDateTime &now)
{
    change([&](Entries &entries) {
        entries.insert(digestOf(spec), now.toSecsSinceEpoch());
        entries.removeIf([&now](const auto &entry) { return !isValidAt(entry.value(), now.toSecsSinceEpoch()); });
    });
}

void EraStore::forget(const ServerSpec &spec)
{
    const QString digest = digestOf(spec);
    if (entriesOf(m_file.read()).contains(digest))
        change([&digest](Entries &entries) { entries.remove(digest); });
}

EraStore::Entries EraStore::entriesOf(const QByteArray &text)
{
    Entries entries;
    for (const json::Value &member : json::parse(text)[u"handshake"]) {
        if (const std::optional<qint64> since = member.toInteger())
            entries.insert(member.key(), *since);
    }
    return entries;
}

void EraStore::change(const std::function<void(Entries &)> &change)
{
    (void)m_file.change([&change](const QByteArray &text) {
        Entries entries = entriesOf(text);
        change(entries);
        std::vector<std::pair<qint64, QString>> order;
        for (auto entry = entries.cbegin(); entry != entries.cend(); ++entry)
            order.emplace_back(entry.value(), entry.key());
        std::sort(order.rbegin(), order.rend());
        order.resize(std::min(order.size(), size_t(MaxServers)));
        json::Builder builder;
        builder.beginObject();
        for (const auto &[since, digest] : order)
            builder.member(digest, since);
        return JsonStore::withMember(text, u"handshake", builder.endObject().take()) + '\n';
    });
}

}  // namespace sonde
