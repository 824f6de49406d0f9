// What has to hold for any schema that can be filled in: what is said of it, and its example.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArrayList>
#include <QString>
#include <QStringList>

namespace sonde::test {

// Whether a text for users contains the name of a keyword that is no English, or of another one in quotes.
bool namesAKeyword(const QString &text);

// Sentences about what does not hold; none if all is well. valid: a value that the schema admits.
// The valid value is found valid, an example is found and is valid too, so is one of each branch that can be chosen,
// and what is said of the schema and of these values is in words.
QStringList faultsOfSchema(const QByteArray &schema, const QByteArray &valid, const QByteArrayList &others);

}  // namespace sonde::test
