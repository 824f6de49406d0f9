// JSON Pointer, RFC 6901.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/document.h"

#include <QStringList>

namespace sonde::json {

// What a token means in an array: digits without a leading zero (RFC 6901 section 4). Nothing for other tokens.
std::optional<qsizetype> arrayIndex(QStringView token);

class Pointer {
public:
    Pointer() = default;  // the whole document
    explicit Pointer(QStringList tokens) : m_tokens(std::move(tokens)) {}

    // "" or "/a/b~1c/0". Nothing when the text is no pointer.
    static std::optional<Pointer> fromString(QStringView text);
    // "#/a/b": a URI fragment, percent-encoded.
    static std::optional<Pointer> fromFragment(QStringView fragment);
    // The path from the root to a node.
    static Pointer to(const Value &value);

    QString toString() const;
    const QStringList &tokens() const { return m_tokens; }
    bool isRoot() const { return m_tokens.isEmpty(); }
    Pointer child(const QString &token) const;
    Pointer child(qsizetype index) const;
    Pointer parent() const;

    Value resolve(const Value &root) const;  // Missing when there is no such place

    bool operator==(const Pointer &) const = default;

private:
    QStringList m_tokens;
};

}  // namespace sonde::json
