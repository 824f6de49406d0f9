// Replaces what must not be stored by marks that tell nothing but whether two secrets were the same.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/builder.h"
#include "core/session/recordline.h"
#include "core/session/secretindex.h"

#include <QHash>
#include <functional>
#include <vector>

namespace sonde {

// A mark reads ‹kind:1a2b3c4d›: eight hexadecimal digits of HMAC-SHA-256 of the secret under the session's key.
//
// Always replaced in facts: values of headers and variables whose names speak of credentials, user-info and telling
// query values of URLs, arguments after flags with such names. Replaced everywhere: registered words, and every
// credential once it was seen in a header: in plain and base64 form, also where escapes of JSON or of addresses, one
// within the other, stand for any of their characters.
class Redactor {
public:
    explicit Redactor(const QByteArray &key);

    // Words of fewer than four characters are no secrets and are ignored; any number of others may be added. One that
    // may as well be an ordinary part of a message (true, 4096, tools) is left alone where it holds one together.
    void addSecret(const QByteArray &secret, const QByteArray &kind = "secret");
    // An absolute path. Not found at the beginning of a longer name, and one as short as /root not at the end of a
    // longer path either, which is another folder.
    void addFolder(const QByteArray &path, const QByteArray &kind);

    // Credentials seen in facts, which a server can send any number of: the oldest is forgotten for one too many.
    void setMostLearned(size_t most) { m_mostLearned = qMax<size_t>(most, 1); }
    // Is told of each credential that redactFacts() replaces or comes to know.
    using Witness = std::function<void(const QByteArray &secret, const QByteArray &kind)>;
    void setWitness(Witness witness) { m_witness = std::move(witness); }

    // How many it has come to know so far: while this stays, it treats the same text the same way.
    size_t secretCount() const { return m_count; }

    // facts: a valid JSON object, which it stays. Marks that stand for a whole credential are left as they are.
    QByteArray redactFacts(const json::Document &facts, QList<RedactionMark> &marks);
    // What was JSON stays JSON. True when something was replaced.
    bool redactPayload(QByteArray &bytes, QList<RedactionMark> &marks) const;

private:
    struct Secret {
        QByteArray text;
        QByteArray kind;
        QByteArray mark;
        quint64 learned = 0;  // when it was seen last, counted; 0: it was declared
    };
    using Hit = SecretIndex::Hit;
    class FactsWriter;

    QByteArray markFor(const QByteArray &secret, const QByteArray &kind) const;
    void learn(const QByteArray &credential, const QByteArray &kind);
    void add(const QByteArray &secret, const QByteArray &kind, SecretIndex::Edge edge, bool isLearned);
    quint32 freePlace(bool isLearned);
    std::vector<Hit> find(const QByteArray &bytes) const;
    void findEscaped(QByteArrayView text, int layers, std::vector<Hit> &hits) const;
    QByteArray replacePlain(const QByteArray &bytes, const std::vector<Hit> &hits, QList<RedactionMark> &marks) const;
    QByteArray replaceInJson(const QByteArray &bytes, const std::vector<Hit> &hits, QList<RedactionMark> &marks) const;

    QByteArray m_key;
    std::vector<Secret> m_secrets;
    QHash<QByteArray, quint32> m_known;  // in m_secrets
    SecretIndex m_index;
    size_t m_count = 0;
    size_t m_learned = 0;
    size_t m_mostLearned = 1000;
    quint64 m_clock = 0;
    Witness m_witness;
};

}  // namespace sonde
