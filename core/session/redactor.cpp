// SPDX-License-Identifier: Apache-2.0
#include "core/session/redactor.h"

#include "core/protocol/envelope.h"
#include "core/session/secretforms.h"

#include <QCryptographicHash>
#include <QMessageAuthenticationCode>
#include <array>

namespace sonde {

using namespace Qt::StringLiterals;

namespace {

constexpr qsizetype shortestSecret = 4;   // shorter words would hit everywhere
constexpr qsizetype shortestLearned = 8;  // credentials seen in headers, which nobody vouched for
constexpr size_t mostSecrets = 1000;
constexpr qsizetype longestSecret = 64 * 1024;
constexpr char markBegin[] = "\xE2\x80\xB9";  // ‹
constexpr char markEnd[] = "\xE2\x80\xBA";    // ›

quint16 beginning(const char *at)
{
    return quint16(quint8(at[0]) | quint16(quint8(at[1]) << 8));
}

// Header and variable names come from outside: only what a kind may consist of.
QByteArray kindFrom(QByteArrayView name)
{
    QByteArray kind;
    for (const char c : name.toByteArray().toLower()) {
        if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-')
            kind.append(c);
    }
    return kind.isEmpty() ? QByteArray("secret") : kind.left(40);
}

bool isScalarByte(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '+' || c == '-' ||
           c == '.';
}

bool isNameByte(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// Whether what stands before that place is a part of a name, rather than the end of an escape such as \n or %2F.
bool isAfterName(QByteArrayView bytes, qsizetype at)
{
    if (at == 0 || !(isNameByte(bytes[at - 1]) || QByteArrayView("_-.").contains(bytes[at - 1])))
        return false;
    const auto isBackslash = [bytes](qsizetype place) { return place >= 0 && bytes[place] == '\\'; };
    return !isBackslash(at - 2) && !(isBackslash(at - 6) && bytes[at - 5] == 'u') && !(at >= 3 && bytes[at - 3] == '%');
}

// Walks over the text of JSON in units that must stay whole: an escape, or a byte.
class JsonWalk {
public:
    explicit JsonWalk(const QByteArray &text) : m_text(text) {}

    qsizetype start() const { return m_start; }
    qsizetype end() const { return m_start + length(); }
    bool inString() const { return m_inString; }
    bool isQuote() const { return m_text.at(m_start) == '"'; }
    bool atEnd() const { return m_start >= m_text.size(); }

    void next()
    {
        const qsizetype step = length();
        if (isQuote())
            m_inString = !m_inString;
        m_start += step;
    }

private:
    qsizetype length() const
    {
        if (!m_inString || m_text.at(m_start) != '\\')
            return 1;
        const bool isLong = m_start + 1 < m_text.size() && m_text.at(m_start + 1) == 'u';
        return qMin<qsizetype>(isLong ? 6 : 2, m_text.size() - m_start);
    }

    const QByteArray &m_text;
    qsizetype m_start = 0;
    bool m_inString = false;
};

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

// Copies facts, with credentials replaced.
class Redactor::FactsWriter {
public:
    explicit FactsWriter(Redactor *redactor) : m_redactor(redactor) {}

    void write(const json::Value &value, const QByteArray &name = {}, int depth = 0)
    {
        if (value.isString())
            writeString(value, name);
        else if (value.isObject() && depth < 16)
            writeObject(value, depth);
        else if (value.isArray() && depth < 16)
            writeArray(value, name, depth);
        else
            m_builder.value(value);
    }

    bool hasReplaced() const { return m_hasReplaced; }
    QByteArray take() { return m_builder.take(); }

private:
    void writeObject(const json::Value &object, int depth)
    {
        m_builder.beginObject();
        for (const json::Value &member : object) {
            m_builder.rawKey(member.keySlice());
            write(member, member.key().toUtf8(), depth + 1);
        }
        m_builder.endObject();
    }

    // [name, value], a header or a variable; or a list of arguments, where a name may stand in front of its value.
    void writeArray(const json::Value &array, const QByteArray &name, int depth)
    {
        const bool isArguments = name == "argv" || name == "arguments";
        const bool isNames = name == "environment" || name == "inherited";
        const bool isVariables = name == "variables";
        const bool isPair =
            !isArguments && !isNames && array.size() == 2 && array.at(0).isString() && array.at(1).isString();
        m_builder.beginArray();
        QByteArray label;
        for (const json::Value &element : array) {
            if (isArguments && element.isString())
                label = writeArgument(element, label);
            else if (isVariables && !label.isEmpty())
                writeVariable(element, label);
            else
                write(element, isVariables ? name : label, depth + 1);
            if (isPair)
                label = element.string().toUtf8();
        }
        m_builder.endArray();
    }

    // Answers the name that speaks for the next argument.
    QByteArray writeArgument(const json::Value &argument, const QByteArray &label)
    {
        const QByteArray text = argument.string().toUtf8();
        const qsizetype equals = text.indexOf('=');
        const bool isFlag = text.startsWith('-');
        if (isFlag && equals > 0 && isCredentialName(flagName(text.left(equals)))) {
            const QByteArray kind = kindFrom(flagName(text.left(equals)));
            replace(text.left(equals + 1), text.mid(equals + 1), kind);
            return {};
        }
        if (isFlag && equals < 0) {
            m_builder.value(argument);
            return flagName(text);
        }
        writeString(argument, label);
        return {};
    }

    // People call their variables anything: more names are taken for telling ones than elsewhere, and a value that
    // looks like a token is one. What was taken for one by mistake must not blank out the rest of the recording.
    void writeVariable(const json::Value &value, const QByteArray &name)
    {
        const QByteArray text = value.string().toUtf8();
        if (!text.isEmpty() && isCredentialVariable(name)) {
            replace({}, text, kindFrom(name));
            learnFrom(text, name, text);
        } else if (looksLikeToken(text)) {
            replace({}, text, "value");
        } else {
            writeString(value, {});
        }
    }

    static QByteArray flagName(QByteArray flag)
    {
        while (flag.startsWith('-'))
            flag.remove(0, 1);
        return flag;
    }

    void writeString(const json::Value &string, const QByteArray &name)
    {
        const QByteArray text = string.string().toUtf8();
        if (!name.isEmpty() && !text.isEmpty() && isCredentialName(name)) {
            // The scheme is no secret, and a great help when something is refused.
            static const std::array<QByteArray, 7> schemes = {"bearer ", "basic ",     "digest ", "dpop ",
                                                              "token ",  "negotiate ", "apikey "};
            qsizetype prefix = 0;
            for (const QByteArray &scheme : schemes) {
                if (text.toLower().startsWith(scheme))
                    prefix = scheme.size();
            }
            const QByteArray credential = text.mid(prefix);
            replace(text.left(prefix), credential, kindFrom(name));
            learnFrom(credential, name, text);
            return;
        }
        const QByteArray url = redactedUrl(text);
        if (url == text) {
            m_builder.value(string);
        } else {
            m_hasReplaced = true;
            m_builder.string(QString::fromUtf8(url));
        }
    }

    // What may come back on its own, without the clothes it was sent in.
    void learnFrom(const QByteArray &credential, const QByteArray &name, const QByteArray &text)
    {
        const QByteArray kind = kindFrom(name);
        m_redactor->learn(credential, kind);
        if (text.toLower().startsWith("basic ")) {
            const QByteArray pair = QByteArray::fromBase64(credential);
            m_redactor->learn(pair.mid(pair.indexOf(':') + 1), "password");
        }
        if (!kind.contains("cookie"))
            return;
        QList<QByteArray> cookies = credential.split(';');
        if (kind == "set-cookie")
            cookies.resize(1);  // attributes follow
        for (const QByteArray &cookie : std::as_const(cookies))
            m_redactor->learn(cookie.mid(cookie.indexOf('=') + 1).trimmed(), kind);
    }

    void replace(const QByteArray &before, const QByteArray &secret, const QByteArray &kind)
    {
        m_hasReplaced = true;
        m_builder.string(QString::fromUtf8(before + m_redactor->markFor(secret, kind)));
    }

    // By hand, since taking a URL apart and putting it together again would change what is recorded.
    QByteArray redactedUrl(const QByteArray &text)
    {
        const qsizetype scheme = text.indexOf("://");
        if (scheme <= 0 || scheme > 20)
            return text;
        qsizetype pathStart = scheme + 3;
        while (pathStart < text.size() && !QByteArrayView("/?#").contains(text.at(pathStart)))
            ++pathStart;
        QByteArray out = text.left(scheme + 3);
        const QByteArray authority = text.mid(scheme + 3, pathStart - scheme - 3);
        const qsizetype at = authority.lastIndexOf('@');
        if (at > 0) {
            const QByteArray userInfo = authority.left(at);
            for (const QByteArray &part : userInfo.split(':'))
                m_redactor->learn(QByteArray::fromPercentEncoding(part), "userinfo");
            out += m_redactor->markFor(userInfo, "userinfo");
        }
        out += authority.mid(qMax<qsizetype>(at, 0));
        return out + redactedQuery(text.mid(pathStart));
    }

    // From the path on; the fragment may carry parameters too.
    QByteArray redactedQuery(const QByteArray &text)
    {
        QByteArray out;
        qsizetype start = 0;
        for (qsizetype i = 0; i <= text.size(); ++i) {
            if (i < text.size() && !QByteArrayView("?&#").contains(text.at(i)))
                continue;
            const QByteArray part = text.mid(start, i - start);
            const qsizetype equals = part.indexOf('=');
            if (start > 0 && equals > 0 && equals + 1 < part.size() && isCredentialName(part.left(equals))) {
                const QByteArray value = QByteArray::fromPercentEncoding(part.mid(equals + 1));
                out += part.left(equals + 1) + m_redactor->markFor(value, "query");
                m_redactor->learn(value, "query");
            } else {
                out += part;
            }
            if (i < text.size())
                out += text.at(i);
            start = i + 1;
        }
        return out;
    }

    Redactor *m_redactor;
    json::Builder m_builder;
    bool m_hasReplaced = false;
};

Redactor::Redactor(const QByteArray &key) : m_key(key) {}

QByteArray Redactor::markFor(const QByteArray &secret, const QByteArray &kind) const
{
    const QByteArray code = QMessageAuthenticationCode::hash(secret, m_key, QCryptographicHash::Sha256);
    return markBegin + kind + ':' + code.left(4).toHex() + markEnd;
}

void Redactor::addSecret(const QByteArray &secret, const QByteArray &kind)
{
    add(secret, kind, Edge::None);
}

void Redactor::addFolder(const QByteArray &path, const QByteArray &kind)
{
    add(path, kind, path.lastIndexOf('/') > 0 ? Edge::End : Edge::Both);
}

void Redactor::add(const QByteArray &secret, const QByteArray &kind, Edge edge)
{
    if (QString::fromUtf8(secret).size() < shortestSecret || secret.size() > longestSecret ||
        m_secrets.size() >= mostSecrets || m_known.contains(secret))
        return;
    m_known.insert(secret);
    m_secrets.push_back({kind, markFor(secret, kind)});
    const QList<QByteArray> written = textSpellings(secret);
    for (const QByteArray &form : written)
        addPattern(form, edge);
    const QList<QByteArray> encoded = base64Spellings(secret);
    for (const QByteArray &form : encoded)
        addPattern(form, Edge::None);
}

void Redactor::addPattern(const QByteArray &form, Edge edge)
{
    if (form.size() < shortestSecret)
        return;
    const quint16 key = beginning(form.constData());
    m_beginnings.set(key);
    m_patterns[key].push_back({form, m_secrets.size() - 1, edge});
}

bool Redactor::Pattern::isAt(QByteArrayView bytes, qsizetype at) const
{
    if (!bytes.sliced(at).startsWith(text))
        return false;
    const qsizetype end = at + text.size();
    const bool isLonger = edge != Edge::None && end < bytes.size() && isNameByte(bytes[end]);
    return !isLonger && !(edge == Edge::Both && isAfterName(bytes, at));
}

void Redactor::learn(const QByteArray &credential, const QByteArray &kind)
{
    if (credential.size() >= shortestLearned && !credential.startsWith(markBegin))
        addSecret(credential, kind);
}

// In order; what overlaps is one hit, so that no rest of a second secret remains.
std::vector<Redactor::Hit> Redactor::find(const QByteArray &bytes) const
{
    std::vector<Hit> hits;
    const qsizetype size = bytes.size();
    const char *const data = bytes.constData();
    for (qsizetype i = 0; i + shortestSecret <= size; ++i) {
        const quint16 key = beginning(data + i);
        if (!m_beginnings.test(key))
            continue;
        const Pattern *longest = nullptr;
        for (const Pattern &pattern : m_patterns.at(key)) {
            if ((!longest || pattern.text.size() > longest->text.size()) && pattern.isAt(bytes, i))
                longest = &pattern;
        }
        if (!longest)
            continue;
        const qsizetype end = i + longest->text.size();
        if (!hits.empty() && i < hits.back().end)
            hits.back().end = qMax(hits.back().end, end);
        else
            hits.push_back({i, end, longest->secret});
    }
    return hits;
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
    if (m_secrets.empty())
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

QByteArray Redactor::redactFacts(const json::Document &facts, QList<RedactionMark> &marks)
{
    FactsWriter writer(this);
    writer.write(facts.root());
    QByteArray text = writer.hasReplaced() ? writer.take() : facts.text();

    QList<RedactionMark> ignored;
    const bool found = redactPayload(text, ignored);
    if (found && !text.startsWith('{'))
        text = "{\"text\":" + text + '}';
    if (!found && !writer.hasReplaced())
        return text;
    const QByteArrayView begin(markBegin);
    for (qsizetype at = text.indexOf(begin); at >= 0; at = text.indexOf(begin, at + 1)) {
        const qsizetype colon = text.indexOf(':', at);
        const qsizetype end = text.indexOf(QByteArrayView(markEnd), at);
        if (colon < 0 || end != colon + 9)
            continue;
        const QByteArray kind = text.mid(at + begin.size(), colon - at - begin.size());
        if (kind == kindFrom(kind))
            marks.append({at, end + qsizetype(sizeof markEnd) - 1 - at, kind, true});
    }
    return text;
}

}  // namespace sonde
