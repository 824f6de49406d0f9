// SPDX-License-Identifier: Apache-2.0
#include "core/redact/knownsecrets.h"

#include "core/redact/secretforms.h"
#include "core/redact/secretmarks.h"

#include <QRandomGenerator>
#include <algorithm>

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
    if (const auto known = m_known.constFind(secret); known != m_known.constEnd()) {
        Secret &old = m_secrets[*known];
        if (old.learned == 0)
            return;
        old.learned = isLearned ? m_clock : 0;
        m_learned -= isLearned ? 0 : 1;
        return;
    }
    if (isLearned && ++m_learned > m_maxLearned)
        forgetOldest();
    quint32 place = quint32(m_secrets.size());
    if (m_free.empty()) {
        m_secrets.emplace_back();
    } else {
        place = m_free.back();
        m_free.pop_back();
    }
    m_secrets[place] = {secret, kind, markFor(secret, kind), isLearned ? m_clock : 0};
    m_known.insert(secret, place);
    ++m_count;
    // A number is not found within another one.
    const auto edgeOf = [](const QByteArray &form, SecretIndex::Edge otherwise) {
        return isAllDigits(form) ? SecretIndex::Edge::Both : otherwise;
    };
    const QList<QByteArray> plain = plainSpellings(secret);
    for (const QByteArray &form : plain)
        m_index.add(form, place, edgeOf(form, edge));
    const QList<QByteArray> encoded = encodedSpellings(secret);
    for (const QByteArray &form : encoded)
        m_index.add(form, place, edgeOf(form, SecretIndex::Edge::None));
}

// A quarter of those that were learned, so that it is not to be done again at once.
void KnownSecrets::forgetOldest()
{
    std::vector<quint64> ages;
    for (const Secret &secret : m_secrets) {
        if (secret.learned != 0)
            ages.push_back(secret.learned);
    }
    const auto middle = ages.begin() + qsizetype(ages.size() / 4);
    std::nth_element(ages.begin(), middle, ages.end());
    const quint64 oldestKept = *middle;
    const auto isOld = [&](quint32 place) {
        return m_secrets[place].learned != 0 && m_secrets[place].learned < oldestKept;
    };
    m_index.removeIf(isOld);
    for (quint32 place = 0; place < m_secrets.size(); ++place) {
        if (!isOld(place))
            continue;
        m_known.remove(m_secrets[place].text);
        m_secrets[place] = {};
        m_free.push_back(place);
        --m_learned;
    }
}

}  // namespace sonde
