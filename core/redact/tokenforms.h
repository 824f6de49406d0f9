// The one list of tokens and addresses that are secret by their form.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArrayView>

namespace sonde {

// What may follow a prefix.
enum class TokenBody : quint8 {
    Alphanumeric,
    Hex,         // digits
    Base64,      // + / = too
    Underscore,  // _ too
    Dash,        // - too
    Word,        // _ and - too
    Dotted,      // _ - . = too; a full stop at the end belongs to the sentence
    Path         // / _ - @ too
};

struct TokenForm {
    QByteArrayView prefix;
    TokenBody body = TokenBody::Alphanumeric;
    qsizetype least = 0;  // characters of the body
    qsizetype exact = 0;  // so many, where it is not any number of them
    enum Prefix : quint8 { IsSecret, IsPublic } part = IsSecret;
};

// A form is found by one byte of its prefix, and by the byte in front of that one.
//
// The form whose prefix has its telling byte at that place of the text; nullptr when none has.
const TokenForm *tokenFormAt(QByteArrayView text, qsizetype at);
qsizetype tellingPlace(const TokenForm &form);  // in its prefix
// What the body may consist of besides letters and digits.
QByteArrayView otherCharacters(TokenBody body);

}  // namespace sonde
