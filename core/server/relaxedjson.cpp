// SPDX-License-Identifier: Apache-2.0
#include "core/server/relaxedjson.h"

#include "core/json/scan.h"

namespace sonde {

// Where the comment that begins at that place ends; the place itself when none does.
static qsizetype endOfComment(const QByteArray &text, qsizetype at)
{
    const char next = at + 1 < text.size() ? text[at + 1] : '\0';
    if (next == '/') {
        const qsizetype lineEnd = text.indexOf('\n', at);
        return lineEnd < 0 ? text.size() : lineEnd;
    }
    const qsizetype close = next == '*' ? text.indexOf("*/", at + 2) : -1;
    return close < 0 ? at : close + 2;
}

RelaxedJson strictJson(const QByteArray &text)
{
    RelaxedJson result{text};
    const auto blank = [&](qsizetype from, qsizetype to) {
        if (result.firstRelaxedAt < 0 || from < result.firstRelaxedAt)
            result.firstRelaxedAt = from;
        for (qsizetype i = from; i < to; ++i) {
            if (text[i] != '\n' && text[i] != '\r')
                result.text[i] = ' ';
        }
    };
    const char *const begin = text.constData();
    const char *const end = begin + text.size();
    qsizetype comma = -1;  // behind a value, and with nothing but white space behind it so far
    char before = '{';     // the last character that counts
    for (qsizetype at = 0; at < text.size();) {
        const char c = text[at];
        if (c == '/') {
            const qsizetype after = endOfComment(text, at);
            blank(at, after);
            at = qMax(after, at + 1);
            continue;
        }
        if ((c == '}' || c == ']') && comma >= 0)
            blank(comma, comma + 1);
        if (!json::isSpace(c)) {
            comma = c == ',' && !QByteArrayView("{[,").contains(before) ? at : -1;
            before = c;
        }
        at = c == '"' ? json::endOfString(begin + at, end) - begin : at + 1;
    }
    return result;
}

}  // namespace sonde
