// SPDX-License-Identifier: Apache-2.0
#include "app/cli/verb.h"

using namespace Qt::StringLiterals;

namespace sonde::cli {

app::Option Verb::jsonRow()
{
    return {u"--json"_s, tr("print one JSON object for scripts"), &m_outputOptions.isJson};
}

void Verb::refuse(const Error &error, ExitCode code)
{
    output().refusal(error);
    Q_EMIT finished(code);
}

}  // namespace sonde::cli
