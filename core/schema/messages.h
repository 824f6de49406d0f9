// What is wrong, in words that go on from the name of the value: "must be ≤ 1000". Those about several members of it
// are sentences of their own: "Give either id or slug".
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/schema/registry.h"

#include <QStringList>

namespace sonde::schema::text {

QString mustBeOfType(const QStringList &types);
QString mustBe(const json::Value &value);
QString mustBeOneOf(const json::Value &list);
QString atMost(const QByteArray &limit);
QString atLeast(const QByteArray &limit);
QString below(const QByteArray &limit);
QString above(const QByteArray &limit);
QString multipleOf(const QByteArray &divisor);
QString longerThan(const QByteArray &limit, qsizetype length);
QString shorterThan(const QByteArray &limit, qsizetype length);
QString mustMatch(const QString &pattern);
QString format(const QString &name);
QString tooManyItems(const QByteArray &limit, qsizetype size);
QString tooFewItems(const QByteArray &limit, qsizetype size);
QString tooManyMembers(const QByteArray &limit, qsizetype size);
QString tooFewMembers(const QByteArray &limit, qsizetype size);
QString containsTooFew(const QByteArray &limit, qsizetype count);
QString containsTooMany(const QByteArray &limit, qsizetype count);
QString notUnique(qsizetype first, qsizetype second);
QString required(const QString &because);
QString notAllowed();
QString excluded(const json::Value &schema);
QString noneMatches(const json::Value &list, const json::Value &value, const Registry &registry, int resource);
QString severalMatch(const json::Value &list, int matching);
QString aboutName(const QString &name, const QString &message);

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
