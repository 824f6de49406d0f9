// What is wrong, in words: the one place that has a sentence for each keyword of JSON Schema. They go on from the name
// of the value: "must be at most 1000". Those about several members of it are sentences of their own: "Give either id
// or slug".
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/schema/keywords.h"
#include "core/schema/registry.h"

#include <QStringList>

namespace sonde::schema::text {

// Values or names that are looked at for the one that was meant.
constexpr qsizetype MaxCompared = 200;

QString mustBeOfType(const QStringList &types);
QString mustBe(const json::Value &value);
QString mustBeOneOf(const json::Value &list, const json::Value &given);
// A keyword that is a number. count: how many characters, items or properties there are, where it limits those.
QString limit(Keyword keyword, const QByteArray &limit, qsizetype count = -1);
QString mustMatch(const QString &pattern, const QString &example);
// mustBe: false for a remark.
QString format(const QString &name, bool mustBe);
QString contentEncoding(const QString &name, const QString &problem, bool mustBe);
QString contentMediaType(const QString &name, bool mustBe);
QString contains(Keyword keyword, const json::Value &schema, const QByteArray &limit, qsizetype count);
QString notUnique(qsizetype first, qsizetype second);
QString required();
// declared: what the name may have been meant to be. patterns: those of which it has to match one.
QString notAllowed(const QString &name = {}, const QStringList &declared = {}, const QStringList &patterns = {});
QString beyondTuple(qsizetype size);
QString excluded(const json::Value &schema);
// Why no branch of "anyOf" or "oneOf" matches.
struct Alternatives {
    struct Branch {
        QStringList missing;      // members that it requires
        QStringList reasons;      // other messages about the value itself
        bool isExplained = true;  // those are all
    };
    QList<Branch> branches;
};
QString noneMatches(const json::Value &list, const Alternatives &alternatives, const Registry &registry, int resource);
QString severalMatch(const json::Value &list, const QList<qsizetype> &matching);
QString aboutName(const QString &name, const QString &message);
// A condition as a part of a sentence: "“kind” is “card” and “n” is given"; empty when it cannot be said like that.
QString clause(const json::Value &condition);
QString clauseGiven(const QString &name);  // "“n” is given"
// A message that holds because all of these do, or that one does not.
QString when(const QString &message, const QStringList &clauses);
QString unless(const QString &message, const QString &clause);

// Neither right nor wrong
QString noSchema();
QString tooDeep(int limit);
QString tooCostly();
QString leadsNowhere(const QString &reference);
QString refersToItself(const QString &reference);
QString alternativesNotChecked();
QString unknownType(const QString &type);
QString multipleNotChecked(const QByteArray &divisor);
QString badPattern(const QString &pattern, const QString &reason);
QString patternTooCostly(const QString &pattern);

}  // namespace sonde::schema::text
