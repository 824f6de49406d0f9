// Replaces what must not be stored by marks that tell nothing but whether two secrets were the same.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/builder.h"
#include "core/session/recordline.h"

#include <QSet>
#include <bitset>
#include <unordered_map>
#include <vector>

namespace sonde {

// A mark reads ‹kind:1a2b3c4d›: eight hexadecimal digits of HMAC-SHA-256 of the secret under the session's key.
//
// Always replaced in facts: values of headers and variables whose names speak of credentials, user-info and telling
// query values of URLs, arguments after flags with such names. Replaced everywhere: registered words, and every
// credential once it was seen in a header, in plain, percent-encoded, JSON-escaped and base64 form.
class Redactor {
public:
    explicit Redactor(const QByteArray &key);

    // Words of fewer than four characters are no secrets and are ignored.
    void addSecret(const QByteArray &secret, const QByteArray &kind = "secret");
    // An absolute path. Not found at the beginning of a longer name, and one as short as /root not at the end of a
    // longer path either, which is another folder.
    void addFolder(const QByteArray &path, const QByteArray &kind);

    // How much it knows: while this stays, it treats the same text the same way.
    size_t secretCount() const { return m_secrets.size(); }

    // facts: a valid JSON object, which it stays.
    QByteArray redactFacts(const json::Document &facts, QList<RedactionMark> &marks);
    // What was JSON stays JSON. True when something was replaced.
    bool redactPayload(QByteArray &bytes, QList<RedactionMark> &marks) const;

private:
    enum class Edge { None, End, Both };  // where a name must not go on
    struct Pattern {
        QByteArray text;
        size_t secret = 0;
        Edge edge = Edge::None;

        bool isAt(QByteArrayView bytes, qsizetype at) const;
    };
    struct Secret {
        QByteArray kind;
        QByteArray mark;
    };
    struct Hit {
        qsizetype start = 0;
        qsizetype end = 0;
        size_t secret = 0;
    };
    class FactsWriter;

    QByteArray markFor(const QByteArray &secret, const QByteArray &kind) const;
    void learn(const QByteArray &credential, const QByteArray &kind);
    void add(const QByteArray &secret, const QByteArray &kind, Edge edge);
    void addPattern(const QByteArray &form, Edge edge);
    std::vector<Hit> find(const QByteArray &bytes) const;
    QByteArray replacePlain(const QByteArray &bytes, const std::vector<Hit> &hits, QList<RedactionMark> &marks) const;
    QByteArray replaceInJson(const QByteArray &bytes, const std::vector<Hit> &hits, QList<RedactionMark> &marks) const;

    QByteArray m_key;
    std::vector<Secret> m_secrets;
    QSet<QByteArray> m_known;
    // By the first two bytes: almost every place in a text is dismissed by one bit.
    std::bitset<65536> m_beginnings;
    std::unordered_map<quint16, std::vector<Pattern>> m_patterns;
};

}  // namespace sonde
