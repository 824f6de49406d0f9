// SPDX-License-Identifier: Apache-2.0
#include "core/session/redactor.h"

#include "core/json/builder.h"
#include "core/session/secretforms.h"
#include "core/session/secretmarks.h"

#include <algorithm>
#include <array>

namespace sonde {

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
        const QByteArray next = isFlag && equals < 0 ? flagName(text) : QByteArray();
        if (!text.isEmpty() && isCredentialFlag(label)) {
            // Whatever it looks like, since a password may begin with a dash. It may be the next flag all the same.
            writeCredential(text, label, !isPlainFlag(text));
            return next;
        }
        if (isFlag && equals > 0 && isCredentialFlag(flagName(text.left(equals)))) {
            const QByteArray name = flagName(text.left(equals));
            const QByteArray value = text.mid(equals + 1);
            replace(text.left(equals + 1), value, kindFrom(name));
            learnFrom(value, name, value);
            return {};
        }
        if (isFlag && equals < 0)
            m_builder.value(argument);
        else
            writeString(argument, {});
        return next;
    }

    // People call their variables anything: more names are taken for telling ones than elsewhere, and a value that
    // looks like a token is one. What was taken for one by mistake must not blank out the rest of the recording.
    void writeVariable(const json::Value &value, const QByteArray &name)
    {
        const QByteArray text = value.string().toUtf8();
        if (isMark(text)) {
            m_builder.value(value);
        } else if (!text.isEmpty() && isCredentialVariable(name)) {
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

    // Long, and of nothing but small letters.
    static bool isPlainFlag(const QByteArray &text)
    {
        return text.startsWith("--") &&
               std::all_of(text.begin(), text.end(), [](char c) { return c == '-' || (c >= 'a' && c <= 'z'); });
    }

    void writeCredential(const QByteArray &text, const QByteArray &name, bool learns = true)
    {
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
        if (learns)
            learnFrom(credential, name, text);
    }

    void writeString(const json::Value &string, const QByteArray &name)
    {
        const QByteArray text = string.string().toUtf8();
        if (!name.isEmpty() && !text.isEmpty() && isCredentialName(name)) {
            writeCredential(text, name);
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

    // The mark that stands for it; it is its own.
    QByteArray markFor(const QByteArray &secret, const QByteArray &kind)
    {
        if (isMark(secret))
            return secret;
        m_hasReplaced = true;
        if (m_redactor->m_witness)
            m_redactor->m_witness(secret, kind);
        return m_redactor->markFor(secret, kind);
    }

    void replace(const QByteArray &before, const QByteArray &secret, const QByteArray &kind)
    {
        m_builder.string(QString::fromUtf8(before + markFor(secret, kind)));
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
            if (!isMark(userInfo)) {
                for (const QByteArray &part : userInfo.split(':'))
                    m_redactor->learn(QByteArray::fromPercentEncoding(part), "userinfo");
            }
            out += markFor(userInfo, "userinfo");
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
                out += part.left(equals + 1) + markFor(value, "query");
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
    for (qsizetype at = text.indexOf(MarkBegin); at >= 0; at = text.indexOf(MarkBegin, at + 1)) {
        if (const qsizetype length = markLength(text, at))
            marks.append({at, length, kindOfMark(text, at), true});
    }
    return text;
}

}  // namespace sonde
