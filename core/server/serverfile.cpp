// SPDX-License-Identifier: Apache-2.0
#include "core/server/serverfile.h"

#include "core/json/builder.h"
#include "core/json/scan.h"
#include "core/server/texts.h"

namespace sonde {

using namespace Qt::StringLiterals;

namespace {

// The white space that ends right before this place.
QByteArray spaceBefore(const QByteArray &text, qsizetype end)
{
    qsizetype start = end;
    while (start > 0 && json::isSpace(text.at(start - 1)))
        --start;
    return text.mid(start, end - start);
}

// What a line is indented by: the white space after the last line end, if there is one.
QByteArray indentation(const QByteArray &space)
{
    const qsizetype lineEnd = space.lastIndexOf('\n');
    return lineEnd < 0 ? QByteArray() : space.mid(lineEnd + 1);
}

QByteArray laidOut(const QByteArray &json, const QByteArray &space)
{
    if (!space.contains('\n'))
        return json;
    return json::indented(json::parse(json)).replace('\n', '\n' + indentation(space));
}

Error brokenAt(const QByteArray &text, qsizetype offset, const QString &reason, const QString &path)
{
    const QByteArray before = text.left(offset);
    const qsizetype line = before.count('\n') + 1;
    const qsizetype column = QString::fromUtf8(before.mid(before.lastIndexOf('\n') + 1)).size() + 1;
    return Error::local(ServerText::tr("%1 is not valid JSON at line %2, column %3: %4")
                            .arg(path, QString::number(line), QString::number(column), reason),
                        ServerText::tr("The file was not changed. Fix it, or move it away."));
}

}  // namespace

Result<ServerFile> ServerFile::parse(const QByteArray &text, const QString &path)
{
    ServerFile file;
    file.m_text = text;
    if (text.trimmed().isEmpty())
        return file;
    file.m_document = json::Document::parse(text);
    for (const json::Finding &finding : file.m_document.findings()) {
        if (finding.severity == json::Finding::Severity::Error)
            return brokenAt(text, finding.offset, finding.reason, path);
    }
    const json::Value root = file.m_document.root();
    if (!root.isObject())
        return brokenAt(text, root.offset(), ServerText::tr("expected a JSON object."), path);
    file.m_servers = root[u"mcpServers"];
    if (file.m_servers.exists() && !file.m_servers.isObject())
        return brokenAt(text, file.m_servers.offset(), ServerText::tr("“mcpServers” is not an object."), path);
    return file;
}

QByteArray ServerFile::withAdded(const QString &name, const QByteArray &entry) const
{
    if (m_servers.exists())
        return withMember(m_servers, name, entry);
    json::Builder servers;
    servers.beginObject().rawMember(name, entry).endObject();
    if (m_document.isNull()) {
        json::Builder root;
        root.beginObject().rawMember(u"mcpServers", servers.take()).endObject();
        return json::indented(json::parse(root.take())) + '\n';
    }
    return withMember(m_document.root(), u"mcpServers"_s, servers.take());
}

QByteArray ServerFile::withReplaced(const QString &oldName, const QString &newName, const QByteArray &entry) const
{
    const json::Value old = m_servers[oldName];
    const qsizetype key = keyOffset(old);
    QByteArray text = m_text;
    if (old.slice() != entry)
        text.replace(old.offset(), old.slice().size(), laidOut(entry, spaceBefore(m_text, key)));
    if (oldName != newName)
        text.replace(key, old.keySlice().size(), json::quoted(newName));
    return text;
}

QByteArray ServerFile::withRemoved(const QString &name) const
{
    const json::Value old = m_servers[name];
    qsizetype start = keyOffset(old);
    qsizetype end = old.offset() + old.slice().size();
    qsizetype after = end;
    while (json::isSpace(m_text.at(after)))
        ++after;
    start -= spaceBefore(m_text, start).size();
    // One comma goes too: the one behind it, or for the last member the one before it.
    if (m_text.at(after) == ',')
        end = after + 1;
    else if (m_text.at(start - 1) == ',')
        --start;
    QByteArray text = m_text;
    return text.remove(start, end - start);
}

QByteArray ServerFile::withMember(const json::Value &object, const QString &name, const QByteArray &value) const
{
    QByteArray text = m_text;
    const qsizetype close = object.offset() + object.slice().size() - 1;
    if (object.isEmpty()) {
        const QByteArray lineSpace =
            '\n' + indentation(spaceBefore(text, object.key().isEmpty() ? object.offset() : keyOffset(object)));
        const QByteArray space = lineSpace + "  ";
        const qsizetype open = object.offset() + 1;
        return text.replace(open, close - open, space + json::quoted(name) + ": " + laidOut(value, space) + lineSpace);
    }
    const QByteArray space = spaceBefore(text, keyOffset(*object.begin()));
    const qsizetype end = close - spaceBefore(text, close).size();
    return text.insert(end, ',' + space + json::quoted(name) + ": " + laidOut(value, space));
}

qsizetype ServerFile::keyOffset(const json::Value &member) const
{
    return member.keySlice().data() - m_document.text().constData();
}

}  // namespace sonde
