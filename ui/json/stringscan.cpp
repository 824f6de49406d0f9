// SPDX-License-Identifier: Apache-2.0
#include "ui/json/stringscan.h"

#include <algorithm>
#include <utility>

namespace sonde::ui {

StringScan::StringScan(QString text, FindWord word) : m_text(std::move(text)), m_word(std::move(word)) {}

bool StringScan::next(FindPlaces *places)
{
    const qsizetype length = m_word.text().size();
    const qsizetype end = std::min(m_text.size(), m_at + BytesAtOnce);  // of where the matches of this piece begin
    const QStringView piece = QStringView(m_text).first(std::min(m_text.size(), end + length - 1));
    const size_t most = places->size() + PlacesAtOnce;
    while (places->size() < most) {
        const qsizetype found = piece.indexOf(m_word.text(), m_at, m_word.caseSensitivity());
        if (found < 0) {
            m_at = end;
            break;
        }
        const bool isMatch = !isHidden(found, found + length);
        if (isMatch)
            places->push_back(quint32(found));
        m_at = found + (isMatch ? length : 1);
    }
    return m_at < m_text.size();
}

bool StringScan::isHidden(qsizetype from, qsizetype to) const
{
    Q_UNUSED(from)
    Q_UNUSED(to)
    return false;
}

}  // namespace sonde::ui
