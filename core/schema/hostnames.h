// Host names, in ASCII and in every script (RFC 1123; IDNA2008: RFC 5890 to 5893).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QStringView>

namespace sonde::schema {

// A label that begins with "xn--" has to mean a valid one in another script.
bool isHostname(QStringView text);
// Upper case is taken for lower case, as browsers do.
bool isIdnHostname(QStringView text);

}  // namespace sonde::schema
