// SPDX-License-Identifier: Apache-2.0
#include "core/transport/http/authchallenge.h"

#include "core/transport/http/httppolicy.h"

#include <algorithm>

namespace sonde {

namespace {

bool isOneName(QByteArrayView left, QByteArrayView right)
{
    return left.compare(right, Qt::CaseInsensitive) == 0;
}

// RFC 9110 section 11.2.
bool isToken68(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           QByteArrayView("-._~+/").contains(c);
}

class ChallengeReader {
public:
    explicit ChallengeReader(QByteArrayView text) : m_rest(text) {}

    void read(QList<AuthChallenge> *challenges)
    {
        const qsizetype first = challenges->size();
        while (skip(" \t,")) {
            const QByteArrayView name = readToken();
            skip(" \t");
            if (name.isEmpty()) {
                skipItem();
            } else if (readChar('=')) {
                skip(" \t");
                const QByteArray value = readValue();
                if (challenges->size() > first)
                    challenges->last().parameters.append({name.toByteArray(), value});
            } else {
                challenges->append({name.toByteArray(), takeToken68(), {}});
            }
        }
    }

private:
    // False at the end.
    bool skip(QByteArrayView characters)
    {
        while (!m_rest.isEmpty() && characters.contains(m_rest.front()))
            m_rest = m_rest.sliced(1);
        return !m_rest.isEmpty();
    }

    bool readChar(char c)
    {
        if (m_rest.isEmpty() || m_rest.front() != c)
            return false;
        m_rest = m_rest.sliced(1);
        return true;
    }

    template <typename Is>
    QByteArrayView readWhile(Is is)
    {
        const auto end = std::find_if_not(m_rest.begin(), m_rest.end(), is);
        const QByteArrayView taken = m_rest.first(end - m_rest.begin());
        m_rest = m_rest.sliced(taken.size());
        return taken;
    }

    QByteArrayView readToken()
    {
        return readWhile([](char c) { return http::isToken({&c, 1}); });
    }

    QByteArray readValue()
    {
        if (!readChar('"'))
            return readWhile([](char c) { return c != ',' && c != ' ' && c != '\t'; }).toByteArray();
        QByteArray value;
        while (!m_rest.isEmpty() && !readChar('"')) {
            if (readChar('\\') && m_rest.isEmpty())
                break;
            value += m_rest.front();
            m_rest = m_rest.sliced(1);
        }
        return value;
    }

    // Ends with its item; otherwise it was the name of a parameter.
    QByteArray takeToken68()
    {
        const QByteArrayView before = m_rest;
        const QByteArrayView text = readWhile(isToken68);
        const QByteArrayView padding = readWhile([](char c) { return c == '='; });
        const bool isWhole = !text.isEmpty() && (!skip(" \t") || m_rest.front() == ',');
        if (!isWhole)
            m_rest = before;
        return isWhole ? text.toByteArray() + padding.toByteArray() : QByteArray();
    }

    void skipItem()
    {
        while (!m_rest.isEmpty() && m_rest.front() != ',') {
            if (m_rest.front() == '"')
                readValue();
            else
                m_rest = m_rest.sliced(1);
        }
    }

    QByteArrayView m_rest;
};

}  // namespace

bool AuthChallenge::isOf(QByteArrayView name) const
{
    return isOneName(scheme, name);
}

QByteArray AuthChallenge::parameter(QByteArrayView name) const
{
    const auto found = std::find_if(parameters.begin(), parameters.end(),
                                    [name](const auto &each) { return isOneName(each.first, name); });
    return found == parameters.end() ? QByteArray() : found->second;
}

QList<AuthChallenge> authChallenges(const QList<std::pair<QByteArray, QByteArray>> &headers)
{
    QList<AuthChallenge> challenges;
    for (const auto &[name, value] : headers) {
        if (isOneName(name, "WWW-Authenticate"))
            ChallengeReader(value).read(&challenges);
    }
    return challenges;
}

}  // namespace sonde
