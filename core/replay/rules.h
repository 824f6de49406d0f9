// What a replay need not find again: times, random names, places that a person named.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/diff.h"
#include "core/protocol/error.h"

namespace sonde {

struct ReplayRule {
    enum class Kind : quint8 {
        Anything,   // whatever is there
        Timestamp,  // texts that are the same but for dates and times; numbers that both count seconds since 1970
        Uuid,       // texts that are the same but for UUIDs
        Regex       // texts that are the same but for what the expression matches
    };
    Kind kind = Kind::Anything;
    // The place, and everything below it. "*" stands for one step, "**" for any number. Empty: everywhere.
    QString pointer;
    QString regex;
    QString method;  // only in responses to this method; empty: any
    QString target;  // only of this tool, prompt or URI; empty: any

    bool operator==(const ReplayRule &) const = default;
};

// A JSON file beside the session: {"ignore":[{"pointer":"/content/*/text#/time"},{"pattern":"uuid"},
// {"regex":"build [0-9]+","method":"tools/call","target":"version"}]}
class ReplayRules {
public:
    static QString pathBeside(const QString &sessionPath);  // NAME.mcpsession: NAME.rules.json
    // An Error says what is wrong; a member that no rule has is wrong too, for it would ignore less or more than meant.
    static Result<ReplayRules> parse(const QByteArray &text, const QString &path);
    // The value of "ignore" by itself.
    static Result<ReplayRules> fromList(const json::Value &list);
    // OnCommandLine: it may be a pipe, whose end is waited for.
    enum class Named { ByItsPlace, OnCommandLine };
    static Result<ReplayRules> load(const QString &path, Named named = Named::ByItsPlace);
    Error save(const QString &path) const;
    QByteArray toJson() const;

    const QList<ReplayRule> &rules() const { return m_rules; }
    bool isEmpty() const { return m_rules.isEmpty(); }
    Error add(const ReplayRule &rule);  // one that is there already is not added again

    // The first rule that ignores the difference; null: none.
    const ReplayRule *ignoring(const json::Difference &difference, QStringView method, QStringView target) const;
    bool ignores(const json::Difference &difference, QStringView method, QStringView target) const
    {
        return ignoring(difference, method, target) != nullptr;
    }

private:
    QList<ReplayRule> m_rules;
};

// Whether two texts are the same but for what was replaced in either when it was recorded, because it was a secret.
bool differsInSecretsOnly(const json::Difference &difference);
// Whether a text holds a mark that stands for a secret.
bool holdsSecretMark(const QString &text);

}  // namespace sonde
