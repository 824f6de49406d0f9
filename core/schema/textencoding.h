// Bytes as text: base64, base32 and base16 as RFC 4648 defines them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QString>
#include <optional>

namespace sonde::schema {

// A value; any thread.
class TextEncoding {
public:
    // As "contentEncoding" names it, in any case; "hex" is base16. Nothing: not one of these.
    static std::optional<TextEncoding> named(const QString &name);

    QByteArray encoded(const QByteArray &bytes) const;
    struct Decoded {
        QByteArray bytes;
        QString problem = {};  // the first one and its place, to be put behind a colon; empty: it is of this encoding
        bool isValid() const { return problem.isEmpty(); }
    };
    // Line breaks as in MIME are skipped in base64. Base32 and base16 may be in lower case, base64url without padding.
    Decoded decoded(QStringView text) const;
    qint64 bytesIn(qint64 characters) const;  // that can be encoded in so many

private:
    struct Alphabet;
    explicit TextEncoding(const Alphabet *alphabet) : m_alphabet(alphabet) {}
    const Alphabet *m_alphabet;
};

}  // namespace sonde::schema
