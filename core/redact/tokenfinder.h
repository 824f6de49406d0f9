// Secrets that are told by their form: tokens, private keys, and the user-info of addresses.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/redact/scannedtext.h"

namespace sonde {

// Each function looks at one place of the text, and reports what it finds there.
class TokenFinder {
public:
    explicit TokenFinder(ScannedText &text) : m_text(text) {}

    bool findToken(qsizetype at);       // at: of the telling byte of its prefix. Whether it is one
    void findWebToken(qsizetype at);    // at: of "eyJ"
    void findBearer(qsizetype at);      // at: of a B
    void findPrivateKey(qsizetype at);  // at: of BEGIN
    bool findBotToken(qsizetype colon);
    void findAddress(qsizetype colon);

private:
    void reportToken(qsizetype start, qsizetype end);
    qsizetype endOfKey(qsizetype body);

    ScannedText &m_text;
    qsizetype m_keyEnd = 0;      // of the last private key
    qsizetype m_nextKeyEnd = 0;  // where the next -----END is, once it was looked for
    ScannedText::Stretch m_userInfo;
};

}  // namespace sonde
