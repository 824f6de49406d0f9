// SPDX-License-Identifier: Apache-2.0
#include "core/redact/redactor.h"

#include "core/json/scan.h"
#include "core/redact/factsfinder.h"
#include "core/redact/secretforms.h"
#include "core/redact/secretmarks.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace sonde {

namespace {

constexpr qsizetype MinWordLength = 4;
constexpr int MaxLayers = 3;  // of escapes within escapes: JSON in a string of JSON in an address

bool looksLikeJson(const QByteArray &bytes)
{
    const QByteArrayView text = QByteArrayView(bytes).trimmed();
    return text.startsWith('{') || text.startsWith('[');
}

bool isJson(const QByteArray &bytes)
{
    const QByteArrayView text = QByteArrayView(bytes).trimmed();
    const char *const end = text.data() + text.size();
    return !text.isEmpty() && json::endOfValidValue(text.data(), end) == end;
}

// Everything but control characters, which no search needs: \n is by far the most frequent escape.
const Unescaped::Bytes &printableBytes()
{
    static const Unescaped::Bytes bytes = [] {
        Unescaped::Bytes all;
        for (size_t i = ' '; i < all.size(); ++i)
            all.set(i);
        return all;
    }();
    return bytes;
}

}  // namespace

// Keeps hits within the strings of valid JSON, on whole escapes. The hits come in the order in which they start.
class Redactor::StringFitter {
public:
    explicit StringFitter(const QByteArray &json) : m_begin(json.constData()), m_size(json.size()) {}

    void fit(const Hit &hit, std::vector<Hit> &fitting)
    {
        advance(hit.start);
        if (hit.isNumber) {
            fitting.push_back(hit);
            return;
        }
        if (hit.start >= m_first && hit.end <= m_last) {
            fitting.push_back(aligned(hit));
            return;
        }
        // A key that somebody has taken apart into the elements of a list.
        if (hit.isKnown || hit.found != SecretMatch::Found::ByForm)
            return;
        StringFitter each = *this;
        for (Hit part = hit; part.start < hit.end; part.start = each.m_last + 1) {
            each.advance(part.start);
            part.start = qMax(part.start, each.m_first);
            part.end = qMin(hit.end, each.m_last);
            if (part.start < part.end)
                fitting.push_back(each.aligned(part));
        }
    }

private:
    // To the string that ends behind that place.
    void advance(qsizetype place)
    {
        while (m_last <= place && m_next < m_size) {
            const void *quote = std::memchr(m_begin + m_next, '"', size_t(m_size - m_next));
            if (!quote) {
                m_first = m_last = m_next = m_size;
                return;
            }
            m_first = static_cast<const char *>(quote) - m_begin + 1;
            m_next = json::endOfString(m_begin + m_first - 1, m_begin + m_size) - m_begin;
            m_last = m_next - 1;
            m_unit = m_first;
        }
        if (m_last <= place)
            m_first = m_last = m_size;
    }

    // The escape that covers that place, or the place itself.
    std::pair<qsizetype, qsizetype> unitAt(qsizetype place)
    {
        qsizetype at = m_unit <= place ? m_unit : m_first;
        while (at < place) {
            const void *found = std::memchr(m_begin + at, '\\', size_t(place - at));
            if (!found)
                break;
            const qsizetype escape = static_cast<const char *>(found) - m_begin;
            const qsizetype end = qMin(m_last, escape + (escape + 1 < m_last && m_begin[escape + 1] == 'u' ? 6 : 2));
            m_unit = escape;
            if (end > place)
                return {escape, end};
            at = end;
        }
        return {place, place};
    }

    Hit aligned(Hit hit)
    {
        hit.start = unitAt(hit.start).first;
        hit.end = unitAt(hit.end).second;
        return hit;
    }

    const char *m_begin;
    qsizetype m_size;
    qsizetype m_first = 0;  // of the string
    qsizetype m_last = 0;   // just behind what is in it
    qsizetype m_next = 0;   // where the text goes on behind it
    qsizetype m_unit = 0;   // a place in it where no escape is under way
};

void Redactor::addSecret(const QByteArray &secret, const QByteArray &kind)
{
    if (isSearchedElsewhere(secret))
        m_known.add(secret, kind, false);
}

void Redactor::addWord(const QByteArray &word, const QByteArray &kind)
{
    if (QString::fromUtf8(word).size() >= MinWordLength)
        m_known.add(word, kind, false);
}

void Redactor::addMember(const QByteArray &name, const QByteArray &value)
{
    m_scanner.addMember(name, value);
    ++m_memberCount;
    addSecret(value);
}

void Redactor::addFolder(const QByteArray &path, const QByteArray &kind)
{
    m_known.add(path, kind, false, path.lastIndexOf('/') > 0 ? SecretIndex::Edge::End : SecretIndex::Edge::Both);
}

void Redactor::learn(const QByteArray &credential, const QByteArray &kind)
{
    if (!isSearchedElsewhere(credential) || isMark(credential))
        return;
    if (m_witness)
        m_witness({-1, -1, credential, kind});
    m_known.add(credential, kind, true);
}

// What may come back on its own, without the clothes it was sent in.
void Redactor::learnParts(const QByteArray &value, const QByteArray &kind)
{
    learn(value, kind);
    if (kind.contains("authorization")) {
        const auto decoded = QByteArray::fromBase64Encoding(value, QByteArray::AbortOnBase64DecodingErrors);
        const qsizetype colon = decoded ? decoded.decoded.indexOf(':') : -1;
        if (colon > 0)
            learn(decoded.decoded.mid(colon + 1), "password");
    }
    if (!kind.contains("cookie"))
        return;
    QList<QByteArray> cookies = value.split(';');
    if (kind == "set-cookie")
        cookies.resize(1);  // attributes follow
    for (const QByteArray &cookie : std::as_const(cookies))
        learn(cookie.mid(cookie.indexOf('=') + 1).trimmed(), kind);
}

void Redactor::meet(const SecretMatch &match)
{
    if (m_witness)
        m_witness(match);
    if (match.isNumber)
        learn(match.value, match.kind);
    else if (match.isLearned)
        learnParts(match.value, match.kind);
}

// Libraries differ in what they escape and how: whatever any of them does, its opposite is the same.
void Redactor::search(QByteArrayView text, const Unescaped *unescaped, int layers, Search what,
                      std::vector<Hit> &hits) const
{
    const bool isHiding =
        what == Search::ForAll && m_scanner.scan(text, [&hits](const SecretMatch &match) { hits.push_back({match}); });
    const SecretIndex &index = m_known.index();
    for (const SecretIndex::Hit &hit : unescaped ? index.find(*unescaped) : index.find(text)) {
        hits.push_back({{hit.start, hit.end, hit.secret, m_known.kindOf(hit.secret)}, true});
    }
    const bool knowsAny = !index.isEmpty();
    if (layers == 0 || (!isHiding && !knowsAny && !text.contains('%')))
        return;
    const Unescaped::Bytes &known = index.bytes();
    const auto searchWithout = [&](const Unescaped &inner, Search forWhat) {
        if (inner.escapes().empty())
            return;
        const size_t first = hits.size();
        search(inner.text(), &inner, layers - 1, forWhat, hits);
        for (size_t i = first; i < hits.size(); ++i) {
            hits[i].start = inner.sourceStart(hits[i].start);
            hits[i].end = inner.sourceEnd(hits[i].end);
        }
    };
    // Escapes of JSON are many. Most hide nothing, and are left as they are.
    if (isHiding)
        searchWithout(Unescaped::json(text, printableBytes() | known), Search::ForAll);
    else if (knowsAny)
        searchWithout(Unescaped::json(text, known), Search::ForKnown);
    if (what == Search::ForAll || knowsAny)
        searchWithout(Unescaped::percent(text, printableBytes() | known), what);
}

std::vector<Redactor::Hit> Redactor::find(const QByteArray &text, const std::vector<SecretMatch> &told)
{
    std::vector<Hit> hits;
    // What is told is one secret, whatever it looks like within, and nothing around it ends in it.
    QByteArray rest = text;
    for (const SecretMatch &match : told) {
        hits.push_back({match});
        std::fill_n(rest.begin() + match.start, match.end - match.start, '\x80');
    }
    search(rest, nullptr, MaxLayers, Search::ForAll, hits);
    const auto isWithinTold = [&told](const Hit &hit) {
        auto next = std::upper_bound(told.begin(), told.end(), hit.start,
                                     [](qsizetype place, const SecretMatch &match) { return place < match.start; });
        return next != told.begin() && hit.end <= (--next)->end;
    };
    hits.erase(std::remove_if(hits.begin() + qsizetype(told.size()), hits.end(), isWithinTold), hits.end());
    const size_t before = secretCount();
    const size_t found = hits.size();
    for (size_t i = 0; i < found; ++i) {
        if (!hits[i].isKnown)
            meet(hits[i]);
    }
    // It may occur in this text twice.
    if (secretCount() != before)
        search(rest, nullptr, MaxLayers, Search::ForKnown, hits);
    return fitted(text, std::move(hits));
}

void Redactor::learn(const QByteArray &text)
{
    find(text);
}

void Redactor::learn(const json::Document &facts)
{
    find(facts.text(), secretsInFacts(facts, m_scanner.names()));
}

void Redactor::learnLine(const QByteArray &line, KeyLines &keys)
{
    learn(line);
    if (Hit hit; readKeyLine(line, keys, hit))
        meet(hit);
}

bool Redactor::readKeyLine(const QByteArray &line, KeyLines &keys, Hit &hit)
{
    const KeyLines::Part part = keys.next(line);
    hit.start = part.start;
    hit.end = part.start + part.length;
    hit.value = line.mid(part.start, part.length);
    hit.kind = "privatekey";
    hit.found = SecretMatch::Found::ByForm;
    return part.length > 0;
}

// What overlaps is one hit, so that no rest of a second secret remains.
void Redactor::merge(std::vector<Hit> &hits)
{
    std::vector<Hit> merged;
    for (const Hit &hit : hits) {
        if (merged.empty() || hit.start >= merged.back().end) {
            merged.push_back(hit);
            continue;
        }
        Hit &last = merged.back();
        const bool isSame = hit.start == last.start && hit.end == last.end;
        const qsizetype end = qMax(last.end, hit.end);
        const bool isNumber = isSame && last.isNumber && hit.isNumber;
        if (last.isKnown && !hit.isKnown) {
            const qsizetype start = last.start;
            last = hit;
            last.start = start;
        }
        last.end = end;
        last.isNumber = isSame ? last.isNumber : isNumber;
    }
    hits = std::move(merged);
}

bool Redactor::replace(QByteArray &bytes, const std::vector<Hit> &hits, QList<RedactionMark> &marks) const
{
    if (hits.empty())
        return false;
    QByteArray out;
    out.reserve(bytes.size());
    qsizetype copied = 0;
    for (const Hit &hit : hits) {
        const QByteArray kind = hit.isNumber ? QByteArray("number") : hit.kind;
        const QByteArray mark = hit.isNumber ? numberMarkFor(hit.value) : markFor(hit.value, kind);
        out.append(bytes.constData() + copied, hit.start - copied);
        marks.append({out.size(), mark.size(), kind, false});
        out.append(mark);
        copied = hit.end;
    }
    bytes = out.append(bytes.constData() + copied, bytes.size() - copied);
    return true;
}

// What was JSON stays JSON.
std::vector<Redactor::Hit> Redactor::fitted(const QByteArray &text, std::vector<Hit> hits)
{
    if (hits.empty())
        return hits;
    const auto sort = [&hits] {
        std::stable_sort(hits.begin(), hits.end(), [](const Hit &left, const Hit &right) {
            return left.start != right.start ? left.start < right.start : left.end > right.end;
        });
    };
    sort();
    if (looksLikeJson(text) && isJson(text)) {
        std::vector<Hit> fitting;
        StringFitter fitter(text);
        for (const Hit &hit : hits)
            fitter.fit(hit, fitting);
        hits = std::move(fitting);
        sort();
    }
    merge(hits);
    return hits;
}

QByteArray Redactor::redactFacts(const json::Document &facts, QList<RedactionMark> &marks)
{
    QByteArray text = facts.text();
    QList<RedactionMark> ignored;
    if (!replace(text, find(text, secretsInFacts(facts, m_scanner.names())), ignored))
        return text;
    for (qsizetype at = nextMark(text); at >= 0; at = nextMark(text, at + 1))
        marks.append({at, markLength(text, at), kindOfMark(text, at), true});
    return text;
}

bool Redactor::redactPayload(QByteArray &bytes, QList<RedactionMark> &marks)
{
    return replace(bytes, find(bytes), marks);
}

bool Redactor::redactLine(QByteArray &line, KeyLines &keys, QList<RedactionMark> &marks)
{
    std::vector<Hit> hits = find(line);
    if (Hit hit; readKeyLine(line, keys, hit)) {
        meet(hit);
        hits.push_back(hit);
        hits = fitted(line, std::move(hits));
    }
    return replace(line, hits, marks);
}

}  // namespace sonde
