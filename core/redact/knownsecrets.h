// The values that are known to be secret, in all their spellings, and the marks that stand for them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/redact/secretindex.h"

#include <QByteArray>
#include <QHash>

namespace sonde {

// Those that were declared, and those that were learned from what passed: of these the oldest are forgotten, since a
// server can make up any number of them. Not safe to share between threads.
class KnownSecrets {
public:
    explicit KnownSecrets(const QByteArray &key);

    void setMaxLearned(size_t count) { m_maxLearned = qMax<size_t>(count, 4); }
    void add(const QByteArray &secret, const QByteArray &kind, bool isLearned,
             SecretIndex::Edge edge = SecretIndex::Edge::None);
    // How many it has come to know so far.
    size_t count() const { return m_count; }
    // Where they occur, in all their spellings.
    const SecretIndex &index() const { return m_index; }

    // What is in a secret's place, be it known or not. One that could be guessed is marked under a key of this
    // process, which no file holds.
    QByteArray markFor(const QByteArray &secret, const QByteArray &kind) const;
    QByteArray numberMarkFor(const QByteArray &secret) const;
    QByteArray kindOf(const QByteArray &secret) const { return m_secrets.value(secret).kind; }

private:
    struct Secret {
        QByteArray kind;
        quint64 learned = 0;  // when it was seen last, counted; 0: it was declared
    };

    const QByteArray &keyFor(const QByteArray &secret) const;
    void forgetOldest();

    QByteArray m_key;
    QByteArray m_ownKey;
    QHash<QByteArray, Secret> m_secrets;
    SecretIndex m_index;
    size_t m_count = 0;
    size_t m_learned = 0;
    size_t m_maxLearned = 1000;
    quint64 m_clock = 0;
};

}  // namespace sonde
