// Ordered writer for the JSON that Sonde sends or stores.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/document.h"
#include "core/json/stringcodec.h"

#include <QVarLengthArray>
#include <concepts>
#include <functional>

namespace sonde::json {

// Writes compact JSON in the order of the calls; values passed as raw text or as a Value go through byte for byte.
// Misuse (a value where a key is due, an unclosed container) is a bug of ours and asserts in debug builds.
class Builder {
public:
    Builder &beginObject();
    Builder &endObject();
    Builder &beginArray();
    Builder &endArray();
    Builder &key(QStringView name);
    Builder &rawKey(QByteArrayView quoted);  // a key as it appears in a document, quotes included

    Builder &string(QStringView text);
    Builder &number(qint64 value);
    Builder &number(double value);  // shortest text that reads back to the same double
    Builder &boolean(bool value);
    Builder &null();
    Builder &raw(QByteArrayView json);   // exactly these bytes; the caller vouches for them
    Builder &value(const Value &value);  // its slice, unchanged

    // key() and a value in one call.
    Builder &member(QStringView name, QStringView text) { return key(name).string(text); }
    Builder &member(QStringView name, qint64 number_) { return key(name).number(number_); }
    // Only for bool itself: any pointer, and so any literal, would rather become a bool than a QStringView.
    template <std::same_as<bool> Flag>
    Builder &member(QStringView name, Flag flag)
    {
        return key(name).boolean(flag);
    }
    Builder &member(QStringView name, const char *) = delete;
    Builder &rawMember(QStringView name, QByteArrayView json) { return key(name).raw(json); }

    bool isComplete() const;  // one whole value was written
    QByteArray take();        // the text; the builder is empty again

private:
    void separate();
    void beginKey();
    void put(char c) { *room(1) = c, ++m_size; }
    void put(QByteArrayView bytes);
    void putQuoted(QStringView text);
    char *room(qsizetype size);  // for so many more bytes, behind what is written

    QByteArray m_text;  // as large as its memory
    qsizetype m_size = 0;
    QVarLengthArray<char, 32> m_stack;  // one character for each open container
    bool m_needsComma = false;
    bool m_afterKey = false;
};

// Indented for reading. Numbers, keys, escapes and order are those of the text; depth is not limited.
QByteArray indented(const Value &value, int spaces = 2);
// The same in pieces, for what one does not want to hold a second time; a piece may be as long as the longest string.
// Ends early when put returns false.
void writeIndented(const Value &value, const std::function<bool(QByteArrayView)> &put, int spaces = 2);
// The same value without insignificant white space.
QByteArray compact(const Value &value);

}  // namespace sonde::json
