// SPDX-License-Identifier: Apache-2.0
#include "core/session/telltales.h"

#include "core/json/builder.h"
#include "core/json/pointer.h"
#include "core/session/secretmarks.h"
#include "core/session/unescaped.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <algorithm>
#include <array>
#include <vector>

namespace sonde {

using namespace Qt::StringLiterals;

namespace {

constexpr qsizetype longestValue = 64 * 1024;
constexpr int mostLayers = 2;              // of escapes within the strings of a text
constexpr int mostDocuments = 3;           // within the strings of one another
constexpr qsizetype shortestKeyLine = 16;  // of a private key, to be looked for by itself

struct TelltalesText {
    Q_DECLARE_TR_FUNCTIONS(ExportRedactor)
};

// The kind of secret that a member of this name holds; empty: none. In payloads "code" and "key" are ordinary words.
QByteArray secretKind(const QString &name)
{
    static const std::array<std::pair<QLatin1String, QByteArray>, 10> parts = {
        {{QLatin1String("password"), "password"},
         {QLatin1String("passwd"), "password"},
         {QLatin1String("passphrase"), "passphrase"},
         {QLatin1String("secret"), "secret"},
         {QLatin1String("authorization"), "authorization"},
         {QLatin1String("apikey"), "apikey"},
         {QLatin1String("accesskey"), "accesskey"},
         {QLatin1String("privatekey"), "privatekey"},
         {QLatin1String("credential"), "credential"},
         {QLatin1String("cookie"), "cookie"}}};
    QString plain = name.toLower();
    plain.remove(u'-').remove(u'_');
    for (const auto &[part, kind] : parts) {
        if (plain.contains(part))
            return kind;
    }
    if (plain == u"pwd" || plain == u"pass")
        return "password";
    const bool isToken = (plain.endsWith(u"token") && plain != u"progresstoken") || plain == u"jwt";
    return isToken ? QByteArray("token") : QByteArray();
}

// What a schema says about a secret property is none, but for the values that it gives as an example.
bool looksLikeSchema(const json::Value &value)
{
    static constexpr std::array<QStringView, 8> keywords = {u"type",  u"$ref",   u"anyOf", u"oneOf",
                                                            u"allOf", u"format", u"title", u"description"};
    const auto isIn = [&value](QStringView keyword) { return value.contains(keyword); };
    return value.isObject() && (value.isEmpty() || std::any_of(keywords.begin(), keywords.end(), isIn));
}

bool isExampleInSchema(const QString &name)
{
    static const QStringList names{u"default"_s, u"const"_s, u"enum"_s, u"example"_s, u"examples"_s};
    return names.contains(name);
}

// Calls onSecret for each text and number in or below a member with a telling name, onOther for all other texts.
template <typename OnSecret, typename OnOther>
void eachScalar(const json::Value &root, const OnSecret &onSecret, const OnOther &onOther)
{
    struct Place {
        json::Value value;
        QByteArray kind;        // of all that is in it
        QByteArray schemaKind;  // of the examples in it
        bool isProperties = false;
    };
    std::vector<Place> open{{root, {}, {}, false}};
    while (!open.empty()) {
        const Place place = open.back();
        open.pop_back();
        for (const json::Value &child : place.value) {
            const QString name = place.value.isObject() ? child.key() : QString();
            QByteArray kind = place.kind;
            if (!place.schemaKind.isEmpty() && isExampleInSchema(name))
                kind = place.schemaKind;
            if (kind.isEmpty() && !name.isEmpty())
                kind = secretKind(name);
            const bool isSchema = place.isProperties && place.kind.isEmpty() && looksLikeSchema(child);
            if (isSchema)
                open.push_back({child, {}, kind, false});
            else if (child.isContainer())
                open.push_back({child, kind, {}, name == u"properties" || name == u"$defs"});
            else if (!kind.isEmpty() && (child.isString() || (child.isNumber() && name != u"pass")))
                onSecret(child, kind);
            else if (child.isString())
                onOther(child);
        }
    }
}

QByteArray textOf(const json::Value &scalar)
{
    return scalar.isString() ? scalar.string().toUtf8() : scalar.slice().toByteArray();
}

json::Document documentOf(const QByteArray &payload)
{
    const QByteArrayView text = QByteArrayView(payload).trimmed();
    const bool mayBe = text.startsWith('{') || text.startsWith('[');
    const json::Document document = mayBe ? json::Document::parse(payload) : json::Document();
    return document.isValid() ? document : json::Document();
}

bool mayHoldDocument(const json::Value &string)
{
    const QByteArrayView text = string.slice();
    return text.size() > 4 && text.contains(':') && text.contains('{');
}

// A mark looks like an assignment.
QByteArray withoutMarks(const QByteArray &text)
{
    QByteArray out;
    qsizetype copied = 0;
    for (qsizetype at = text.indexOf(MarkBegin); at >= 0; at = text.indexOf(MarkBegin, at + 1)) {
        if (const qsizetype length = markLength(text, at)) {
            out.append(text.constData() + copied, at - copied);
            copied = at + length;
        }
    }
    return copied == 0 ? text : out.append(text.constData() + copied, text.size() - copied);
}

// A word such as "required" after "password:" is none; what people and machines make up has both.
bool looksMadeUp(QStringView text)
{
    const bool hasDigit = std::any_of(text.begin(), text.end(), [](QChar c) { return c.isDigit(); });
    const bool hasLetter = std::any_of(text.begin(), text.end(), [](QChar c) { return c.isLetter(); });
    return hasDigit && hasLetter;
}

class Finder {
public:
    explicit Finder(const std::function<void(const Telltale &)> &visit) : m_visit(visit) {}

    void lookThrough(const QByteArray &given)
    {
        const QByteArray payload = withoutMarks(given);
        const json::Document document = documentOf(payload);
        if (document.isNull()) {
            lookForPatterns(payload, mostLayers);
            return;
        }
        QByteArray text;
        lookAtMembers(document, {}, mostDocuments, &text);
        lookForPatterns(text, mostLayers);
    }

private:
    // Collects what its strings say, and the names. A comma ends whatever the patterns look for.
    void lookAtMembers(const json::Document &document, const QString &outer, int documents, QByteArray *text)
    {
        const auto where = [&outer](const json::Value &value) {
            return QString(outer + json::Pointer::to(value).toString());
        };
        eachScalar(
            document.root(),
            [&](const json::Value &value, const QByteArray &kind) {
                const QByteArray secret = textOf(value);
                tell(secret, kind, [&] { return where(value); });
                *text += ',' + secret;
            },
            [&](const json::Value &string) {
                const QByteArray said = textOf(string);
                *text += ',' + said;
                const json::Document inner =
                    documents > 1 && mayHoldDocument(string) ? documentOf(said) : json::Document();
                if (inner.isNull())
                    return;
                QByteArray ignored;  // it is read once more with its escapes
                lookAtMembers(inner, where(string), documents - 1, &ignored);
            });
        for (const json::Value &name : names(document.root()))
            *text += ',' + name.key().toUtf8();
    }

    // Members whose names are long enough to be a token.
    static std::vector<json::Value> names(const json::Value &root)
    {
        constexpr qsizetype shortestToken = 16;
        std::vector<json::Value> found;
        std::vector<json::Value> open{root};
        while (!open.empty()) {
            const json::Value container = open.back();
            open.pop_back();
            for (const json::Value &child : container) {
                if (child.keySlice().size() > shortestToken)
                    found.push_back(child);
                if (child.isContainer())
                    open.push_back(child);
            }
        }
        return found;
    }

    // Also in what it reads as without its escapes: behind \n and %20 begins a word.
    void lookForPatterns(const QByteArray &text, int layers)
    {
        lookForPatterns(QString::fromUtf8(text));
        for (const auto unescape : {Unescaped::json, Unescaped::percent}) {
            if (layers == 0)
                return;
            const Unescaped inner = unescape(text, Unescaped::Bytes().set());
            if (!inner.escapes().empty())
                lookForPatterns(inner.text(), layers - 1);
        }
    }

    void lookForPatterns(const QString &text)
    {
        static const QRegularExpression tokens(
            u"\\b(?:gh[pousr]_[A-Za-z0-9]{20,255}|github_pat_[A-Za-z0-9_]{20,255}|glpat-[A-Za-z0-9_-]{20,255}|"
            "sk-[A-Za-z0-9_-]{20,255}|xox[abeoprs]-[A-Za-z0-9-]{10,255}|AKIA[0-9A-Z]{16}|AIza[0-9A-Za-z_-]{35}|"
            "npm_[A-Za-z0-9]{36}|eyJ[A-Za-z0-9_-]{8,4096}\\.eyJ[A-Za-z0-9_-]{8,8192}\\.[A-Za-z0-9_-]{0,4096})"_s);
        static const QRegularExpression keys(
            u"-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----.{1,20000}?-----END [A-Z ]{0,40}PRIVATE KEY-----"_s,
            QRegularExpression::DotMatchesEverythingOption);
        static const QRegularExpression lineEnds(u"[,\\s\\\\]"_s);
        static const QRegularExpression bearers(u"\\bbearer\\s{1,4}([A-Za-z0-9._~+/=-]{16,4096})"_s,
                                                QRegularExpression::CaseInsensitiveOption);
        static const QRegularExpression assignments(
            u"(password|passwd|passphrase|secret|api[_-]?key|(?<!progress)token)[\"'\\\\]{0,4}\\s{0,4}[:=]\\s{0,4}"
            "[\"'\\\\]{0,4}([^\\s\"'\\\\,;&<>(){}\\[\\]]{8,1024})"_s,
            QRegularExpression::CaseInsensitiveOption);
        const auto each = [&text](const QRegularExpression &pattern, const auto &take) {
            QRegularExpressionMatchIterator matches = pattern.globalMatch(text);
            while (matches.hasNext())
                take(matches.next());
        };
        each(tokens, [this](const QRegularExpressionMatch &match) {
            tell(match.captured().toUtf8(), "token", [] { return TelltalesText::tr("the form of a token"); });
        });
        each(keys, [this](const QRegularExpressionMatch &match) {
            const auto where = [] { return TelltalesText::tr("the form of a private key"); };
            tell(match.captured().toUtf8(), "privatekey", where);
            // Somebody may have taken it apart.
            const QStringList lines = match.captured().split(lineEnds);
            for (const QString &line : lines) {
                if (line.size() >= shortestKeyLine && !line.startsWith(u'-'))
                    tell(line.toUtf8(), "privatekey", where);
            }
        });
        each(bearers, [this](const QRegularExpressionMatch &match) {
            if (looksMadeUp(match.capturedView(1)))
                tell(match.captured(1).toUtf8(), "token", [] { return TelltalesText::tr("after the word Bearer"); });
        });
        each(assignments, [this](const QRegularExpressionMatch &match) {
            if (looksMadeUp(match.capturedView(2)))
                tell(match.captured(2).toUtf8(), secretKind(match.captured(1)),
                     [&match] { return TelltalesText::tr("after %1").arg(match.captured(1)); });
        });
    }

    template <typename Where>
    void tell(const QByteArray &secret, const QByteArray &kind, const Where &where)
    {
        if (!secret.isEmpty() && secret.size() <= longestValue)
            m_visit({secret, kind, where});
    }

    const std::function<void(const Telltale &)> &m_visit;
};

QByteArray marked(const QByteArray &payload, const MarkMaker &mark, int documents)
{
    const json::Document document = documentOf(payload);
    if (document.isNull())
        return payload;
    struct Span {
        qsizetype start = 0;
        qsizetype end = 0;
        QByteArray text;
    };
    std::vector<Span> spans;
    const auto put = [&spans](const json::Value &value, const QByteArray &text) {
        spans.push_back({value.offset(), value.offset() + value.slice().size(), text});
    };
    eachScalar(
        document.root(),
        [&](const json::Value &value, const QByteArray &kind) {
            const QByteArray secret = textOf(value);
            if (!secret.isEmpty() && !isMark(secret))
                put(value, '"' + mark(secret, kind) + '"');
        },
        [&](const json::Value &string) {
            if (documents <= 1 || !mayHoldDocument(string))
                return;
            const QByteArray said = textOf(string);
            const QByteArray inner = marked(said, mark, documents - 1);
            if (inner != said)
                put(string, json::quoted(QString::fromUtf8(inner)));
        });
    std::sort(spans.begin(), spans.end(), [](const Span &left, const Span &right) { return left.start < right.start; });
    QByteArray out;
    qsizetype copied = 0;
    for (const Span &span : spans) {
        out.append(payload.constData() + copied, span.start - copied);
        out.append(span.text);
        copied = span.end;
    }
    return out.append(payload.constData() + copied, payload.size() - copied);
}

}  // namespace

void findTelltales(const QByteArray &payload, const std::function<void(const Telltale &)> &visit)
{
    Finder(visit).lookThrough(payload);
}

QByteArray withMarkedMembers(const QByteArray &payload, const MarkMaker &mark)
{
    return marked(payload, mark, mostDocuments);
}

}  // namespace sonde
