// SPDX-License-Identifier: Apache-2.0
#include "ui/json/findword.h"

#include <algorithm>

namespace sonde::ui {

FindWord::FindWord(const QString &word)
    : m_text(word),
      m_bytes(word.toUtf8()),
      m_matcher(m_bytes),
      m_isExact(std::any_of(m_bytes.cbegin(), m_bytes.cend(), [](char c) { return c >= 'A' && c <= 'Z'; }))
{}

qsizetype FindWord::indexIn(QByteArrayView text, qsizetype from) const
{
    if (m_bytes.isEmpty() || from > text.size() - m_bytes.size())
        return -1;
    return m_isExact ? text.indexOf(m_bytes, from) : m_matcher.indexIn(text, from);
}

}  // namespace sonde::ui
