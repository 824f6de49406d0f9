// SPDX-License-Identifier: Apache-2.0
#include "core/connection/argumentstore.h"

#include "core/files/filelimits.h"
#include "core/files/filelock.h"
#include "core/files/readfile.h"
#include "core/files/savefile.h"
#include "core/files/userfolder.h"
#include "core/json/builder.h"

#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>
#include <QSaveFile>
#include <algorithm>
#include <vector>

namespace sonde {

using namespace Qt::StringLiterals;

namespace {

struct ArgumentStoreText {
    Q_DECLARE_TR_FUNCTIONS(sonde::ArgumentStore)
};

QByteArray lineOf(const ArgumentStore::Place &place, const QByteArray &arguments)
{
    json::Builder builder;
    builder.beginObject().member(u"server", place.server).member(u"kind", place.kind).member(u"name", place.name);
    return builder.rawMember(u"arguments", arguments).endObject().take() + '\n';
}

Error notKept(const QString &path, const QString &reason)
{
    return Error::local(ArgumentStoreText::tr("The arguments could not be saved in %1: %2").arg(path, reason));
}

// Beside the file, which another one takes the place of when it is written anew. Nobody holds it for longer than it
// takes to write a few megabytes.
QString lockPath(const QString &path)
{
    return path + u".lock"_s;
}

bool endsInMiddleOfLine(QFile &file)
{
    char last = '\n';
    return file.size() > 0 && file.seek(file.size() - 1) && file.getChar(&last) && last != '\n';
}

}  // namespace

ArgumentStore::ArgumentStore(const QString &path) : m_path(path)
{
    const QString folder = userFolder(UserFolder::Data);
    if (m_path.isEmpty() && !folder.isEmpty())
        m_path = folder + u"/arguments.jsonl"_s;
}

QByteArray ArgumentStore::recall(const Place &place)
{
    load();
    return m_entries.value(place).arguments;
}

Error ArgumentStore::remember(const Place &place, const QByteArray &arguments)
{
    load();
    if (arguments.isEmpty() || arguments.size() > MaxArguments || arguments.contains('\n'))
        return {};
    Entry &entry = m_entries[place];
    entry.age = ++m_count;
    if (entry.arguments == arguments)
        return {};
    entry.arguments = arguments;
    dropOldest(m_entries);
    return append(lineOf(place, arguments));
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

// At the first use.
void ArgumentStore::load()
{
    if (std::exchange(m_isLoaded, true))
        return;
    if (read(m_path, m_entries, m_count))
        (void)rewrite([](Entries &) {});
}

// Lines that cannot be read are passed over: nothing here is worth a complaint.
bool ArgumentStore::read(const QString &path, Entries &entries, quint64 &count)
{
    const Result<QByteArray> text = readFile(path, filelimits::RememberedArguments, IfLarger::ReadEnd);
    if (!text)
        return false;
    for (const QByteArray &line : text->split('\n')) {
        const json::Document document = json::Document::parse(line);
        const json::Value entry = document.root();
        const json::Value arguments = entry[u"arguments"];
        if (!document.isValid() || !arguments.isObject() || arguments.slice().size() > MaxArguments)
            continue;
        const Place place{entry[u"server"].string(), entry[u"kind"].string(), entry[u"name"].string()};
        entries.insert(place, {arguments.bytes(), ++count});
    }
    dropOldest(entries);
    return text->size() > MaxFile;
}

Error ArgumentStore::append(const QByteArray &line)
{
    if (m_path.isEmpty())
        return noUserFolder();
    if (const Error error = makePrivateFolder(QFileInfo(m_path).absolutePath()))
        return notKept(m_path, error.message);
    const FileLock lock(lockPath(m_path));
    const QFileInfo info(m_path);
    if (info.isSymLink() || (info.exists() && !info.isFile()))
        return notKept(m_path, ArgumentStoreText::tr("Not an ordinary file"));
    QFile file(m_path);
    if (!file.open(QIODevice::ReadWrite | QIODevice::Append | QIODevice::Unbuffered,
                   QFileDevice::ReadOwner | QFileDevice::WriteOwner))
        return notKept(m_path, file.errorString());
    // After a window that was killed, or a disk that was full, in the middle of a line.
    const QByteArray bytes = endsInMiddleOfLine(file) ? '\n' + line : line;
    return file.write(bytes) == bytes.size() ? Error() : notKept(m_path, file.errorString());
}

Error ArgumentStore::rewrite(const Change &change)
{
    load();
    change(m_entries);
    if (!QFileInfo::exists(m_path))
        return {};
    const FileLock lock(lockPath(m_path));
    Entries entries;
    quint64 count = 0;
    read(m_path, entries, count);
    change(entries);
    return write(m_path, entries);
}

Error ArgumentStore::write(const QString &path, const Entries &entries)
{
    std::vector<std::pair<quint64, Place>> order;
    for (auto entry = entries.cbegin(); entry != entries.cend(); ++entry)
        order.emplace_back(entry->age, entry.key());
    std::sort(order.begin(), order.end(), [](const auto &left, const auto &right) { return left.first < right.first; });
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly))
        return notKept(path, file.errorString());
    file.setPermissions(QFile::ReadOwner | QFile::WriteOwner);
    for (const auto &[age, place] : order)
        file.write(lineOf(place, entries.value(place).arguments));
    const QString reason = commitFile(file);
    return reason.isEmpty() ? Error() : notKept(path, reason);
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
