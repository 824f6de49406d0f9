// SPDX-License-Identifier: Apache-2.0
#include "core/session/jsonwalk.h"

#include "core/json/text.h"

#include <algorithm>
#include <array>

namespace sonde {

qsizetype JsonWalk::length() const
{
    if (!m_inString || m_text[m_start] != '\\')
        return 1;
    const bool isLong = m_start + 1 < m_text.size() && m_text[m_start + 1] == 'u';
    return qMin<qsizetype>(isLong ? 6 : 2, m_text.size() - m_start);
}

void JsonWalk::next()
{
    const qsizetype step = length();
    const char c = m_text[m_start];
    if (c == '"' && m_inString) {
        m_inString = false;
        m_lastString = m_text.sliced(m_stringStart, m_start - m_stringStart);
    } else if (c == '"') {
        m_inString = true;
        m_stringStart = m_start + 1;
    } else if (!m_inString && c == ':') {
        m_name = m_lastString;
    } else if (!m_inString && (c == '{' || c == '[')) {
        m_isBatch = m_isBatch || (m_depth == 0 && c == '[');
        ++m_depth;
        m_name = {};
    } else if (!m_inString && (c == '}' || c == ']')) {
        --m_depth;
        m_name = {};
    } else if (!m_inString && c == ',') {
        m_name = {};
    }
    m_start += step;
}

bool JsonWalk::isStructure() const
{
    static constexpr std::array<QByteArrayView, 7> envelope = {"jsonrpc", "id",        "method", "what",
                                                               "stream",  "transport", "status"};
    const char c = m_text[m_start];
    if (!m_inString && c >= 'a' && c <= 'z')
        return true;
    if (m_inString && isMemberName())
        return true;
    if (m_name == QByteArrayView("type"))
        return true;
    const int level = m_isBatch ? 2 : 1;
    return m_depth == level && std::find(envelope.begin(), envelope.end(), m_name) != envelope.end();
}

bool JsonWalk::isMemberName() const
{
    if (m_judgedString == m_stringStart)
        return m_isMemberName;
    const char *const end = m_text.data() + m_text.size();
    const char *at = json::endOfString(m_text.data() + m_stringStart - 1, end);
    while (at != end && json::isSpace(*at))
        ++at;
    m_judgedString = m_stringStart;
    m_isMemberName = at != end && *at == ':';
    return m_isMemberName;
}

}  // namespace sonde
