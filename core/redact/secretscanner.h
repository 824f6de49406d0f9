// Finds secrets in a text without knowing any: by their names, by their forms, or in a URL.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/redact/secretnames.h"

#include <QByteArray>
#include <QByteArrayView>
#include <QHash>
#include <QSet>
#include <functional>

namespace sonde {

struct SecretMatch {
    enum class Found : quint8 {
        ByName,     // behind a telling name
        ByForm,     // a token or key of a well-known form
        InAddress,  // the user-info of an address
        Declared    // a member that a schema declares to be secret
    };
    qsizetype start = 0;  // in the text that was scanned
    qsizetype end = 0;
    QByteArray value;  // without escapes, as it would be said elsewhere
    QByteArray kind;
    Found found = Found::ByName;
    bool isNumber = false;  // a number of JSON, which must stay one
    bool isLearned = true;  // false: it may be no secret, and is masked in its place only
};

// Reads JSON, text that holds JSON, and other text in the same way: from the separators outward to name and
// value. Its cost grows with the length of the text, and with nothing else. Marks are no secrets. Escapes are taken
// for what they are within a value only. Not safe to share between threads.
class SecretScanner {
public:
    struct Stretch {
        qsizetype start = 0;
        qsizetype end = 0;
    };
    using Visit = std::function<void(const SecretMatch &)>;

    // A member of that name is secret wherever it has that value. Beyond a few thousand the earlier ones are forgotten.
    void addMember(const QByteArray &name, const QByteArray &value);

    // In any order; matches may overlap. True when escapes of JSON may hide more: then scan the text without them too.
    bool scan(QByteArrayView text, const Visit &visit) const;
    const JudgedNames &names() const { return m_names; }

private:
    class Pass;
    QHash<QByteArray, QSet<QByteArray>> m_members;
    qsizetype m_memberCount = 0;
    JudgedNames m_names;
    mutable HarmlessNames m_harmless;
};

}  // namespace sonde
