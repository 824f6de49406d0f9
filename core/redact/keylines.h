// The lines of a private key that is written as text.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArrayView>

namespace sonde {

inline constexpr qsizetype ShortestKeyLine = 16;  // to be looked for by itself

// at: behind the dashes in front of BEGIN or END. Just after the dashes that end "BEGIN … PRIVATE KEY-----"; -1 where
// nothing of a private key begins or ends.
qsizetype endOfKeyLabel(QByteArrayView text, qsizetype at);
// Whether that byte may be one of a key's, rather than the letter of an escape such as \n.
bool isKeyByte(QByteArrayView text, qsizetype at);
// Of a key of which no end is in sight: where its last line ends. Lines may occur in one text, with line ends or
// escapes of them, or in several. `body` where no line of a key follows.
qsizetype endOfKeyLines(QByteArrayView text, qsizetype body);

// A key that comes line by line, each of which is a text of its own.
class KeyLines {
public:
    struct Part {
        qsizetype start = 0;
        qsizetype length = 0;  // 0: nothing
    };
    // What of the next line belongs to a key that began in an earlier one.
    Part next(QByteArrayView line);

private:
    bool m_isWithin = false;
    bool m_hasBody = false;
    qsizetype m_length = 0;
};

}  // namespace sonde
