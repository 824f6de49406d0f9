// SPDX-License-Identifier: Apache-2.0
#include "core/savedcalls/callfolders.h"

#include "core/files/filelimits.h"
#include "core/files/readfile.h"
#include "core/protocol/worker.h"
#include "core/savedcalls/texts.h"

#include <QDir>
#include <QFileInfo>
#include <QHash>
#include <QSet>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace sonde {

namespace {

constexpr int SoonMs = 50;

CallFile readCallFile(const QString &path, const CallFile *known, qint64 *bytes)
{
    CallFile file{path, {}, {}};
    const Result<QByteArray> text = readFile(path, filelimits::SavedCalls);
    if (!text) {
        file.problem = text.error();
        return file;
    }
    *bytes += text->size();
    if (known && !known->problem && known->call.source.bytes() == text->trimmed())
        return *known;
    const Result<SavedCall> call = SavedCall::parse(*text, path);
    if (call)
        file.call = *call;
    else
        file.problem = call.error();
    return file;
}

}  // namespace

CallFolders::CallFolders(QObject *parent) : QObject(parent)
{
    m_soon.setSingleShot(true);
    m_soon.setInterval(SoonMs);
    connect(&m_soon, &QTimer::timeout, this, &CallFolders::read);
    connect(&m_watcher, &QFileSystemWatcher::directoryChanged, this, &CallFolders::refresh);
    connect(&m_watcher, &QFileSystemWatcher::fileChanged, this, &CallFolders::refresh);
}

CallFolders::~CallFolders() = default;

void CallFolders::setFolders(const QStringList &folders)
{
    m_folders = folders;
    m_folders.removeDuplicates();
    read();
}

void CallFolders::refresh()
{
    if (!m_soon.isActive())
        m_soon.start();
}

const CallFile *CallFolders::file(const QString &path) const
{
    const auto found = std::ranges::find(m_files, path, &CallFile::path);
    return found == m_files.end() ? nullptr : &*found;
}

QList<CallFile> CallFolders::filesIn(const QString &folder) const
{
    QList<CallFile> found;
    std::ranges::copy_if(m_files, std::back_inserter(found),
                         [&folder](const CallFile &file) { return QFileInfo(file.path).path() == folder; });
    return found;
}

CallFolders::Listing CallFolders::listing(const QStringList &folders, const QList<CallFile> &known)
{
    QHash<QString, const CallFile *> before;
    for (const CallFile &file : known)
        before.insert(file.path, &file);
    Listing listing;
    qint64 bytes = 0;
    for (const QString &folder : folders) {
        const QDir directory(folder);
        if (!directory.isReadable()) {
            listing.problems.append(SavedCallText::tr("The folder %1 cannot be read.").arg(folder));
            continue;
        }
        listing.folders.append(folder);
        const QStringList names = directory.entryList({u'*' + SavedCall::fileEnding()}, QDir::Files, QDir::Name);
        for (const QString &name : names) {
            if (listing.files.size() >= MaxFiles || bytes > MaxBytes) {
                listing.problems.append(SavedCallText::tr("%1 has more saved calls than are shown.").arg(folder));
                break;
            }
            const QString path = directory.filePath(name);
            listing.files.append(readCallFile(path, before.value(path), &bytes));
        }
    }
    return listing;
}

void CallFolders::read()
{
    m_soon.stop();
    m_reading = std::make_unique<QObject>();
    runOnWorker(
        m_reading.get(), [folders = m_folders, known = m_files] { return listing(folders, known); },
        [this](const std::optional<Listing> &read) {
            if (read)
                take(*read);
        });
}

void CallFolders::take(const Listing &listing)
{
    m_files = listing.files;
    m_problems = listing.problems;
    QStringList wanted = listing.folders;
    for (const CallFile &file : std::as_const(m_files))
        wanted.append(file.path);
    watch(wanted);
    Q_EMIT changed();
}

// A file that is replaced is not watched any more, until it is found again.
void CallFolders::watch(const QStringList &wanted)
{
    const QStringList watched = m_watcher.files() + m_watcher.directories();
    const QSet<QString> now(watched.begin(), watched.end());
    const QSet<QString> then(wanted.begin(), wanted.end());
    const QStringList gone = (now - then).values();
    const QStringList fresh = (then - now).values();
    if (!gone.isEmpty())
        m_watcher.removePaths(gone);
    if (!fresh.isEmpty())
        m_watcher.addPaths(fresh);
    // What has changed between the reading and now.
    if (std::ranges::any_of(m_folders, [&fresh](const QString &folder) { return fresh.contains(folder); }))
        refresh();
}

}  // namespace sonde
