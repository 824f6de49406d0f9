// SPDX-License-Identifier: Apache-2.0
#include "core/session/redactor.h"

#include "core/protocol/envelope.h"
#include "core/session/jsonwalk.h"
#include "core/session/secretforms.h"
#include "core/session/secretmarks.h"

#include <algorithm>

namespace sonde {

namespace {

constexpr qsizetype shortestSecret = 4;
constexpr qsizetype shortestLearned = 8;  // credentials seen in headers, which nobody vouched for
constexpr qsizetype longestSecret = 64 * 1024;
constexpr int mostLayers = 3;  // of escapes within escapes: JSON in a string of JSON in an address

bool isScalarByte(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '+' || c == '-' ||
           c == '.';
}

bool looksLikeJson(const QByteArray &bytes)
{
    const QByteArrayView text = QByteArrayView(bytes).trimmed();
    return text.startsWith('{') || text.startsWith('[');
}

bool isJson(const QByteArray &bytes)
{
    const QByteArrayView text = QByteArrayView(bytes).trimmed();
    const char *const end = text.data() + text.size();
    return !text.isEmpty() && skipJsonValue(text.data(), end) == end;
}

}  // namespace

Redactor::Redactor(const QByteArray &key) : m_key(key) {}

QByteArray Redactor::markFor(const QByteArray &secret, const QByteArray &kind) const
{
    return secretMark(secret, kind, m_key);
}

void Redactor::addSecret(const QByteArray &secret, const QByteArray &kind)
{
    add(secret, kind, SecretIndex::Edge::None, false);
}

void Redactor::addFolder(const QByteArray &path, const QByteArray &kind)
{
    add(path, kind, path.lastIndexOf('/') > 0 ? SecretIndex::Edge::End : SecretIndex::Edge::Both, false);
}

void Redactor::learn(const QByteArray &credential, const QByteArray &kind)
{
    if (credential.size() < shortestLearned || isMark(credential))
        return;
    if (m_witness)
        m_witness(credential, kind);
    add(credential, kind, SecretIndex::Edge::None, true);
}

void Redactor::add(const QByteArray &secret, const QByteArray &kind, SecretIndex::Edge edge, bool isLearned)
{
    if (QString::fromUtf8(secret).size() < shortestSecret || secret.size() > longestSecret)
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
    const quint32 place = freePlace(isLearned);
    m_secrets[place] = {secret, kind, markFor(secret, kind), isLearned ? m_clock : 0};
    m_known.insert(secret, place);
    ++m_count;
    const bool isOrdinary = isOrdinaryWord(secret);
    const QList<QByteArray> plain = plainSpellings(secret);
    for (const QByteArray &form : plain)
        m_index.add(form, place, edge, isOrdinary);
    const QList<QByteArray> encoded = base64Spellings(secret);
    for (const QByteArray &form : encoded)
        m_index.add(form, place, SecretIndex::Edge::None, isOrdinary);
}

// That of the oldest among those that were learned, when they are too many.
quint32 Redactor::freePlace(bool isLearned)
{
    if (!isLearned || m_learned < m_mostLearned) {
        m_learned += isLearned ? 1 : 0;
        m_secrets.emplace_back();
        return quint32(m_secrets.size() - 1);
    }
    const auto age = [](const Secret &secret) { return secret.learned == 0 ? ~quint64(0) : secret.learned; };
    const auto oldest =
        std::min_element(m_secrets.begin(), m_secrets.end(),
                         [&age](const Secret &left, const Secret &right) { return age(left) < age(right); });
    const auto place = quint32(oldest - m_secrets.begin());
    m_known.remove(oldest->text);
    m_index.remove(place);
    return place;
}

// In order; what overlaps is one hit.
std::vector<Redactor::Hit> Redactor::find(const QByteArray &bytes) const
{
    std::vector<Hit> hits;
    m_index.find(bytes, hits);
    const size_t plain = hits.size();
    findEscaped(bytes, mostLayers, hits);
    if (hits.size() == plain)
        return hits;
    std::stable_sort(hits.begin(), hits.end(), [](const Hit &left, const Hit &right) {
        return left.start != right.start ? left.start < right.start : left.end > right.end;
    });
    std::vector<Hit> merged;
    for (const Hit &hit : hits) {
        if (merged.empty() || hit.start >= merged.back().end) {
            merged.push_back(hit);
            continue;
        }
        Hit &last = merged.back();
        last.end = qMax(last.end, hit.end);
        if (last.isOrdinary && !hit.isOrdinary) {
            last.secret = hit.secret;
            last.isOrdinary = false;
        }
    }
    return merged;
}

// Libraries differ in what they escape and how: whatever any of them does, its opposite is the same.
void Redactor::findEscaped(QByteArrayView text, int layers, std::vector<Hit> &hits) const
{
    for (const auto unescape : {Unescaped::json, Unescaped::percent}) {
        const Unescaped inner = unescape(text, m_index.bytes());
        if (inner.escapes().empty())
            continue;
        const size_t first = hits.size();
        m_index.find(inner, hits);
        if (layers > 1)
            findEscaped(inner.text(), layers - 1, hits);
        for (size_t i = first; i < hits.size(); ++i) {
            hits[i].start = inner.sourceStart(hits[i].start);
            hits[i].end = inner.sourceEnd(hits[i].end);
        }
    }
}

QByteArray Redactor::replacePlain(const QByteArray &bytes, const std::vector<Hit> &hits,
                                  QList<RedactionMark> &marks) const
{
    QByteArray out;
    qsizetype copied = 0;
    for (const Hit &hit : hits) {
        const Secret &secret = m_secrets[hit.secret];
        out.append(bytes.constData() + copied, hit.start - copied);
        marks.append({out.size(), secret.mark.size(), secret.kind, false});
        out.append(secret.mark);
        copied = hit.end;
    }
    return out.append(bytes.constData() + copied, bytes.size() - copied);
}

// Within a string the mark takes the place of whole escapes and characters; a bare number or word becomes a string.
// A secret that spans quotes or brackets is part of the structure: then the answer is no valid JSON.
QByteArray Redactor::replaceInJson(const QByteArray &bytes, const std::vector<Hit> &hits,
                                   QList<RedactionMark> &marks) const
{
    QByteArray out;
    qsizetype copied = 0;
    JsonWalk walk(bytes);
    for (const Hit &hit : hits) {
        while (!walk.atEnd() && walk.end() <= hit.start)
            walk.next();
        if (walk.atEnd() || walk.start() < copied)
            continue;  // swallowed by the one before
        if (hit.isOrdinary && walk.isStructure())
            continue;
        const bool inString = walk.inString();
        qsizetype start = walk.start();
        while (!walk.atEnd() && walk.start() < hit.end)
            walk.next();
        qsizetype end = walk.start();
        const Secret &secret = m_secrets[hit.secret];
        QByteArray mark = secret.mark;
        if (!inString) {
            while (start > copied && isScalarByte(bytes.at(start - 1)))
                --start;
            while (end < bytes.size() && isScalarByte(bytes.at(end)))
                ++end;
            mark = '"' + mark + '"';
        }
        out.append(bytes.constData() + copied, start - copied);
        marks.append({out.size() + (inString ? 0 : 1), secret.mark.size(), secret.kind, false});
        out.append(mark);
        copied = end;
    }
    return out.append(bytes.constData() + copied, bytes.size() - copied);
}

bool Redactor::redactPayload(QByteArray &bytes, QList<RedactionMark> &marks) const
{
    if (m_index.isEmpty())
        return false;
    const std::vector<Hit> hits = find(bytes);
    if (hits.empty())
        return false;
    if (!looksLikeJson(bytes) || !isJson(bytes)) {
        bytes = replacePlain(bytes, hits, marks);
        return true;
    }
    const qsizetype before = marks.size();
    QByteArray replaced = replaceInJson(bytes, hits, marks);
    if (marks.size() == before)
        return false;
    if (!isJson(replaced)) {
        // The secret was part of the structure: nothing else is both free of it and still JSON.
        const Secret &secret = m_secrets[hits.front().secret];
        marks.resize(before);
        marks.append({1, secret.mark.size(), secret.kind, false});
        replaced = '"' + secret.mark + '"';
    }
    bytes = replaced;
    return true;
}

}  // namespace sonde
