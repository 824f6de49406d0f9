// URI templates, RFC 6570, all four levels.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/error.h"

#include <QMap>
#include <QStringList>
#include <QVariant>

namespace sonde {

class UriTemplate {
public:
    // An Error (Local) names the position and what is wrong there.
    static Result<UriTemplate> parse(const QString &text);

    // In order of first appearance, each once.
    const QStringList &variables() const { return m_variables; }

    // Those of simple expansions: without a value they leave a gap, where other expressions are left out whole.
    QStringList neededVariables() const;

    // Values are a QString, a QStringList, or a QList<QPair<QString, QString>> (an associative array, in order).
    // A variable that is absent is undefined and expands to nothing. An error names a value that cannot be used
    // where it stands (a prefix applied to a list: RFC 6570 section 2.4.1).
    using Value = std::variant<QString, QStringList, QList<std::pair<QString, QString>>>;
    Result<QString> expand(const QMap<QString, Value> &values) const;

    struct Variable {
        QString name;
        int prefix = 0;  // 0: none
        bool explode = false;
    };
    struct Part {
        QString literal;  // used when there are no variables
        char16_t op = 0;
        QList<Variable> variables;
    };

private:
    QList<Part> m_parts;
    QStringList m_variables;
};

}  // namespace sonde
