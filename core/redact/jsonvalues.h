// The values of JSON that a name says to be secret.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/redact/scannedtext.h"

namespace sonde {

// Each function reads the value that begins at one place of the text, which may be cut or faulty there.
class JsonValues {
public:
    explicit JsonValues(ScannedText &text) : m_text(text) {}

    void reportJson(qsizetype start, const QByteArray &kind, bool withNumbers, bool withContainers);
    // isJsonString: its escapes are those of JSON.
    void reportQuoted(qsizetype start, const QByteArray &kind, bool isJsonString,
                      SecretMatch::Found found = SecretMatch::Found::ByName) const;
    // One of the values that a schema declares to be secret, or a list of them. values: as keptAs() has them.
    void reportDeclared(qsizetype start, const QSet<QByteArray> &values);
    // A value, or a hash of a long one.
    static QByteArray keptAs(const QByteArray &value);

private:
    QByteArray saidBy(qsizetype start, qsizetype end) const;
    qsizetype endOfContent(qsizetype start) const;
    void reportNumber(qsizetype start, const QByteArray &kind,
                      SecretMatch::Found found = SecretMatch::Found::ByName) const;
    void reportContainer(qsizetype start, const QByteArray &kind);
    void reportBelow(qsizetype start, qsizetype end, const QByteArray &kind) const;
    template <typename See>
    void forEachValue(qsizetype start, qsizetype end, const See &see) const;

    ScannedText &m_text;
    qsizetype m_covered = 0;  // everything in front of that place is found already
};

}  // namespace sonde
