// SPDX-License-Identifier: Apache-2.0
#include "core/filter/filtercompletion.h"

#include "core/filter/filterlexer.h"
#include "core/json/pointer.h"
#include "core/protocol/methods.h"

#include <QSet>
#include <algorithm>

namespace sonde {

using namespace Qt::StringLiterals;

namespace {

using Token = FilterToken::Kind;

constexpr qsizetype RecentRows = 20'000;   // looked at for names
constexpr qsizetype RecentMessages = 100;  // and for places
constexpr qint64 MaxMessageLength = 64 * 1024;
constexpr qsizetype MaxCandidates = 100;

const QStringList &operators()
{
    static const QStringList list{u"=="_s, u"!="_s, u"~"_s, u"<"_s, u"<="_s, u">"_s, u">="_s};
    return list;
}

// What stands before the cursor, as far as it matters for what may follow.
struct Place {
    enum class Expects { Operand, Operator, Value };
    Expects expects = Expects::Operand;
    bool followsOperand = false;  // so that "and" and "or" fit
    QString field;                // of Operator and Value
    qsizetype offset = 0;
    QString begun;  // of what is expected; without an opening quote
};

Place placeIn(const QString &text)
{
    FilterLexer lexer(text);
    Place place;
    place.offset = text.size();
    FilterToken before;
    for (FilterToken token = lexer.next(); token.kind != Token::End; token = lexer.next()) {
        if (token.kind == Token::Operator && before.isOperand()) {
            const FilterToken value = lexer.nextValue();
            if (value.kind == Token::End || value.kind == Token::Unclosed || value.end() == text.size()) {
                const bool isDone = value.kind == Token::Quoted;
                place = {isDone ? Place::Expects::Operand : Place::Expects::Value, isDone, before.text,
                         isDone ? text.size() : value.offset, isDone ? QString() : value.text};
                return place;
            }
            before = value;
            place.followsOperand = true;
            place.field.clear();
            continue;
        }
        const bool isBeingWritten = token.end() == text.size();
        if (isBeingWritten && token.isOperand()) {
            const bool isQuoted = token.kind == Token::Quoted;
            return {Place::Expects::Operand,
                    place.followsOperand || isQuoted,
                    {},
                    isQuoted ? text.size() : token.offset,
                    isQuoted ? QString() : token.text};
        }
        const bool isWritten = token.kind == Token::And || token.kind == Token::Or || token.kind == Token::Not;
        if (isBeingWritten && isWritten)
            return {Place::Expects::Operand, place.followsOperand, {}, token.offset, text.sliced(token.offset)};
        if (token.kind == Token::Unclosed)
            return {Place::Expects::Value, false, {}, token.offset, token.text};
        place.followsOperand = token.isOperand() || token.kind == Token::Close;
        place.field = token.isOperand() ? token.text : QString();
        before = token;
    }
    const bool isField = place.field.startsWith(u'/') || filterFieldNamed(place.field);
    place.expects = isField ? Place::Expects::Operator : Place::Expects::Operand;
    return place;
}

QString quotedIfNeeded(const QString &value)
{
    const bool isPlain = !value.isEmpty() && std::none_of(value.cbegin(), value.cend(), [](QChar c) {
        return c.isSpace() || c == u'(' || c == u')' || c == u'"' || c == u'\'';
    });
    if (isPlain)
        return value;
    QString quoted = value;
    quoted.replace(u'\\', u"\\\\"_s).replace(u'"', u"\\\""_s);
    return u'"' + quoted + u'"';
}

// The names that recent rows have, latest first.
QStringList namesFrom(const Session &session, FilterField field)
{
    QSet<quint32> seen;
    QStringList names;
    const qsizetype stop = qMax<qsizetype>(0, session.size() - RecentRows);
    for (qsizetype row = session.size() - 1; row >= stop && names.size() < MaxCandidates; --row) {
        const RecordInfo &info = session.at(row);
        const quint32 number = field == FilterField::Method ? info.method : info.target;
        if (number == 0 || seen.contains(number))
            continue;
        seen.insert(number);
        const QString method = session.name(info.method);
        const bool fits = field == FilterField::Method || (field == FilterField::Tool && method == methods::CallTool) ||
                          (field == FilterField::Prompt && method == methods::GetPrompt) ||
                          (field == FilterField::Uri &&
                           (method.startsWith(u"resources/") || method.startsWith(u"notifications/resources/")));
        if (fits)
            names.append(session.name(number));
    }
    return names;
}

// Calls visit with the trees of recent messages, latest first.
template <typename Visit>
void forRecentMessages(const Session &session, Visit visit)
{
    qsizetype left = RecentMessages;
    for (qsizetype row = session.size() - 1; row >= 0 && left > 0 && row >= session.size() - RecentRows; --row) {
        const RecordInfo &info = session.at(row);
        if (info.kind != WireEvent::Kind::Message || info.wireLength > MaxMessageLength)
            continue;
        --left;
        visit(json::parse(session.bytes(row)));
    }
}

QStringList valuesFrom(const Session &session, const json::Pointer &pointer)
{
    QStringList values;
    forRecentMessages(session, [&](const json::Value &root) {
        const json::Value value = pointer.resolve(root);
        if (!value.exists() || value.isContainer() || value.slice().size() > 80)
            return;
        QString text = value.isString() ? quotedIfNeeded(value.string()) : QString::fromUtf8(value.slice());
        if (!values.contains(text) && values.size() < MaxCandidates)
            values.append(text);
    });
    return values;
}

// The places below the pointer's parent, as they occur.
QStringList pointersFrom(const Session &session, const QString &begun)
{
    const std::optional<json::Pointer> parent = json::Pointer::fromString(begun.first(begun.lastIndexOf(u'/')));
    QStringList pointers;
    if (!parent)
        return pointers;
    forRecentMessages(session, [&](const json::Value &root) {
        const json::Value place = parent->resolve(root);
        qsizetype left = place.isContainer() ? MaxCandidates : 0;
        for (auto child = place.begin(); child != place.end() && left > 0; ++child, --left) {
            const json::Pointer pointer =
                place.isObject() ? parent->child((*child).key()) : parent->child(MaxCandidates - left);
            const QString text = pointer.toString();
            if (!pointers.contains(text) && pointers.size() < MaxCandidates)
                pointers.append(text);
        }
    });
    return pointers;
}

QStringList operands(const Place &place, const Session *session)
{
    if (place.begun.startsWith(u'/'))
        return session ? pointersFrom(*session, place.begun) : QStringList();
    QStringList words;
    if (place.followsOperand)
        words << u"and"_s << u"or"_s;
    words << u"not"_s;
    for (const FilterFieldInfo &info : filterFields())
        words.append(QString::fromLatin1(info.name));
    return words;
}

QStringList values(const QString &field, const Session *session)
{
    if (field.startsWith(u'/')) {
        const std::optional<json::Pointer> pointer = json::Pointer::fromString(field);
        return pointer && session ? valuesFrom(*session, *pointer) : QStringList();
    }
    const FilterFieldInfo *info = filterFieldNamed(field);
    if (!info)
        return {};
    if (info->type == FilterType::Choice)
        return filterWords(info->field);
    QStringList found;
    switch (info->field) {
        case FilterField::Finding:
            return {u"true"_s, u"false"_s};
        case FilterField::Revision:
            if (session)
                found = valuesFrom(*session, json::Pointer({u"result"_s, u"protocolVersion"_s}));
            return found;
        case FilterField::Server:
            if (session && !session->serverName().isEmpty())
                found.append(session->serverName());
            break;
        case FilterField::Method:
        case FilterField::Tool:
        case FilterField::Prompt:
        case FilterField::Uri:
            if (session)
                found = namesFrom(*session, info->field);
            break;
        default:
            break;
    }
    std::transform(found.begin(), found.end(), found.begin(), quotedIfNeeded);
    return found;
}

QStringList fittingOperators(const QString &field)
{
    const FilterFieldInfo *info = filterFieldNamed(field);
    QStringList list = operators();
    if (info && info->type == FilterType::Choice)
        return list.first(3);
    if (info && (info->type == FilterType::Number || info->type == FilterType::Time))
        list.removeAll(u"~"_s);
    return list;
}

}  // namespace

FilterCompletion completeFilter(const QString &text, qsizetype cursor, const Session *session)
{
    const Place place = placeIn(text.first(qBound(qsizetype(0), cursor, text.size())));
    QStringList all;
    switch (place.expects) {
        case Place::Expects::Operand:
            all = operands(place, session);
            break;
        case Place::Expects::Operator:
            all = fittingOperators(place.field);
            break;
        case Place::Expects::Value:
            all = values(place.field, session);
            break;
    }
    FilterCompletion completion{place.offset, qBound(qsizetype(0), cursor, text.size()) - place.offset, {}};
    for (const QString &candidate : all) {
        const QStringView inner = candidate.startsWith(u'"') ? QStringView(candidate).sliced(1) : candidate;
        const bool isMore = inner.startsWith(place.begun, Qt::CaseInsensitive) && candidate != place.begun;
        if (isMore && completion.candidates.size() < MaxCandidates)
            completion.candidates.append(candidate);
    }
    return completion;
}

}  // namespace sonde
