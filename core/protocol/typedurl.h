// A URL with the text that a person or a file gave for it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QUrl>

namespace sonde {

// QUrl rewrites what it reads: "http://127.1" becomes "http://127.0.0.1", "HTTP://Host" becomes "http://host". What is
// shown in a field, written to a file or compared as a string by somebody else is the text; what is connected to is the
// URL. Two of them are equal when their texts are.
class TypedUrl : public QUrl {
public:
    TypedUrl() = default;
    TypedUrl(const QUrl &url) : QUrl(url), m_text(url.toString(FullyEncoded)) {}  // that nobody has typed
    static TypedUrl fromText(const QString &text, ParsingMode mode = TolerantMode)
    {
        TypedUrl url(QUrl(text, mode));
        url.m_text = text;
        return url;
    }

    const QString &text() const { return m_text; }

    friend bool operator==(const TypedUrl &left, const TypedUrl &right) { return left.m_text == right.m_text; }
    friend bool operator==(const TypedUrl &left, const QUrl &right) { return QUrl(left) == right; }

private:
    QString m_text;
};

}  // namespace sonde
