// What has to hold for the form of any schema, and for any value in it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArrayList>
#include <QStringList>

namespace sonde::test {

// Sentences about what does not hold; none if all is well. A form is made and filled in.
// It has no raw JSON where the schema says what to fill in. The valid value, and others, come back as they were; what
// is not valid is reported, what is valid is not, and all that is said is in words.
QStringList faultsOfForm(const QByteArray &schema, const QByteArray &valid, const QByteArrayList &others);

}  // namespace sonde::test
