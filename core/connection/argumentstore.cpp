// SPDX-License-Identifier: Apache-2.0
#include "core/connection/argumentstore.h"

#include "core/files/filelimits.h"
#include "core/json/builder.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace sonde {

using namespace Qt::StringLiterals;

namespace {

QByteArray lineOf(const ArgumentStore::Place &place, const QByteArray &arguments)
{
    json::Builder builder;
    builder.beginObject().member(u"server", place.server).member(u"kind", place.kind).member(u"name", place.name);
    return builder.rawMember(u"arguments", arguments).endObject().take();
}

}  // namespace

ArgumentStore::ArgumentStore(const QString &path)
    : m_file(path, {.content = JsonStore::Content::Lines, .maxBytes = filelimits::RememberedArguments})
{}

QByteArray ArgumentStore::recall(const Place &place)
{
    load();
    return m_entries.value(place).arguments;
}

Error ArgumentStore::remember(const Place &place, const QByteArray &arguments)
{
    load();
    if (arguments.isEmpty() || arguments.size() > MaxArguments || arguments.contains('\n'))
        return saveAgain();
    Entry &entry = m_entries[place];
    entry.age = ++m_count;
    if (entry.arguments != arguments) {
        entry.arguments = arguments;
        entry.isSaved = false;
        dropOldest(m_entries);
    }
    return saveAgain();
}

Error ArgumentStore::saveAgain()
{
    Entries unsaved;
    for (auto entry = m_entries.cbegin(); entry != m_entries.cend(); ++entry) {
        if (!entry->isSaved)
            unsaved.insert(entry.key(), *entry);
    }
    if (unsaved.isEmpty())
        return {};
    QByteArray lines = linesOf(unsaved);
    lines.chop(1);
    if (const Error error = m_file.append(lines))
        return error;
    for (Entry &entry : m_entries)
        entry.isSaved = true;
    return {};
}

Error ArgumentStore::forgetServer(const QString &server)
{
    return rewrite([&server](Entries &entries) {
        entries.removeIf([&server](const auto &entry) { return entry.key().server == server; });
    });
}

Error ArgumentStore::renameServer(const QString &from, const QString &to)
{
    return rewrite([&from, &to](Entries &entries) {
        Entries renamed;
        for (auto entry = entries.cbegin(); entry != entries.cend(); ++entry) {
            Place place = entry.key();
            if (place.server == from)
                place.server = to;
            renamed.insert(place, entry.value());
        }
        entries = renamed;
    });
}

qsizetype ArgumentStore::count()
{
    load();
    return m_entries.size();
}

Error ArgumentStore::forgetAll()
{
    return rewrite([](Entries &entries) { entries.clear(); });
}

// At the first use.
void ArgumentStore::load()
{
    if (std::exchange(m_isLoaded, true))
        return;
    const QByteArray text = m_file.read();
    read(text, m_entries, m_count);
    if (text.size() > MaxFile)
        (void)rewrite([](Entries &) {});
}

void ArgumentStore::read(const QByteArray &text, Entries &entries, quint64 &count)
{
    for (const json::Value &entry : JsonStore::objectsIn(text)) {
        const json::Value arguments = entry[u"arguments"];
        if (!arguments.isObject() || arguments.slice().size() > MaxArguments)
            continue;
        const Place place{entry[u"server"].string(), entry[u"kind"].string(), entry[u"name"].string()};
        entries.insert(place, {arguments.bytes(), ++count});
    }
    dropOldest(entries);
}

Error ArgumentStore::rewrite(const Change &change)
{
    load();
    change(m_entries);
    return m_file.change([&change](const QByteArray &text) {
        Entries entries;
        quint64 count = 0;
        read(text, entries, count);
        change(entries);
        return linesOf(entries);
    });
}

QByteArray ArgumentStore::linesOf(const Entries &entries)
{
    std::vector<std::pair<quint64, Place>> order;
    for (auto entry = entries.cbegin(); entry != entries.cend(); ++entry)
        order.emplace_back(entry->age, entry.key());
    std::sort(order.begin(), order.end(), [](const auto &left, const auto &right) { return left.first < right.first; });
    QByteArray lines;
    for (const auto &[age, place] : order)
        lines += lineOf(place, entries.value(place).arguments) + '\n';
    return lines;
}

void ArgumentStore::dropOldest(Entries &entries)
{
    if (entries.size() <= MaxPlaces)
        return;
    std::vector<quint64> ages;
    for (const Entry &entry : std::as_const(entries))
        ages.push_back(entry.age);
    const auto oldestKept = ages.end() - MaxPlaces;
    std::nth_element(ages.begin(), oldestKept, ages.end());
    entries.removeIf([age = *oldestKept](const auto &entry) { return entry.value().age < age; });
}

}  // namespace sonde
