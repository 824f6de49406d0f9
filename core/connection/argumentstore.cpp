// SPDX-License-Identifier: Apache-2.0
#include "core/connection/argumentstore.h"

#include "core/json/builder.h"

#include <fcntl.h>
#include <unistd.h>
#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSaveFile>
#include <QStandardPaths>
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
    return Error::local(ArgumentStoreText::tr("The arguments could not be kept in %1: %2").arg(path, reason));
}

}  // namespace

ArgumentStore::ArgumentStore(const QString &path)
    : m_path(path.isEmpty()
                 ? QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) + u"/sonde/arguments.jsonl"_s
                 : path)
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
        return {};
    Entry &entry = m_entries[place];
    entry.age = ++m_count;
    if (entry.arguments == arguments)
        return {};
    entry.arguments = arguments;
    dropOldest();
    return append(lineOf(place, arguments));
}

Error ArgumentStore::forgetServer(const QString &server)
{
    load();
    const auto gone = m_entries.removeIf([&server](const auto &entry) { return entry.key().server == server; });
    return gone > 0 ? rewrite() : Error();
}

Error ArgumentStore::renameServer(const QString &from, const QString &to)
{
    load();
    QHash<Place, Entry> renamed;
    for (auto entry = m_entries.cbegin(); entry != m_entries.cend(); ++entry) {
        Place place = entry.key();
        if (place.server == from)
            place.server = to;
        renamed.insert(place, entry.value());
    }
    m_entries = renamed;
    return rewrite();
}

// At the first use. Lines that cannot be read are passed over: nothing here is worth a complaint.
void ArgumentStore::load()
{
    if (std::exchange(m_isLoaded, true))
        return;
    QFile file(m_path);
    if (!file.open(QIODevice::ReadOnly))
        return;
    const qint64 size = file.size();
    file.seek(qMax<qint64>(0, size - 2 * MaxFile));
    const QByteArray text = file.read(2 * MaxFile);
    m_isTorn = !text.isEmpty() && !text.endsWith('\n');
    for (const QByteArray &line : text.split('\n')) {
        const json::Document document = json::Document::parse(line);
        const json::Value entry = document.root();
        const json::Value arguments = entry[u"arguments"];
        if (!document.isValid() || !arguments.isObject() || arguments.slice().size() > MaxArguments)
            continue;
        const Place place{entry[u"server"].string(), entry[u"kind"].string(), entry[u"name"].string()};
        m_entries.insert(place, {arguments.bytes(), ++m_count});
    }
    dropOldest();
    if (size > MaxFile)
        (void)rewrite();
}

Error ArgumentStore::append(const QByteArray &line)
{
    if (!QDir().mkpath(QFileInfo(m_path).path()))
        return notKept(m_path, ArgumentStoreText::tr("its folder cannot be made."));
    const int descriptor =
        ::open(QFile::encodeName(m_path).constData(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (descriptor < 0)
        return notKept(m_path, qt_error_string(errno));
    const QByteArray bytes = std::exchange(m_isTorn, false) ? '\n' + line : line;
    const ssize_t written = ::write(descriptor, bytes.constData(), size_t(bytes.size()));
    const Error error = written == bytes.size() ? Error() : notKept(m_path, qt_error_string(errno));
    m_isTorn = written >= 0 && written != bytes.size();
    ::close(descriptor);
    return error;
}

Error ArgumentStore::rewrite()
{
    std::vector<std::pair<quint64, Place>> order;
    for (auto entry = m_entries.cbegin(); entry != m_entries.cend(); ++entry)
        order.emplace_back(entry->age, entry.key());
    std::sort(order.begin(), order.end(), [](const auto &left, const auto &right) { return left.first < right.first; });
    QSaveFile file(m_path);
    if (!file.open(QIODevice::WriteOnly))
        return notKept(m_path, file.errorString());
    file.setPermissions(QFile::ReadOwner | QFile::WriteOwner);
    for (const auto &[age, place] : order)
        file.write(lineOf(place, m_entries.value(place).arguments));
    m_isTorn = false;
    return file.commit() ? Error() : notKept(m_path, file.errorString());
}

void ArgumentStore::dropOldest()
{
    if (m_entries.size() <= MaxPlaces)
        return;
    std::vector<quint64> ages;
    for (const Entry &entry : std::as_const(m_entries))
        ages.push_back(entry.age);
    const auto oldestKept = ages.end() - MaxPlaces;
    std::nth_element(ages.begin(), oldestKept, ages.end());
    m_entries.removeIf([age = *oldestKept](const auto &entry) { return entry.value().age < age; });
}

}  // namespace sonde
