// A word to be found in bytes, without decoding them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/bytesearch.h"

#include <QByteArray>
#include <QString>

namespace sonde::ui {

// Case matters once the word has a capital ASCII letter.
class FindWord {
public:
    FindWord() = default;  // the empty word, which is nowhere
    explicit FindWord(const QString &word);

    bool isEmpty() const { return m_bytes.isEmpty(); }
    qsizetype size() const { return m_bytes.size(); }  // bytes
    Qt::CaseSensitivity caseSensitivity() const { return m_isExact ? Qt::CaseSensitive : Qt::CaseInsensitive; }
    const QString &text() const { return m_text; }
    qsizetype indexIn(QByteArrayView text, qsizetype from = 0) const;  // -1: not there

private:
    QString m_text;
    QByteArray m_bytes;
    CaseInsensitiveMatcher m_matcher;
    bool m_isExact = false;
};

}  // namespace sonde::ui
