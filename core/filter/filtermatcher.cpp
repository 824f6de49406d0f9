// SPDX-License-Identifier: Apache-2.0
#include "core/filter/filtermatcher.h"

#include "core/filter/filternode.h"
#include "core/json/compare.h"
#include "core/json/stringcodec.h"
#include "core/protocol/methods.h"

#include <algorithm>
#include <charconv>

namespace sonde {

using namespace Qt::StringLiterals;

namespace {

using Literal = FilterLiteral::Kind;

constexpr qsizetype MaxMatchedLength = 1'000'000;  // characters that a regular expression looks at
const CaseInsensitiveMatcher &escapedLetters()
{
    // How a line begins to write \uXXXX of a message.
    static const CaseInsensitiveMatcher needle("\\\\u");
    return needle;
}

const CaseInsensitiveMatcher &revisionKey()
{
    static const CaseInsensitiveMatcher needle("io.modelcontextprotocol/protocolVersion");
    return needle;
}

bool matchesExpression(const FilterNode &node, const QString &text)
{
    return node.literal.expression.match(text.size() > MaxMatchedLength ? text.first(MaxMatchedLength) : text)
        .hasMatch();
}

// Of a string what it means, of anything else its bytes.
QString textOf(QByteArrayView json)
{
    return json.startsWith('"') ? json::decoded(json)
                                : QString::fromUtf8(json.first(qMin(json.size(), MaxMatchedLength)));
}

QString statedRevision(const json::Value &params)
{
    return params[u"_meta"][u"io.modelcontextprotocol/protocolVersion"].string();
}

}  // namespace

FilterMatcher::FilterMatcher(Filter filter, const Session *session)
    : m_filter(std::move(filter)), m_session(session), m_row(session), m_other(session)
{}

bool FilterMatcher::matches(qsizetype row)
{
    if (!m_filter.root())
        return true;
    m_row.select(row);
    return holdsFor(*m_filter.root());
}

bool FilterMatcher::holdsFor(const FilterNode &node)
{
    const auto isTrue = [this](const FilterNode &child) { return holdsFor(child); };
    switch (node.kind) {
        case FilterNode::Kind::All:
            return std::all_of(node.children.begin(), node.children.end(), isTrue);
        case FilterNode::Kind::Any:
            return std::any_of(node.children.begin(), node.children.end(), isTrue);
        case FilterNode::Kind::Not:
            return !holdsFor(node.children.front());
        case FilterNode::Kind::Word:
            return hasWord(node);
        case FilterNode::Kind::Compare:
            break;
    }
    return compare(node);
}

template <typename Judge>
bool FilterMatcher::judged(int place, quint32 name, Judge judge)
{
    if (size_t(place) >= m_verdicts.size())
        m_verdicts.resize(size_t(place) + 1);
    Verdicts &verdicts = m_verdicts[size_t(place)];
    if (name >= verdicts.size())
        verdicts.resize(name + 1 + name / 2, Verdict::Unknown);
    if (verdicts[name] == Verdict::Unknown)
        verdicts[name] = judge(m_session->name(name)) ? Verdict::Yes : Verdict::No;
    return verdicts[name] == Verdict::Yes;
}

// In the payload, in what the record tells besides, and in the names that a response has from its request.
bool FilterMatcher::hasWord(const FilterNode &node)
{
    const RecordInfo &info = m_row.info();
    const auto isIn = [&](quint32 name) {
        return name != 0 &&
               judged(node.place, name, [&](const QString &text) { return node.word.isIn(text.toUtf8()); });
    };
    if (isIn(info.method) || isIn(info.target))
        return true;
    if (info.needsDecoding)
        return node.word.isIn(m_row.bytes()) || node.word.isIn(m_row.record().facts);
    // Most rows do not have it, and are done with after one look at their line.
    if (!node.needsEscape && !lineHolds(node.place, node.word))
        return false;
    return m_row.holds(node.word, node.escapedWord);
}

bool FilterMatcher::lineHolds(int place, const CaseInsensitiveMatcher &word)
{
    if (size_t(place) >= m_searches.size())
        m_searches.resize(size_t(place) + 1);
    return m_row.lineHolds(word, m_searches[size_t(place)]);
}

bool FilterMatcher::compare(const FilterNode &node)
{
    const RecordInfo &info = m_row.info();
    switch (node.field) {
        case FilterField::Dir:
        case FilterField::Kind:
        case FilterField::Outcome:
            return (node.literal.choices >> filterChoiceOf(node.field, info) & 1) != 0;
        case FilterField::Method:
            return compareName(node, info.method);
        case FilterField::Tool:
        case FilterField::Prompt:
        case FilterField::Uri:
            return compareName(node, target(node.field));
        case FilterField::Server:
            return compareText(node, m_session->serverName());
        case FilterField::Revision:
            return compareText(node, revision());
        case FilterField::Finding:
            if (node.literal.kind == Literal::Bool && node.comparison != FilterOperator::Matches)
                return holds(node.comparison, int(info.hasProblems || info.isLate) - int(node.literal.flag));
            return compareText(node, problems());
        case FilterField::Ms:
            return compareNumber(node, m_session->durationNs(m_row.row()));
        case FilterField::Size:
            return compareNumber(node, info.wireLength);
        case FilterField::Status:
            return compareNumber(node, status());
        case FilterField::Time:
            return compareTime(node);
        case FilterField::Id:
            return compareId(node);
        case FilterField::Pointer:
            break;
    }
    return compareJson(node, valueAt(node));
}

bool FilterMatcher::compareName(const FilterNode &node, quint32 name)
{
    return judged(node.place, name, [&](const QString &text) { return compareText(node, text); });
}

// Rows without any such text agree to nothing but to having none.
bool FilterMatcher::compareText(const FilterNode &node, const QString &text)
{
    if (node.comparison == FilterOperator::Matches)
        return !text.isEmpty() && matchesExpression(node, text);
    if (node.literal.kind == Literal::None)
        return holds(node.comparison, text.isEmpty() ? 0 : 1);
    return !text.isEmpty() && holds(node.comparison, QString::compare(text, node.literal.text));
}

bool FilterMatcher::compareNumber(const FilterNode &node, qint64 number)
{
    if (node.literal.kind == Literal::None)
        return holds(node.comparison, number < 0 ? 0 : 1);
    return number >= 0 && holds(node.comparison, node.literal.compare(number));
}

bool FilterMatcher::compareTime(const FilterNode &node)
{
    const FilterLiteral &literal = node.literal;
    if (literal.kind == Literal::Number || literal.kind == Literal::None)
        return compareNumber(node, m_row.info().timeNs);
    const QDateTime instant = literal.clock.isValid()
                                  ? QDateTime(m_session->createdAt().toLocalTime().date(), literal.clock)
                                  : literal.instant;
    const qint64 difference = m_row.record().wallUs / 1000 - instant.toMSecsSinceEpoch();
    return holds(node.comparison, difference < 0 ? -1 : difference > 0 ? 1 : 0);
}

bool FilterMatcher::compareId(const FilterNode &node)
{
    const QByteArrayView id = m_row.id();
    // Nearly all ids are small numbers, and need no tree to be compared.
    qint64 number = -1;
    const char *const end = id.data() + id.size();
    const bool isNumber = std::from_chars(id.data(), end, number).ptr == end && number >= 0;
    if (isNumber && node.literal.kind == Literal::Number && node.comparison != FilterOperator::Matches)
        return holds(node.comparison, node.literal.compare(number));
    return compareJson(node, id);
}

bool FilterMatcher::compareJson(const FilterNode &node, QByteArrayView value)
{
    const FilterLiteral &literal = node.literal;
    const FilterOperator comparison = node.comparison;
    const bool isDifferent = comparison == FilterOperator::NotEqual;
    if (comparison != FilterOperator::Matches && literal.kind == Literal::None)
        return !value.isEmpty() == isDifferent;
    if (value.isEmpty())
        return false;
    if (comparison == FilterOperator::Matches)
        return matchesExpression(node, textOf(value));
    const char first = value.front();
    switch (literal.kind) {
        case Literal::Number:
            return first == '-' || (first >= '0' && first <= '9')
                       ? holds(comparison, json::compareNumbers(value, literal.number))
                       : isDifferent;
        case Literal::Text:
            return first == '"' ? holds(comparison, QString::compare(textOf(value), literal.text)) : isDifferent;
        case Literal::Bool:
            return (value == (literal.flag ? "true" : "false")) != isDifferent;
        case Literal::Null:
            return (value == "null") != isDifferent;
        case Literal::None:
            break;
    }
    return false;
}

// Empty also where the line tells that the value cannot be what it has to be.
QByteArrayView FilterMatcher::valueAt(const FilterNode &node)
{
    const RecordInfo &info = m_row.info();
    if (info.kind != WireEvent::Kind::Message)
        return {};
    if (!info.needsDecoding && !(lineHolds(node.textPlace, node.text) && lineHolds(node.place, node.key)) &&
        !m_row.lineHolds(escapedLetters(), m_escapes))
        return {};
    return info.isPlain ? node.finder.find(m_row.bytes()) : node.pointer.resolve(m_row.message()).slice();
}

quint32 FilterMatcher::target(FilterField field)
{
    const RecordInfo &info = m_row.info();
    const MethodFacts &facts = methodFacts(info.method);
    const bool isMeant = field == FilterField::Tool     ? facts.isTool
                         : field == FilterField::Prompt ? facts.isPrompt
                                                        : facts.isResource;
    return isMeant ? info.target : 0;
}

qint64 FilterMatcher::status()
{
    if (m_row.info().kind != WireEvent::Kind::HttpResponse)
        return -1;
    return EventFacts::readNumber(m_row.record().facts, &EventFacts::status).value_or(-1);
}

QString FilterMatcher::problems()
{
    const RecordInfo &info = m_row.info();
    QStringList sentences;
    if (info.isLate)
        sentences.append(u"late"_s);
    if (!info.hasProblems)
        return sentences.join(u'\n');
    if (info.kind == WireEvent::Kind::Message) {
        sentences += Message::parse(m_row.bytes()).problems();
    } else {
        sentences.append(EventFacts::read(m_row.record().facts).sentence());
    }
    const QString text = sentences.join(u'\n');
    return text.isEmpty() ? u"finding"_s : text;
}

// What the message says itself, or the request it answers, or what its connection agreed upon before.
QString FilterMatcher::revision()
{
    const qsizetype row = m_row.row();
    const RecordInfo &info = m_row.info();
    if (info.kind == WireEvent::Kind::Message) {
        if (info.needsDecoding || revisionKey().isIn(m_row.line())) {
            if (const QString stated = statedRevision(m_row.message()[u"params"]); !stated.isEmpty())
                return stated;
        }
        if (const qsizetype request = m_session->partnerOf(row); request >= 0 && request < row) {
            m_other.select(request);
            if (m_other.info().needsDecoding || revisionKey().isIn(m_other.line())) {
                if (const QString stated = statedRevision(m_other.message()[u"params"]); !stated.isEmpty())
                    return stated;
            }
        }
    }
    for (; m_settledUntil <= row; ++m_settledUntil) {
        const RecordInfo &candidate = m_session->at(m_settledUntil);
        if (candidate.messageKind != Message::Kind::Result || !methodFacts(candidate.method).isInitialize)
            continue;
        m_other.select(m_settledUntil);
        m_settled[candidate.connection].push_back(
            {m_settledUntil, m_other.message()[u"result"][u"protocolVersion"].string()});
    }
    const auto settled = m_settled.constFind(info.connection);
    if (settled == m_settled.constEnd())
        return {};
    const auto next =
        std::partition_point(settled->begin(), settled->end(), [row](const Settled &each) { return each.row <= row; });
    return next == settled->begin() ? QString() : std::prev(next)->revision;
}

const FilterMatcher::MethodFacts &FilterMatcher::methodFacts(quint32 method)
{
    if (method >= m_methods.size())
        m_methods.resize(method + 1 + method / 2);
    MethodFacts &facts = m_methods[method];
    if (!facts.isKnown) {
        const QString name = m_session->name(method);
        facts = {true, name == methods::Initialize, name == methods::CallTool, name == methods::GetPrompt,
                 name.startsWith(u"resources/") || name.startsWith(u"notifications/resources/")};
    }
    return facts;
}

}  // namespace sonde
