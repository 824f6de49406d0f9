// Edits one entry of an mcpServers file in place; every other byte stays as it is.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/document.h"
#include "core/protocol/error.h"

namespace sonde {

// The text of the file, parsed. Editing gives a new text; the object itself does not change.
class ServerFile {
public:
    // An Error says where the text is broken. Empty text is a file without servers.
    static Result<ServerFile> parse(const QByteArray &text, const QString &path);

    json::Value servers() const { return m_servers; }  // the mcpServers object, or Missing
    json::Value entry(const QString &name) const { return m_servers[name]; }

    QByteArray withAdded(const QString &name, const QByteArray &entry) const;
    QByteArray withReplaced(const QString &oldName, const QString &newName, const QByteArray &entry) const;
    QByteArray withRemoved(const QString &name) const;

private:
    QByteArray withMember(const json::Value &object, const QString &name, const QByteArray &value) const;
    qsizetype keyOffset(const json::Value &member) const;

    QByteArray m_text;
    json::Document m_document;
    json::Value m_servers;
};

}  // namespace sonde
