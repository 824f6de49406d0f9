// SPDX-License-Identifier: Apache-2.0
#include "app/gui/recentfiles.h"

#include "core/files/filelimits.h"
#include "core/files/readfile.h"
#include "core/files/savefile.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QLockFile>
#include <QStandardPaths>
#include <QUrl>
#include <QXmlStreamReader>
#include <QXmlStreamWriter>
#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace sonde::app {

namespace {

const QString bookmarkNames = u"http://www.freedesktop.org/standards/desktop-bookmarks"_s;
const QString mimeNames = u"http://www.freedesktop.org/standards/shared-mime-info"_s;
const QString metadataOwner = u"http://freedesktop.org"_s;
const QString programName = u"Sonde"_s;
constexpr int LockWaitMs = 1000;

struct RecentText {
    Q_DECLARE_TR_FUNCTIONS(sonde::app::RecentFiles)
};

class ListWriter {
public:
    ListWriter(const QByteArray &list, const QString &path, QString mimeType, const QDateTime &when)
        : m_reader(list),
          m_writer(&m_text),
          m_href(QString::fromLatin1(QUrl::fromLocalFile(path).toEncoded())),
          m_mimeType(std::move(mimeType)),
          m_when(when.toUTC().toString(Qt::ISODateWithMs))
    {
        m_writer.setAutoFormatting(false);
    }

    Result<QByteArray> write()
    {
        while (!m_reader.atEnd()) {
            m_reader.readNext();
            if (m_reader.hasError())
                break;
            if (m_reader.isStartElement() && m_depth++ == 0 && m_reader.name() != u"xbel")
                m_reader.raiseError(u"xbel"_s);
            if (m_reader.isStartElement() && m_reader.name() == u"bookmark" &&
                m_reader.attributes().value(u"href"_s) == m_href) {
                copyOurs();
                --m_depth;
                continue;
            }
            if (m_reader.isEndElement() && --m_depth == 0 && !m_isWritten)
                writeNew();
            m_writer.writeCurrentToken(m_reader);
            if (m_reader.isStartElement() && m_depth == 1)
                declareNames();
        }
        if (m_reader.hasError())
            return Error::local(RecentText::tr("The list of recently used files is not well-formed."));
        return m_text + '\n';
    }

private:
    // Where the root does so already, nothing is missing.
    void declareNames()
    {
        const QXmlStreamNamespaceDeclarations declared = m_reader.namespaceDeclarations();
        const auto declare = [&](const QString &names, const QString &prefix) {
            const bool isThere = std::any_of(declared.begin(), declared.end(),
                                             [&names](const auto &each) { return each.namespaceUri() == names; });
            if (!isThere)
                m_writer.writeNamespace(names, prefix);
        };
        declare(bookmarkNames, u"bookmark"_s);
        declare(mimeNames, u"mime"_s);
    }

    // Other programs may have opened the same file: their entries stay, with what else is said of it.
    void copyOurs()
    {
        m_isWritten = true;
        m_writer.writeStartElement(u"bookmark"_s);
        const QXmlStreamAttributes attributes = m_reader.attributes();
        for (const QXmlStreamAttribute &attribute : attributes) {
            if (attribute.name() != u"modified" && attribute.name() != u"visited")
                m_writer.writeAttribute(attribute);
        }
        if (!attributes.hasAttribute(u"added"_s))
            m_writer.writeAttribute(u"added"_s, m_when);
        writeTimes();
        int count = 0;  // of the openings before
        int depth = 0;
        bool hasApplication = false;
        QString owner;  // of the metadata
        while (!m_reader.atEnd()) {
            m_reader.readNext();
            if (m_reader.hasError())
                return;
            if (m_reader.isStartElement() && m_reader.namespaceUri() == bookmarkNames &&
                m_reader.name() == u"application" && m_reader.attributes().value(u"name"_s) == programName) {
                count = m_reader.attributes().value(u"count"_s).toInt();
                m_reader.skipCurrentElement();
                continue;
            }
            if (m_reader.isStartElement())
                ++depth;
            if (m_reader.isStartElement() && m_reader.name() == u"metadata")
                owner = m_reader.attributes().value(u"owner"_s).toString();
            if (m_reader.isEndElement() && !hasApplication)
                hasApplication = completeElement(owner, depth == 0, count + 1);
            if (m_reader.isEndElement() && depth-- == 0) {
                m_writer.writeEndElement();
                return;
            }
            m_writer.writeCurrentToken(m_reader);
        }
    }

    // Adds what is missing to the element that ends, if our entry belongs there.
    bool completeElement(const QString &owner, bool isBookmark, int count)
    {
        if (isBookmark)
            writeInfo(count);
        else if (m_reader.name() == u"info")
            writeMetadata(count);
        else if (m_reader.name() == u"metadata" && owner == metadataOwner)
            writeApplications(count);
        else if (m_reader.name() == u"applications" && m_reader.namespaceUri() == bookmarkNames)
            writeApplication(count);
        else
            return false;
        return true;
    }

    void writeTimes()
    {
        m_writer.writeAttribute(u"modified"_s, m_when);
        m_writer.writeAttribute(u"visited"_s, m_when);
    }

    void writeApplication(int count)
    {
        m_writer.writeEmptyElement(bookmarkNames, u"application"_s);
        m_writer.writeAttribute(u"name"_s, programName);
        m_writer.writeAttribute(u"exec"_s, u"'sonde %u'"_s);
        m_writer.writeAttribute(u"modified"_s, m_when);
        m_writer.writeAttribute(u"count"_s, QString::number(count));
    }

    void writeApplications(int count)
    {
        m_writer.writeStartElement(bookmarkNames, u"applications"_s);
        writeApplication(count);
        m_writer.writeEndElement();
    }

    void writeMetadata(int count)
    {
        m_writer.writeStartElement(u"metadata"_s);
        m_writer.writeAttribute(u"owner"_s, metadataOwner);
        m_writer.writeEmptyElement(mimeNames, u"mime-type"_s);
        m_writer.writeAttribute(u"type"_s, m_mimeType);
        writeApplications(count);
        m_writer.writeEndElement();
    }

    void writeInfo(int count)
    {
        m_writer.writeStartElement(u"info"_s);
        writeMetadata(count);
        m_writer.writeEndElement();
    }

    void writeNew()
    {
        m_writer.writeStartElement(u"bookmark"_s);
        m_writer.writeAttribute(u"href"_s, m_href);
        m_writer.writeAttribute(u"added"_s, m_when);
        writeTimes();
        writeInfo(1);
        m_writer.writeEndElement();
    }

    QXmlStreamReader m_reader;
    QByteArray m_text;
    QXmlStreamWriter m_writer;
    const QString m_href;
    const QString m_mimeType;
    const QString m_when;
    int m_depth = 0;
    bool m_isWritten = false;
};

}  // namespace

QString recentFilesPath()
{
    const QString folder = QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation);
    return folder.isEmpty() ? QString() : folder + u"/recently-used.xbel"_s;
}

Result<QByteArray> withRecentFile(const QByteArray &list, const QString &path, const QString &mimeType,
                                  const QDateTime &when)
{
    static const QByteArray empty = R"(<?xml version="1.0" encoding="UTF-8"?><xbel version="1.0"></xbel>)";
    return ListWriter(list.trimmed().isEmpty() ? empty : list, path, mimeType, when).write();
}

Error addRecentFile(const QString &path, const QString &mimeType)
{
#if defined(Q_OS_UNIX) && !defined(Q_OS_DARWIN)
    const QString list = recentFilesPath();
    if (list.isEmpty() || !QDir().mkpath(QFileInfo(list).path()))
        return Error::local(RecentText::tr("There is no folder for the list of recently used files."));
    QLockFile lock(list + u".lock"_s);
    if (!lock.tryLock(LockWaitMs))
        return Error::local(RecentText::tr("%1 is being changed by another program.").arg(list));
    QByteArray before;
    if (QFileInfo::exists(list)) {
        const Result<QByteArray> read = readFile(list, filelimits::RecentFiles);
        if (!read)
            return read.error();
        before = *read;
    }
    const Result<QByteArray> after =
        withRecentFile(before, QFileInfo(path).absoluteFilePath(), mimeType, QDateTime::currentDateTimeUtc());
    return after ? saveFile(list, *after, ReadableBy::Owner) : after.error();
#else
    Q_UNUSED(path)
    Q_UNUSED(mimeType)
    return {};
#endif
}

}  // namespace sonde::app
