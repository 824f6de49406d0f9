// SPDX-License-Identifier: Apache-2.0
#include "core/redact/knownsecrets.h"

#include "core/redact/secretforms.h"
#include "core/redact/secretmarks.h"

#include <QRandomGenerator>
#include <algorithm>
#include <utility>
#include <vector>

namespace sonde {

namespace {

constexpr qsizetype MaxSecretLength = 64 * 1024;

}  // namespace

KnownSecrets::KnownSecrets(const QByteArray &key) : m_key(key), m_ownKey(16, '\0')
{
    QRandomGenerator::system()->generate(m_ownKey.begin(), m_ownKey.end());
}

// Everybody who has a file has its key, and could try all combinations of four digits.
const QByteArray &KnownSecrets::keyFor(const QByteArray &secret) const
{
    return isSearchedElsewhere(secret) ? m_key : m_ownKey;
}

QByteArray KnownSecrets::markFor(const QByteArray &secret, const QByteArray &kind) const
{
    return secretMark(secret, kind, keyFor(secret));
}

QByteArray KnownSecrets::numberMarkFor(const QByteArray &secret) const
{
    return secretNumberMark(secret, keyFor(secret));
}

void KnownSecrets::add(const QByteArray &secret, const QByteArray &kind, bool isLearned, SecretIndex::Edge edge)
{
    if (secret.size() < SecretIndex::ShortestWord || secret.size() > MaxSecretLength)
        return;
    ++m_clock;
    if (const auto known = m_secrets.find(secret); known != m_secrets.end()) {
        if (known->learned == 0)
            return;
        known->learned = isLearned ? m_clock : 0;
        m_learned -= isLearned ? 0 : 1;
        return;
    }
    if (isLearned && ++m_learned > m_maxLearned)
        forgetOldest();
    m_secrets.insert(secret, {kind, isLearned ? m_clock : 0});
    ++m_count;
    // A number is not found within another one.
    const auto edgeOf = [](const QByteArray &form, SecretIndex::Edge otherwise) {
        return isAllDigits(form) ? SecretIndex::Edge::Both : otherwise;
    };
    const QList<QByteArray> plain = plainSpellings(secret);
    for (const QByteArray &form : plain)
        m_index.add(form, secret, edgeOf(form, edge));
    const QList<QByteArray> encoded = encodedSpellings(secret);
    for (const QByteArray &form : encoded)
        m_index.add(form, secret, edgeOf(form, SecretIndex::Edge::None));
}

// A quarter of those that were learned, so that it is not to be done again at once.
void KnownSecrets::forgetOldest()
{
    std::vector<quint64> ages;
    for (const Secret &secret : std::as_const(m_secrets)) {
        if (secret.learned != 0)
            ages.push_back(secret.learned);
    }
    const auto middle = ages.begin() + qsizetype(ages.size() / 4);
    std::nth_element(ages.begin(), middle, ages.end());
    const auto isOld = [oldestKept = *middle](const Secret &secret) {
        return secret.learned != 0 && secret.learned < oldestKept;
    };
    m_index.removeIf([&](const QByteArray &secret) { return isOld(m_secrets.value(secret)); });
    m_learned -= size_t(m_secrets.removeIf([&](const auto &secret) { return isOld(*secret); }));
}

}  // namespace sonde
