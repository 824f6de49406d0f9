// SPDX-License-Identifier: Apache-2.0
#include "core/redact/maskedfacts.h"

#include "core/json/builder.h"
#include "core/redact/secretforms.h"
#include "core/redact/secretmarks.h"
#include "core/redact/secretnames.h"

#include <algorithm>

namespace sonde {

namespace {

// Copies facts, with credentials replaced.
class FactsWriter {
public:
    explicit FactsWriter(const MaskSecret &mask) : m_mask(mask) {}

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
        // What is asked at an address is no server's own.
        const bool isServer = depth == 0 && !object[u"method"].exists();
        m_builder.beginObject();
        for (const json::Value &member : object) {
            m_builder.rawKey(member.keySlice());
            if (isServer && member.isString() && member.key() == u"url")
                writeServerUrl(member);
            else
                write(member, member.key().toUtf8(), depth + 1);
        }
        m_builder.endObject();
    }

    // [name, value], a header or a variable; or a list of arguments, where a name may precede its value.
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
        if (!text.isEmpty() && isSecret(label, NamePlace::Flag)) {
            // Whatever it looks like, since a password may begin with a dash. It may be the next flag all the same.
            writeCredential(text, label, !isPlainFlag(text));
            return next;
        }
        if (isFlag && equals > 0 && isSecret(flagName(text.left(equals)), NamePlace::Flag)) {
            const QByteArray name = flagName(text.left(equals));
            const QByteArray value = text.mid(equals + 1);
            replace(text.left(equals + 1), value, kindFrom(name));
            return {};
        }
        if (isLoginName(QString::fromUtf8(label), NamePlace::Flag) && writeLogin(text))
            return {};
        if (writeHeader(text, isFlag ? equals + 1 : 0))
            return {};
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
        const QString variable = QString::fromUtf8(name);
        if (isMark(text)) {
            m_builder.value(value);
        } else if (!text.isEmpty() && isSecretName(variable, NamePlace::Variable)) {
            replace({}, text, kindFrom(name));
        } else if (isLoginName(variable, NamePlace::Variable) && writeLogin(text)) {
            return;
        } else if (looksLikeToken(text)) {
            replace({}, text, "value", false);
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

    void writeCredential(const QByteArray &text, const QByteArray &name, bool learns = true,
                         const QByteArray &before = {})
    {
        // The scheme is no secret, and a great help when something is refused.
        const qsizetype prefix = schemeLength(text);
        replace(before + text.left(prefix), text.mid(prefix), kindFrom(name), learns);
    }

    // name:password
    bool writeLogin(const QByteArray &text)
    {
        const qsizetype start = passwordOfLogin(text);
        if (start < 0)
            return false;
        replace(text.left(start), text.mid(start), "password");
        return true;
    }

    // "Authorization: Bearer …" that is handed on to somebody else.
    bool writeHeader(const QByteArray &text, qsizetype start)
    {
        const qsizetype colon = text.indexOf(':', start);
        const QByteArray name = colon > start ? text.mid(start, colon - start) : QByteArray();
        const QByteArray value = colon < 0 ? QByteArray() : text.mid(colon + 1);
        const auto isNameByte = [](char c) { return isLetterOrDigit(c) || c == '-' || c == '_'; };
        if (name.isEmpty() || name.startsWith('-') || !std::all_of(name.begin(), name.end(), isNameByte) ||
            value.trimmed().isEmpty() || value.startsWith("//") || !isSecret(name, NamePlace::Header))
            return false;
        const qsizetype gap = value.size() - QByteArrayView(value).trimmed().size();
        writeCredential(value.trimmed(), name, true, text.left(colon + 1) + QByteArray(gap > 0 ? " " : ""));
        return true;
    }

    // Many hosted servers are open to everybody who knows their URL.
    void writeServerUrl(const json::Value &string)
    {
        const QByteArray url = string.string().toUtf8();
        const qsizetype authority = url.indexOf("://") + 3;
        const qsizetype path = authority < 3 ? -1 : url.indexOf('/', authority);
        qsizetype end = path < 0 ? url.size() : path;
        QByteArray masked = url.left(end);
        while (end < url.size() && url.at(end) == '/') {
            const qsizetype start = end + 1;
            end = start;
            while (end < url.size() && !QByteArrayView("/?#").contains(url.at(end)))
                ++end;
            const QByteArray element = url.sliced(start, end - start);
            const QByteArray decoded = QByteArray::fromPercentEncoding(element);
            masked +=
                '/' + (looksLikePathSecret(decoded) && !isMark(decoded) ? m_mask(decoded, "path", true) : element);
        }
        masked += url.sliced(end);
        m_hasReplaced = m_hasReplaced || masked != url;
        if (masked == url)
            m_builder.value(string);
        else
            m_builder.string(QString::fromUtf8(masked));
    }

    // What addresses, assignments and the like say in it is found in all of the facts at once.
    void writeString(const json::Value &string, const QByteArray &name)
    {
        const bool isCredential = !name.isEmpty() && isSecret(name, NamePlace::Header);
        const QByteArray text = isCredential ? string.string().toUtf8() : QByteArray();
        if (!text.isEmpty())
            writeCredential(text, name);
        else
            m_builder.value(string);
    }

    static bool isSecret(const QByteArray &name, NamePlace place)
    {
        return mayBeTelling(name) && isSecretName(QString::fromUtf8(name), place);
    }

    // A mark is its own.
    void replace(const QByteArray &before, const QByteArray &secret, const QByteArray &kind, bool learns = true)
    {
        const bool isMasked = isMark(secret);
        m_hasReplaced = m_hasReplaced || !isMasked;
        m_builder.string(QString::fromUtf8(before + (isMasked ? secret : m_mask(secret, kind, learns))));
    }

    const MaskSecret &m_mask;
    json::Builder m_builder;
    bool m_hasReplaced = false;
};

}  // namespace

std::optional<QByteArray> maskedFacts(const json::Document &facts, const MaskSecret &mask)
{
    FactsWriter writer(mask);
    writer.write(facts.root());
    return writer.hasReplaced() ? std::optional(writer.take()) : std::nullopt;
}

}  // namespace sonde
