// SPDX-License-Identifier: Apache-2.0
#include "core/connection/argumentstore.h"

#include "core/files/savefile.h"
#include "core/files/userfolder.h"
#include "core/json/builder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>
#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>
#include <QSaveFile>
#include <algorithm>
#include <cerrno>
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

// Held by one window at a time while it writes; the system frees it when its holder dies. Beside the file, which
// another one takes the place of when it is written anew.
class ArgumentLock {
public:
    explicit ArgumentLock(const QString &path)
        : m_descriptor(::open(QFile::encodeName(path + u".lock"_s).constData(),
                              O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600))
    {
        // Nobody holds it for longer than it takes to write a few megabytes.
        while (m_descriptor >= 0 && ::flock(m_descriptor, LOCK_EX) != 0 && errno == EINTR) {
        }
    }
    ~ArgumentLock()
    {
        if (m_descriptor >= 0)
            ::close(m_descriptor);
    }
    Q_DISABLE_COPY_MOVE(ArgumentLock)

private:
    int m_descriptor;
};

bool endsInMiddleOfLine(int descriptor)
{
    char last = '\n';
    const off_t end = ::lseek(descriptor, 0, SEEK_END);
    return end > 0 && ::pread(descriptor, &last, 1, end - 1) == 1 && last != '\n';
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
    QFile file(path);
    if (path.isEmpty() || !file.open(QIODevice::ReadOnly))
        return false;
    const qint64 size = file.size();
    file.seek(qMax<qint64>(0, size - 2 * MaxFile));
    const QByteArray text = file.read(2 * MaxFile);
    for (const QByteArray &line : text.split('\n')) {
        const json::Document document = json::Document::parse(line);
        const json::Value entry = document.root();
        const json::Value arguments = entry[u"arguments"];
        if (!document.isValid() || !arguments.isObject() || arguments.slice().size() > MaxArguments)
            continue;
        const Place place{entry[u"server"].string(), entry[u"kind"].string(), entry[u"name"].string()};
        entries.insert(place, {arguments.bytes(), ++count});
    }
    dropOldest(entries);
    return size > MaxFile;
}

Error ArgumentStore::append(const QByteArray &line)
{
    if (m_path.isEmpty())
        return noUserFolder();
    if (const Error error = makePrivateFolder(QFileInfo(m_path).absolutePath()))
        return notKept(m_path, error.message);
    const ArgumentLock lock(m_path);
    const int descriptor =
        ::open(QFile::encodeName(m_path).constData(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (descriptor < 0)
        return notKept(m_path, qt_error_string(errno));
    // After a window that was killed, or a disk that was full, in the middle of a line.
    const QByteArray bytes = endsInMiddleOfLine(descriptor) ? '\n' + line : line;
    const ssize_t written = ::write(descriptor, bytes.constData(), size_t(bytes.size()));
    const Error error =
        written == bytes.size() ? Error() : notKept(m_path, qt_error_string(written < 0 ? errno : ENOSPC));
    ::close(descriptor);
    return error;
}

Error ArgumentStore::rewrite(const Change &change)
{
    load();
    change(m_entries);
    if (!QFileInfo::exists(m_path))
        return {};
    const ArgumentLock lock(m_path);
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
