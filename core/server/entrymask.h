// Puts placeholders in the place of the secrets in one entry of mcpServers.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/builder.h"
#include "core/redact/redactor.h"
#include "core/server/serverspec.h"

namespace sonde {

// "<API_KEY>", for the value of that name.
QString secretPlaceholder(const QString &name);

// What a name says to be secret becomes <NAME>; a secret within a text <secret>, within a URL SECRET. A value that only
// refers to another stays, unless to one in our keychain, of which no other host knows. Of members with the same name
// only the last is written: it is the one that counts.
class EntryMask {
public:
    // spec: the entry as it was read, whose secrets are masked wherever else they occur in it.
    explicit EntryMask(const ServerSpec &spec);

    enum class Members { All, NotUsed };  // NotUsed: only what Sonde makes no use of, and objects that may hold such
    QByteArray masked(const json::Value &entry, Members which);
    // Of the members in which something was masked the last time.
    const QStringList &changedMembers() const { return m_changed; }

    // Whether Sonde reads the member of that name.
    static bool isUsed(QStringView member);

private:
    struct Place {
        QString name;
        bool isSecret = false;
        bool isAddress = false;
    };
    void write(const json::Value &value, const Place &place);
    void writeScalar(const json::Value &value, const Place &place);

    QByteArray m_text;                   // of the entry
    std::vector<Redactor::Hit> m_found;  // in it
    Redactor m_redactor;
    json::Builder m_builder;
    QStringList m_changed;
    bool m_hasReplaced = false;
};

}  // namespace sonde
