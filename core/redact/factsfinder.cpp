// SPDX-License-Identifier: Apache-2.0
#include "core/redact/factsfinder.h"

#include "core/json/stringcodec.h"
#include "core/redact/secretforms.h"
#include "core/redact/secretmarks.h"
#include "core/redact/secretnames.h"

#include <algorithm>

namespace sonde {

namespace {

constexpr int MaxFactsDepth = 16;

// Where in the document the byte of a string's UTF-8 stands that has so many in front of it.
qsizetype placeOfByte(const json::Value &string, qsizetype before)
{
    const QByteArrayView slice = string.slice();
    const char *const end = slice.data() + slice.size() - 1;
    const char *at = slice.data() + 1;
    while (before > 0 && at < end) {
        const json::Escape escape = *at == '\\' ? json::readEscape(at, end) : json::Escape();
        if (escape.length > 0) {
            char meaning[4];
            before -= json::putUtf8(meaning, escape.code) - meaning;
            at += escape.length;
        } else {
            --before;
            ++at;
        }
    }
    return string.offset() + (at - slice.data());
}

QByteArray flagName(QByteArray flag)
{
    while (flag.startsWith('-'))
        flag.remove(0, 1);
    return flag;
}

// Long, and of nothing but small letters.
bool isPlainFlag(const QByteArray &text)
{
    return text.startsWith("--") &&
           std::all_of(text.begin(), text.end(), [](char c) { return c == '-' || (c >= 'a' && c <= 'z'); });
}

class FactsFinder {
public:
    explicit FactsFinder(const JudgedNames *names) : m_names(*names) {}

    void look(const json::Value &value, const QByteArray &name = {}, int depth = 0)
    {
        if (value.isString())
            lookAtString(value, name);
        else if (value.isObject() && depth < MaxFactsDepth)
            lookAtObject(value, depth);
        else if (value.isArray() && depth < MaxFactsDepth)
            lookAtArray(value, name, depth);
    }

    void lookAtArguments(const json::Value &arguments, int depth = 0)
    {
        QByteArray label;
        for (const json::Value &argument : arguments) {
            if (argument.isContainer())
                look(argument, label, depth + 1);
            else
                label = lookAtArgument(argument, label);
        }
    }

    std::vector<SecretMatch> take() { return std::move(m_matches); }

private:
    bool saysSecret(const QByteArray &name, NamePlace place) const
    {
        return mayBeTelling(name) && !m_names(name, place).kind.isEmpty();
    }

    void lookAtObject(const json::Value &object, int depth)
    {
        // What is asked at an address is no server's own.
        const bool isServer = depth == 0 && !object[u"method"].exists();
        for (const json::Value &member : object) {
            if (isServer && member.isString() && member.key() == u"url")
                lookAtServerUrl(member);
            else
                look(member, member.key().toUtf8(), depth + 1);
        }
    }

    // [name, value], a header or a variable, or a list of them or of arguments.
    void lookAtArray(const json::Value &array, const QByteArray &name, int depth)
    {
        if (name == "argv" || name == "arguments") {
            lookAtArguments(array, depth);
            return;
        }
        const bool isNames = name == "environment" || name == "inherited";
        const bool isVariables = name == "variables";
        const bool isPair = !isNames && array.size() == 2 && array.at(0).isString() && array.at(1).isString();
        if (isPair) {
            const QByteArray label = array.at(0).utf8();
            if (isVariables && !label.isEmpty())
                lookAtVariable(array.at(1), label);
            else
                look(array.at(1), isVariables ? name : label, depth + 1);
            return;
        }
        for (const json::Value &element : array)
            look(element, isVariables ? name : QByteArray(), depth + 1);
    }

    // Answers the name that speaks for the next argument.
    QByteArray lookAtArgument(const json::Value &argument, const QByteArray &label)
    {
        const QByteArray text = argument.isString() ? argument.utf8() : argument.bytes();
        const qsizetype equals = text.indexOf('=');
        const bool isFlag = text.startsWith('-') && argument.isString();
        const QByteArray next = isFlag && equals < 0 ? flagName(text) : QByteArray();
        // Whatever it looks like, since a password may begin with a dash. It may be the next flag all the same.
        if (saysSecret(label, NamePlace::Flag)) {
            addCredential(argument, text, label, !isPlainFlag(text));
            return next;
        }
        const QByteArray flag = isFlag && equals > 0 ? flagName(text.left(equals)) : QByteArray();
        if (saysSecret(flag, NamePlace::Flag)) {
            add(argument, equals + 1, text.mid(equals + 1), kindFrom(flag));
            return {};
        }
        if (isLoginName(QString::fromUtf8(label), NamePlace::Flag) && addLogin(argument, text))
            return {};
        addHeader(argument, text, isFlag ? equals + 1 : 0);
        return next;
    }

    // People call their variables anything: more names are taken for telling ones than elsewhere, and a value that
    // looks like a token is one. What was taken for one by mistake must not blank out the rest of the recording.
    void lookAtVariable(const json::Value &value, const QByteArray &name)
    {
        const QByteArray text = value.utf8();
        const QString variable = QString::fromUtf8(name);
        if (isSecretName(variable, NamePlace::Variable))
            add(value, 0, text, kindFrom(name));
        else if ((!isLoginName(variable, NamePlace::Variable) || !addLogin(value, text)) && looksLikeToken(text))
            add(value, 0, text, "value", false);
    }

    void lookAtString(const json::Value &string, const QByteArray &name)
    {
        if (saysSecret(name, NamePlace::Header))
            addCredential(string, string.utf8(), name);
    }

    // Many hosted servers are open to everybody who knows their URL.
    void lookAtServerUrl(const json::Value &string)
    {
        const QByteArray url = string.utf8();
        const qsizetype authority = url.indexOf("://") + 3;
        const qsizetype path = authority < 3 ? -1 : url.indexOf('/', authority);
        qsizetype end = path < 0 ? url.size() : path;
        while (end < url.size() && url.at(end) == '/') {
            const qsizetype start = end + 1;
            end = start;
            while (end < url.size() && !QByteArrayView("/?#").contains(url.at(end)))
                ++end;
            const QByteArray decoded = QByteArray::fromPercentEncoding(url.sliced(start, end - start));
            if (looksLikePathSecret(decoded))
                add(string, start, decoded, "path", true, end - start);
        }
    }

    // The scheme is no secret, and a great help when something is refused.
    void addCredential(const json::Value &value, const QByteArray &text, const QByteArray &name, bool isLearned = true)
    {
        const qsizetype scheme = schemeLength(text);
        add(value, scheme, text.mid(scheme), kindFrom(name), isLearned);
    }

    // name:password
    bool addLogin(const json::Value &value, const QByteArray &text)
    {
        const qsizetype start = passwordOfLogin(text);
        if (start >= 0)
            add(value, start, text.mid(start), "password");
        return start >= 0;
    }

    // "Authorization: Bearer …" that is handed on to somebody else. start: of the name.
    void addHeader(const json::Value &argument, const QByteArray &text, qsizetype start)
    {
        const qsizetype colon = text.indexOf(':', start);
        const QByteArray name = colon > start ? text.mid(start, colon - start) : QByteArray();
        const QByteArray value = colon < 0 ? QByteArray() : text.mid(colon + 1);
        const auto isNameByte = [](char c) { return isLetterOrDigit(c) || c == '-' || c == '_'; };
        if (name.isEmpty() || name.startsWith('-') || !std::all_of(name.begin(), name.end(), isNameByte) ||
            value.startsWith("//") || !saysSecret(name, NamePlace::Header))
            return;
        const QByteArray trimmed = value.trimmed();
        const qsizetype scheme = schemeLength(trimmed);
        add(argument, colon + 1 + value.indexOf(trimmed) + scheme, trimmed.mid(scheme), kindFrom(name), true,
            trimmed.size() - scheme);
    }

    // start: bytes of the value in front of the secret. length: of the secret there; without one, all of the rest.
    // A mark is its own.
    void add(const json::Value &value, qsizetype start, const QByteArray &secret, const QByteArray &kind,
             bool isLearned = true, qsizetype length = -1)
    {
        if (secret.isEmpty() || isMark(secret))
            return;
        SecretMatch match;
        match.isNumber = value.isNumber();
        const qsizetype valueEnd = value.offset() + value.slice().size();
        match.start = match.isNumber ? value.offset() + start : placeOfByte(value, start);
        match.end = match.isNumber ? valueEnd : length < 0 ? valueEnd - 1 : placeOfByte(value, start + length);
        match.value = secret;
        match.kind = kind;
        match.isLearned = isLearned;
        m_matches.push_back(std::move(match));
    }

    const JudgedNames &m_names;
    std::vector<SecretMatch> m_matches;
};

}  // namespace

std::vector<SecretMatch> secretsInFacts(const json::Document &facts, const JudgedNames &names)
{
    FactsFinder finder(&names);
    finder.look(facts.root());
    return finder.take();
}

std::vector<SecretMatch> secretsInArguments(const json::Value &arguments)
{
    const JudgedNames names;
    FactsFinder finder(&names);
    finder.lookAtArguments(arguments);
    return finder.take();
}

}  // namespace sonde
