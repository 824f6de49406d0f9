// SPDX-License-Identifier: Apache-2.0
#include "core/session/exportredactor.h"

#include "core/json/pointer.h"

#include <QCoreApplication>
#include <QCryptographicHash>
#include <QDir>
#include <QMessageAuthenticationCode>
#include <QRandomGenerator>
#include <QRegularExpression>
#include <algorithm>
#include <array>

namespace sonde {

using namespace Qt::StringLiterals;

namespace {

// Shorter ones are masked where they stand and nowhere else, since they would hit everywhere.
constexpr qsizetype shortestLearned = 8;
constexpr qsizetype longestValue = 64 * 1024;

const QByteArray markBegin = "\xE2\x80\xB9";
const QByteArray markEnd = "\xE2\x80\xBA";

QString tr(const char *text)
{
    return QCoreApplication::translate("ExportRedactor", text);
}

QByteArray randomKey()
{
    QByteArray key(16, '\0');
    QRandomGenerator::system()->generate(key.begin(), key.end());
    return key;
}

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
    const bool isToken = plain.endsWith(u"token") && plain != u"progresstoken";
    return isToken ? QByteArray("token") : QByteArray();
}

bool isMarked(QByteArrayView text)
{
    return text.startsWith(markBegin);
}

// A word such as "required" after "password:" is none; what people and machines make up has both.
bool looksMadeUp(QStringView text)
{
    const bool hasDigit = std::any_of(text.begin(), text.end(), [](QChar c) { return c.isDigit(); });
    const bool hasLetter = std::any_of(text.begin(), text.end(), [](QChar c) { return c.isLetter(); });
    return hasDigit && hasLetter;
}

// Calls visit with every member of every object whose value is a string.
template <typename Visit>
void eachStringMember(const json::Value &root, const Visit &visit)
{
    std::vector<json::Value> open = {root};
    while (!open.empty()) {
        const json::Value container = open.back();
        open.pop_back();
        for (const json::Value &child : container) {
            if (child.isContainer())
                open.push_back(child);
            else if (child.isString() && container.isObject())
                visit(child);
        }
    }
}

json::Document documentOf(const QByteArray &payload)
{
    const QByteArrayView text = QByteArrayView(payload).trimmed();
    const bool mayBe = text.startsWith('{') || text.startsWith('[');
    const json::Document document = mayBe ? json::Document::parse(payload) : json::Document();
    return document.isValid() ? document : json::Document();
}

}  // namespace

ExportRedactor::ExportRedactor() : m_key(randomKey()), m_redactor(m_key)
{
    addHome(QDir::homePath());
}

QByteArray ExportRedactor::markFor(const QByteArray &secret, const QByteArray &kind) const
{
    const QByteArray code = QMessageAuthenticationCode::hash(secret, m_key, QCryptographicHash::Sha256);
    return markBegin + kind + ':' + code.left(4).toHex() + markEnd;
}

void ExportRedactor::addSecret(const QString &secret, const QByteArray &kind)
{
    const QByteArray bytes = secret.toUtf8();
    m_redactor.addSecret(bytes, kind);
    m_lessons.insert(markFor(bytes, kind), {tr("given"), bytes.size()});
}

void ExportRedactor::addHome(const QString &path)
{
    const QByteArray bytes = QDir::cleanPath(path).toUtf8();
    if (!bytes.startsWith('/') || bytes == "/" || bytes == "/home" || bytes == "/Users" || bytes.contains(markBegin))
        return;
    m_redactor.addFolder(bytes, "home");
    m_lessons.insert(markFor(bytes, "home"), {tr("the home folder"), bytes.size()});
}

void ExportRedactor::learnHome(const QByteArray &facts)
{
    for (const json::Value &variable : json::Document::parse(facts).root()[u"variables"]) {
        if (variable.at(0).string() == u"HOME")
            addHome(variable.at(1).string());
    }
}

void ExportRedactor::learn(const QByteArray &secret, const QByteArray &kind, const QString &where)
{
    if (secret.isEmpty() || secret.size() > longestValue || secret.contains(markBegin))
        return;
    const QByteArray mark = markFor(secret, kind);
    if (m_lessons.contains(mark))
        return;
    m_lessons.insert(mark, {where, secret.size()});
    if (secret.size() >= shortestLearned)
        m_redactor.addSecret(secret, kind);
}

void ExportRedactor::learn(const QByteArray &payload)
{
    const json::Document document = documentOf(payload);
    if (!document.isNull())
        learnMembers(document.root());
    learnPatterns(payload);
}

void ExportRedactor::learnMembers(const json::Value &root)
{
    eachStringMember(root, [this](const json::Value &value) {
        const QByteArray kind = secretKind(value.key());
        if (!kind.isEmpty())
            learn(value.string().toUtf8(), kind, json::Pointer::to(value).toString());
    });
}

void ExportRedactor::learnPatterns(const QByteArray &payload)
{
    static const QRegularExpression tokens(
        u"\\b(?:gh[pousr]_[A-Za-z0-9]{20,255}|github_pat_[A-Za-z0-9_]{20,255}|glpat-[A-Za-z0-9_-]{20,255}|"
        "sk-[A-Za-z0-9_-]{20,255}|xox[abeoprs]-[A-Za-z0-9-]{10,255}|AKIA[0-9A-Z]{16}|AIza[0-9A-Za-z_-]{35}|"
        "npm_[A-Za-z0-9]{36}|eyJ[A-Za-z0-9_-]{8,4096}\\.eyJ[A-Za-z0-9_-]{8,8192}\\.[A-Za-z0-9_-]{0,4096})"_s);
    static const QRegularExpression keys(
        u"-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----.{1,20000}?-----END [A-Z ]{0,40}PRIVATE KEY-----"_s,
        QRegularExpression::DotMatchesEverythingOption);
    static const QRegularExpression bearers(u"\\bbearer\\s{1,4}([A-Za-z0-9._~+/=-]{16,4096})"_s,
                                            QRegularExpression::CaseInsensitiveOption);
    static const QRegularExpression assignments(
        u"(password|passwd|passphrase|secret|api[_-]?key|(?<!progress)token)[\"'\\\\]{0,4}\\s{0,4}[:=]\\s{0,4}"
        "[\"'\\\\]{0,4}([^\\s\"'\\\\,;&<>(){}\\[\\]]{8,1024})"_s,
        QRegularExpression::CaseInsensitiveOption);
    const QString text = QString::fromUtf8(payload);
    const auto each = [&text](const QRegularExpression &pattern, const auto &take) {
        QRegularExpressionMatchIterator matches = pattern.globalMatch(text);
        while (matches.hasNext())
            take(matches.next());
    };
    each(tokens, [this](const QRegularExpressionMatch &match) {
        learn(match.captured().toUtf8(), "token", tr("the form of a token"));
    });
    each(keys, [this](const QRegularExpressionMatch &match) {
        learn(match.captured().toUtf8(), "privatekey", tr("the form of a private key"));
    });
    each(bearers, [this](const QRegularExpressionMatch &match) {
        if (looksMadeUp(match.capturedView(1)))
            learn(match.captured(1).toUtf8(), "token", tr("after the word Bearer"));
    });
    each(assignments, [this](const QRegularExpressionMatch &match) {
        if (looksMadeUp(match.capturedView(2)))
            learn(match.captured(2).toUtf8(), secretKind(match.captured(1)), tr("after %1").arg(match.captured(1)));
    });
}

// Also what is too short to be looked for elsewhere.
QByteArray ExportRedactor::maskedMembers(const QByteArray &payload) const
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
    eachStringMember(document.root(), [&](const json::Value &value) {
        const QByteArray kind = secretKind(value.key());
        const QByteArray secret = kind.isEmpty() ? QByteArray() : value.string().toUtf8();
        if (!secret.isEmpty() && !isMarked(secret) && secret.size() <= longestValue)
            spans.push_back({value.offset(), value.offset() + value.slice().size(), '"' + markFor(secret, kind) + '"'});
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

QByteArray ExportRedactor::maskedPayload(qsizetype row, const QByteArray &payload)
{
    QByteArray bytes = maskedMembers(payload);
    QList<RedactionMark> ignored;
    m_redactor.redactPayload(bytes, ignored);
    count(row, bytes);
    return bytes;
}

QByteArray ExportRedactor::maskedFacts(qsizetype row, const QByteArray &facts)
{
    if (facts.isEmpty())
        return facts;
    QByteArray bytes = facts;
    QList<RedactionMark> ignored;
    m_redactor.redactPayload(bytes, ignored);
    count(row, bytes);
    return bytes;
}

void ExportRedactor::resetCounts()
{
    m_places.clear();
    m_masked.clear();
}

// Every mark in a text that is about to leave, from this pass or from the recording.
void ExportRedactor::count(qsizetype row, const QByteArray &text)
{
    for (qsizetype at = text.indexOf(markBegin); at >= 0; at = text.indexOf(markBegin, at + 1)) {
        const qsizetype end = text.indexOf(markEnd, at);
        const qsizetype colon = text.indexOf(':', at);
        if (end < 0 || colon < 0 || end != colon + 9 || colon - at > 64)
            continue;
        const QByteArray mark = text.mid(at, end + markEnd.size() - at);
        auto place = m_places.constFind(mark);
        if (place == m_places.constEnd()) {
            const auto lesson = m_lessons.constFind(mark);
            MaskedSecret found;
            found.mark = QString::fromUtf8(mark);
            found.kind = QString::fromUtf8(text.mid(at + markBegin.size(), colon - at - markBegin.size()));
            found.firstRow = row;
            found.isFromRecording = lesson == m_lessons.constEnd();
            found.where = found.isFromRecording ? tr("masked while recording") : lesson->where;
            found.length = found.isFromRecording ? 0 : lesson->length;
            m_masked.append(found);
            place = m_places.insert(mark, m_masked.size() - 1);
        }
        ++m_masked[*place].occurrences;
    }
}

}  // namespace sonde
