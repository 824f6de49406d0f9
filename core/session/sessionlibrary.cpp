// SPDX-License-Identifier: Apache-2.0
#include "core/session/sessionlibrary.h"

#include "core/files/userfolder.h"
#include "core/session/sessionfile.h"
#include "core/session/sessionheader.h"

#include <QCoreApplication>
#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QStorageInfo>
#include <algorithm>
#include <limits>

namespace sonde {

using namespace Qt::StringLiterals;

namespace {

struct SessionLibraryText {
    Q_DECLARE_TR_FUNCTIONS(sonde::SessionLibrary)
};

const QString suffix = u".mcpsession"_s;
const QString replaySuffix = u".replay.mcpsession"_s;
constexpr qsizetype MaxSessionNameLength = 150;  // bytes; a file name may have 255
constexpr qsizetype HeaderPeek = 16 * 1024;
constexpr qsizetype MaxIdLength = 64;

// A name that is safe in a file name on any system and for any shell.
QString fileNamePart(const QString &serverName)
{
    QString part;
    for (const QChar c : serverName) {
        if (part.toUtf8().size() >= MaxSessionNameLength)
            break;
        const bool isPlain = c.isLetterOrNumber() || c == u'_' || (c == u'.' && !part.isEmpty());
        if (isPlain && !c.isSurrogate())
            part.append(c);
        else if (!part.isEmpty() && !part.endsWith(u'-'))
            part.append(u'-');
    }
    while (part.endsWith(u'-') || part.endsWith(u'.'))
        part.chop(1);
    return part.isEmpty() ? u"session"_s : part;
}

// The UUID, or what stands for one in a file of another program: its first line, which never changes.
QString idOf(const SessionHeader &header, QByteArrayView line)
{
    if (!header.uuid.isEmpty() && header.uuid.size() <= MaxIdLength)
        return header.uuid;
    return QString::fromLatin1(QCryptographicHash::hash(line, QCryptographicHash::Sha256).toHex());
}

SessionEntry readEntry(const QFileInfo &info)
{
    SessionEntry entry;
    entry.path = info.absoluteFilePath();
    entry.size = info.size();
    entry.isReplay = info.fileName().endsWith(replaySuffix);
    entry.modifiedAt = info.lastModified().toUTC();
    entry.createdAt = entry.modifiedAt;
    const Result<std::shared_ptr<SessionFile>> file = SessionFile::open(entry.path);
    if (!file) {
        entry.problem = file.error().message;
        return entry;
    }
    entry.isOpenElsewhere = (*file)->isBeingWritten();
    const QByteArray start = (*file)->read(0, HeaderPeek);
    const qsizetype newline = start.indexOf('\n');
    const QByteArrayView line = QByteArrayView(start).first(newline < 0 ? start.size() : newline);
    const Result<SessionHeader> header = SessionHeader::fromLine(line);
    if (!header) {
        entry.problem = header.error().message;
        return entry;
    }
    entry.id = idOf(*header, line);
    entry.serverName = header->serverName;
    if (header->createdAt.isValid())
        entry.createdAt = header->createdAt;
    return entry;
}

QString pathOf(const QString &folder, const QString &serverName, const QDateTime &when, const QString &ending)
{
    return folder + u'/' + fileNamePart(serverName) + u'-' + when.toLocalTime().toString(u"yyyy-MM-dd-HHmmss"_s) +
           ending;
}

}  // namespace

SessionLibrary::SessionLibrary(const QString &folder)
    : m_folder(folder.isEmpty() ? userFolder(UserFolder::Data) : QDir(folder).absolutePath()),
      m_isOurs(folder.isEmpty())
{
    if (m_isOurs && !m_folder.isEmpty())
        m_folder += u"/sessions"_s;
}

QList<SessionEntry> SessionLibrary::entries() const
{
    return recent(std::numeric_limits<qsizetype>::max());
}

QList<SessionEntry> SessionLibrary::recent(qsizetype count) const
{
    if (m_folder.isEmpty())
        return {};  // QDir would take the current folder
    const QFileInfoList files = QDir(m_folder).entryInfoList({u'*' + suffix}, QDir::Files | QDir::Hidden, QDir::Time);
    QList<SessionEntry> entries;
    for (const QFileInfo &info : files.first(qMin(count, files.size())))
        entries.append(readEntry(info));
    std::stable_sort(entries.begin(), entries.end(), [](const SessionEntry &left, const SessionEntry &right) {
        return left.createdAt > right.createdAt;
    });
    return entries;
}

SessionEntry SessionLibrary::entryOf(const QString &path)
{
    return readEntry(QFileInfo(path));
}

Error SessionLibrary::whyKept(const QString &path) const
{
    const QFileInfo info(path);
    const bool isOurs = info.fileName().endsWith(suffix) && !info.isSymLink() && info.isFile() &&
                        QFileInfo(info.path()).canonicalFilePath() == QFileInfo(m_folder).canonicalFilePath();
    if (!isOurs)
        return Error::local(SessionLibraryText::tr("'%1' is not a session in this folder; not deleted.").arg(path));
    const Result<std::shared_ptr<SessionFile>> file = SessionFile::open(path);
    if (file && (*file)->isBeingWritten())
        return Error::local(SessionLibraryText::tr("This session is still being recorded."),
                            SessionLibraryText::tr("Disconnect first."));
    return {};
}

Error SessionLibrary::remove(const QString &path) const
{
    if (const Error error = whyKept(path))
        return error;
    QFile target(path);
    if (!target.remove())
        return Error::local(SessionLibraryText::tr("'%1' could not be deleted: %2").arg(path, target.errorString()));
    QFile::remove(path + QStringLiteral(".index"));  // which earlier versions kept beside it
    return {};
}

QString SessionLibrary::newPath(const QString &serverName, const QDateTime &when) const
{
    return pathOf(m_folder, serverName, when, suffix);
}

QString SessionLibrary::newReplayPath(const QString &serverName, const QDateTime &when) const
{
    return pathOf(m_folder, serverName, when, replaySuffix);
}

QString SessionLibrary::numbered(const QString &path, int number)
{
    const qsizetype ending = path.endsWith(replaySuffix) ? replaySuffix.size()
                             : path.endsWith(suffix)     ? suffix.size()
                                                         : 0;
    return path.chopped(ending) + u'-' + QString::number(number) + path.last(ending);
}

Error SessionLibrary::ensureFolder() const
{
    if (m_folder.isEmpty())
        return noUserFolder();
    if (!m_isOurs)
        return makePrivateFolder(m_folder);
    const Error error = makeUserFolder(UserFolder::Data);
    return error ? error : makePrivateFolder(m_folder);
}

qint64 SessionLibrary::freeBytes() const
{
    QString folder = m_folder;
    while (!folder.isEmpty() && !QFileInfo::exists(folder) && folder != u"/")
        folder = QFileInfo(folder).path();
    return folder.isEmpty() ? -1 : QStorageInfo(folder).bytesAvailable();
}

}  // namespace sonde
