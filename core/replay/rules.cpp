// SPDX-License-Identifier: Apache-2.0
#include "core/replay/rules.h"

#include "core/files/filelimits.h"
#include "core/files/readfile.h"
#include "core/files/savefile.h"
#include "core/json/builder.h"
#include "core/redact/secretmarks.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace sonde {

namespace {

constexpr QChar ReplacedPart(0xFFFC);

struct RulesText {
    Q_DECLARE_TR_FUNCTIONS(sonde::ReplayRules)
};

const QRegularExpression &timestamps()
{
    static const QString time =
        u"\\d{1,2}:\\d{2}(?::\\d{2}(?:[.,]\\d+)?)?(?:[ \\x{a0}\\x{202f}]?[AaPp]\\.?[Mm]\\b\\.?)?"_s;
    static const QString zone = u"(?:[ ]?(?:Z\\b|UTC\\b|GMT)?(?:[+-]\\d{2}:?\\d{2}\\b)?(?: \\([^()\\n]*\\))?)"_s;
    static const QString day = u"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)"_s;
    static const QString month = u"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)"_s;
    static const QString date =
        u"(?:\\b\\d{4}-\\d{2}-\\d{2}|\\b\\d{1,2}/\\d{1,2}/\\d{4}|\\b\\d{1,2}\\.\\d{1,2}\\.\\d{4}|"_s + u"\\b"_s + day +
        u",? "_s + month + u" \\d{1,2},? \\d{4}|\\b"_s + day + u", \\d{1,2} "_s + month + u" \\d{4})"_s;
    static const QRegularExpression expression(date + u"(?:[T,]?[ ]?"_s + time + zone + u")?|\\b"_s + time,
                                               QRegularExpression::UseUnicodePropertiesOption);
    return expression;
}

const QRegularExpression &uuids()
{
    static const QRegularExpression expression(u"\\b[0-9A-Fa-f]{8}-(?:[0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}\\b"_s);
    return expression;
}

// Whether the other text is what this one was before some of it was replaced. Each piece that was not is looked for
// behind the one before it.
bool isCoveredBy(const QByteArray &marked, const QByteArray &other)
{
    qsizetype mark = nextMark(marked);
    if (mark < 0 || !other.startsWith(marked.first(mark)))
        return false;
    qsizetype piece = mark;  // where it begins
    qsizetype at = mark;     // in the other text
    for (; mark >= 0; mark = nextMark(marked, piece)) {
        const QByteArrayView kept = QByteArrayView(marked).sliced(piece, mark - piece);
        at = other.indexOf(kept, at);
        if (at < 0)
            return false;
        at += kept.size();
        piece = mark + markLength(marked, mark);
    }
    const QByteArrayView last = QByteArrayView(marked).sliced(piece);
    return other.size() - at >= last.size() && other.endsWith(last);
}

QString textOf(const json::Value &value)
{
    return value.isString() ? value.string() : value.isNumber() ? QString::fromLatin1(value.numberText()) : QString();
}

bool isSameBut(const json::Difference &difference, const QRegularExpression &expression)
{
    if (difference.left.kind() != difference.right.kind())
        return false;
    const QString left = textOf(difference.left);
    const QString right = textOf(difference.right);
    if (left.isEmpty() || right.isEmpty())
        return false;
    return QString(left).replace(expression, ReplacedPart) == QString(right).replace(expression, ReplacedPart);
}

// Seconds or milliseconds since 1970, from 2001 to 2096.
bool countsTime(const json::Value &value)
{
    const std::optional<qint64> count = value.toInteger();
    return value.isNumber() && count &&
           ((*count >= 1'000'000'000 && *count < 4'000'000'000) ||
            (*count >= 1'000'000'000'000 && *count < 4'000'000'000'000));
}

bool matchesKind(const ReplayRule &rule, const json::Difference &difference)
{
    switch (rule.kind) {
        case ReplayRule::Kind::Anything:
            return true;
        case ReplayRule::Kind::Timestamp:
            return isSameBut(difference, timestamps()) || (countsTime(difference.left) && countsTime(difference.right));
        case ReplayRule::Kind::Uuid:
            return isSameBut(difference, uuids());
        case ReplayRule::Kind::Regex:
            return isSameBut(difference, QRegularExpression(rule.regex));
    }
    return false;
}

// "/content/0/text#/rows" is content, 0, text, #, rows.
QStringList steps(QStringView pointer)
{
    QStringList result;
    bool isFirst = true;
    for (const QStringView token : pointer.split(u'/')) {
        const bool entersText = token.endsWith(u'#');
        const QStringView name = entersText ? token.chopped(1) : token;
        if (!isFirst)
            result.append(name.toString());
        if (entersText)
            result.append(u"#"_s);
        isFirst = false;
    }
    return result;
}

// Whether the pattern names the place or one above it. The usual matching of wildcards with one point to come back to.
bool covers(const QStringList &pattern, const QStringList &place)
{
    qsizetype p = 0;
    qsizetype at = 0;
    qsizetype retryPattern = -1;
    qsizetype retryPlace = 0;
    while (p < pattern.size()) {
        if (pattern[p] == "**"_L1) {
            retryPattern = ++p;
            retryPlace = at;
        } else if (at < place.size() && (pattern[p] == "*"_L1 || pattern[p] == place[at])) {
            ++p;
            ++at;
        } else if (retryPattern >= 0 && retryPlace < place.size()) {
            p = retryPattern;
            at = ++retryPlace;
        } else {
            return false;
        }
    }
    return true;
}

struct PatternName {
    ReplayRule::Kind kind;
    QLatin1StringView name;
};
constexpr PatternName PatternNames[] = {{ReplayRule::Kind::Timestamp, "timestamp"_L1},
                                        {ReplayRule::Kind::Uuid, "uuid"_L1}};

Error check(const ReplayRule &rule)
{
    if (!rule.pointer.isEmpty() && !rule.pointer.startsWith(u'/') && !rule.pointer.startsWith(u'#'))
        return Error::local(RulesText::tr("'%1' is not a JSON pointer: it must begin with /").arg(rule.pointer));
    if (rule.kind == ReplayRule::Kind::Anything && rule.pointer.isEmpty())
        return Error::local(RulesText::tr("a rule needs a pointer, a pattern or a regex"));
    if (rule.kind == ReplayRule::Kind::Regex) {
        const QRegularExpression expression(rule.regex);
        if (!expression.isValid())
            return Error::local(RulesText::tr("'%1' is not a valid regular expression: %2, at character %3")
                                    .arg(rule.regex, expression.errorString())
                                    .arg(expression.patternErrorOffset()));
        if (rule.regex.isEmpty())
            return Error::local(RulesText::tr("the regex is empty"));
    }
    return {};
}

Result<ReplayRule> readRule(const json::Value &value)
{
    if (!value.isObject())
        return Error::local(RulesText::tr("a rule is not a JSON object"));
    ReplayRule rule;
    for (const json::Value &member : value) {
        const QString key = member.key();
        if (!member.isString())
            return Error::local(RulesText::tr("'%1' is not a string").arg(key));
        const QString text = member.string();
        if (key == "pointer"_L1) {
            rule.pointer = text;
        } else if (key == "method"_L1) {
            rule.method = text;
        } else if (key == "target"_L1) {
            rule.target = text;
        } else if (key == "regex"_L1 || key == "pattern"_L1) {
            if (rule.kind != ReplayRule::Kind::Anything)
                return Error::local(RulesText::tr("a rule can have either a pattern or a regex"));
            rule.kind = ReplayRule::Kind::Regex;
            rule.regex = text;
            if (key == "regex"_L1)
                continue;
            rule.regex.clear();
            const auto *known = std::find_if(std::begin(PatternNames), std::end(PatternNames),
                                             [&text](const PatternName &each) { return each.name == text; });
            if (known == std::end(PatternNames))
                return Error::local(RulesText::tr("unknown pattern '%1'; patterns are timestamp and uuid").arg(text));
            rule.kind = known->kind;
        } else {
            return Error::local(RulesText::tr("unknown member '%1' in a rule").arg(key));
        }
    }
    if (const Error error = check(rule))
        return error;
    return rule;
}

}  // namespace

QString ReplayRules::pathBeside(const QString &sessionPath)
{
    const QFileInfo file(sessionPath);
    return file.path() + u'/' + file.completeBaseName() + u".rules.json"_s;
}

Result<ReplayRules> ReplayRules::parse(const QByteArray &text, const QString &path)
{
    const json::Document document = json::Document::parse(text);
    if (!document.isValid())
        return Error::local(RulesText::tr("%1 is not JSON: %2")
                                .arg(path, document.findings().isEmpty() ? QString() : document.findings()[0].reason));
    const json::Value list = document.root()[u"ignore"];
    if (!document.root().isObject() || document.root().size() != 1 || !list.isArray())
        return Error::local(RulesText::tr("%1 contains no rules: expected an object with a list 'ignore'").arg(path));
    Result<ReplayRules> rules = fromList(list);
    if (!rules)
        return Error::local(u"%1, %2"_s.arg(path, rules.error().message));
    return rules;
}

Result<ReplayRules> ReplayRules::fromList(const json::Value &list)
{
    if (!list.isArray())
        return Error::local(RulesText::tr("the rules are not a list"));
    ReplayRules rules;
    int number = 0;
    for (const json::Value &each : list) {
        ++number;
        const Result<ReplayRule> rule = readRule(each);
        if (!rule)
            return Error::local(RulesText::tr("rule %1: %2").arg(number).arg(rule.error().message));
        rules.m_rules.append(*rule);
    }
    return rules;
}

Result<ReplayRules> ReplayRules::load(const QString &path, Named named)
{
    const Result<QByteArray> text = named == Named::OnCommandLine ? readFileOrPipe(path, filelimits::ReplayRules)
                                                                  : readFile(path, filelimits::ReplayRules);
    return text ? parse(*text, path) : Result<ReplayRules>(text.error());
}

Error ReplayRules::save(const QString &path) const
{
    return saveFile(path, toJson(), ReadableBy::Usual);
}

QByteArray ReplayRules::toJson() const
{
    json::Builder builder;
    builder.beginObject().key(u"ignore").beginArray();
    for (const ReplayRule &rule : m_rules) {
        builder.beginObject();
        const auto member = [&builder](QStringView name, const QString &text) {
            if (!text.isEmpty())
                builder.member(name, text);
        };
        member(u"pointer", rule.pointer);
        for (const PatternName &each : PatternNames) {
            if (each.kind == rule.kind)
                builder.member(u"pattern", QString(each.name));
        }
        member(u"regex", rule.regex);
        member(u"method", rule.method);
        member(u"target", rule.target);
        builder.endObject();
    }
    builder.endArray().endObject();
    return json::indented(json::parse(builder.take())) + '\n';
}

Error ReplayRules::add(const ReplayRule &rule)
{
    if (const Error error = check(rule))
        return error;
    if (!m_rules.contains(rule))
        m_rules.append(rule);
    return {};
}

const ReplayRule *ReplayRules::ignoring(const json::Difference &difference, QStringView method,
                                        QStringView target) const
{
    const QStringList place = steps(difference.pointer);
    const auto found = std::find_if(m_rules.begin(), m_rules.end(), [&](const ReplayRule &rule) {
        return (rule.method.isEmpty() || rule.method == method) && (rule.target.isEmpty() || rule.target == target) &&
               (rule.pointer.isEmpty() || covers(steps(rule.pointer), place)) && matchesKind(rule, difference);
    });
    return found == m_rules.end() ? nullptr : &*found;
}

bool differsInSecretsOnly(const json::Difference &difference)
{
    const auto covered = [](const json::Value &marked, const json::Value &other) {
        if (marked.isNumber() && other.isNumber())
            return holdsSecretMark(QString::fromLatin1(marked.numberText()));
        if (!marked.isString())
            return false;
        const QByteArray text = marked.string().toUtf8();
        // Older recordings have a mark in place of a number or of a whole structure too.
        if (!other.isString())
            return other.exists() && isMark(text);
        return isCoveredBy(text, other.string().toUtf8());
    };
    return covered(difference.left, difference.right) || covered(difference.right, difference.left);
}

bool holdsSecretMark(const QString &text)
{
    return nextMark(text.toUtf8()) >= 0;
}

}  // namespace sonde
