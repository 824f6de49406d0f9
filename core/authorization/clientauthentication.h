// How a client says at the token endpoint who it is. RFC 6749, section 2.3; RFC 7523.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/authorization/authmetadata.h"
#include "core/authorization/oauthsettings.h"
#include "core/authorization/tokenstore.h"
#include "core/transport/http/httppolicy.h"

namespace sonde {

// Of application/x-www-form-urlencoded; values are not encoded yet.
using AuthForm = QList<std::pair<QByteArray, QByteArray>>;

inline constexpr auto FormType = "application/x-www-form-urlencoded";

QByteArray encodedForm(const AuthForm &form);
// Adds to the form what belongs there; gives what goes into headers. A secret goes either way, never both.
Result<http::HeaderList> authenticateClient(const Registration &client, const OAuthSettings &settings,
                                            const AuthorizationServer &server, AuthForm *form);

}  // namespace sonde
