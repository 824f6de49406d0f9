// Replaces what must not be stored by marks that tell nothing but whether two secrets were the same.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/document.h"
#include "core/redact/keylines.h"
#include "core/redact/knownsecrets.h"
#include "core/redact/redactionmark.h"
#include "core/redact/secretscanner.h"

#include <functional>
#include <vector>

namespace sonde {

// The rule that SECURITY.md states. A mark reads ‹kind:1a2b3c4d›, or -0e1234567890 for a number: digits of the
// HMAC-SHA-256 of the secret under the session's key.
//
// What a name, a form, an address or a schema says to be secret is masked where it stands, however short. What is long
// and random enough (isSearchedElsewhere) is known from then on, and masked wherever it occurs whole in a text: plain,
// in base64 or hexadecimal digits, and where escapes of JSON or of addresses, one within the other, stand for any of
// its characters. Not safe to share between threads.
class Redactor {
public:
    explicit Redactor(const QByteArray &key) : m_known(key) {}

    // Known from now on if it is long and random enough; any number of them.
    void addSecret(const QByteArray &secret, const QByteArray &kind = "secret");
    // Of four characters or more, masked wherever it occurs: a person asked for it.
    void addWord(const QByteArray &word, const QByteArray &kind = "secret");
    // A member of JSON that a schema declares to be secret: masked wherever that name has that value.
    void addMember(const QByteArray &name, const QByteArray &value);
    // An absolute path. Not found at the beginning of a longer name, and one as short as /root not at the end of a
    // longer path either, which is another folder.
    void addFolder(const QByteArray &path, const QByteArray &kind);

    // Secrets that were met in what passed, which a server can make up any number of: the oldest are forgotten.
    void setMaxLearned(size_t count) { m_known.setMaxLearned(count); }
    // Is told of each secret that is met in what passes. Parts of one that may come back by themselves begin at -1.
    using Witness = std::function<void(const SecretMatch &match)>;
    void setWitness(Witness witness) { m_witness = std::move(witness); }

    // As KnownSecrets.
    QByteArray markFor(const QByteArray &secret, const QByteArray &kind) const { return m_known.markFor(secret, kind); }
    QByteArray numberMarkFor(const QByteArray &secret) const { return m_known.numberMarkFor(secret); }

    // How many it has come to know so far: while this stays, it treats the same text the same way.
    size_t secretCount() const { return m_known.count() + m_memberCount; }

    // What is to be masked. A known secret is found anywhere, an unknown one only in a place that says it is one.
    struct Hit : SecretMatch {
        bool isKnown = false;
    };
    // The one walk over a text, for whatever is to be put in the place of what it finds: in the order of the text,
    // apart from each other; in JSON within strings, or a number that is secret itself. Learns what the text says to be
    // secret. told: what is known to be in it besides, in the same order.
    std::vector<Hit> find(const QByteArray &text, const std::vector<SecretMatch> &told = {});

    // Comes to know what the text says to be secret, and masks nothing.
    void learn(const QByteArray &text);
    void learn(const json::Document &facts);
    void learnLine(const QByteArray &line, KeyLines &keys);
    // facts: a valid JSON object, which it stays. Marks that stand for a whole credential are left as they are.
    QByteArray redactFacts(const json::Document &facts, QList<RedactionMark> &marks);
    // What was JSON stays JSON, and its numbers, words and structure stay what they were but for a number that is
    // secret itself. True when something was replaced.
    bool redactPayload(QByteArray &bytes, QList<RedactionMark> &marks);
    // The same for a line of standard error. keys: of what was printed before it.
    bool redactLine(QByteArray &line, KeyLines &keys, QList<RedactionMark> &marks);

private:
    class StringFitter;

    void learn(const QByteArray &credential, const QByteArray &kind);
    void meet(const SecretMatch &match);
    void learnParts(const QByteArray &value, const QByteArray &kind);

    enum class Search { ForAll, ForKnown };
    void search(QByteArrayView text, const Unescaped *unescaped, int layers, Search what, std::vector<Hit> &hits) const;
    static std::vector<Hit> fitted(const QByteArray &text, std::vector<Hit> hits);
    static void merge(std::vector<Hit> &hits);
    static bool readKeyLine(const QByteArray &line, KeyLines &keys, Hit &hit);
    bool replace(QByteArray &bytes, const std::vector<Hit> &hits, QList<RedactionMark> &marks) const;

    KnownSecrets m_known;
    SecretScanner m_scanner;
    size_t m_memberCount = 0;  // that the scanner was told of
    Witness m_witness;
};

}  // namespace sonde
