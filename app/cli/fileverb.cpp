// SPDX-License-Identifier: Apache-2.0
#include "app/cli/fileverb.h"

#include "app/common/interrupts.h"
#include "core/protocol/visibletext.h"

#include <cstdio>

using namespace Qt::StringLiterals;

namespace sonde::cli {

void FileVerb::start(const Profile &profile)
{
    ExitCode code = ExitCode::Ok;
    {
        const app::InterruptsEndProgram ended;
        code = run(profile);
    }
    Q_EMIT finished(code);
}

void FileVerb::say(const QString &text)
{
    std::fputs((text + u'\n').toUtf8().constData(), stderr);
}

ExitCode FileVerb::failed(const Error &error)
{
    QString text = u"sonde-cli: "_s + visibleText(error.message);
    for (const QString &more : {error.detail, error.hint}) {
        if (!more.isEmpty())
            text += u'\n' + visibleText(more);
    }
    say(text);
    return ExitCode::NoResponse;
}

QString FileVerb::exitCodes()
{
    return tr("Exit codes: 0 success, 3 cannot read or write, 4 usage error");
}

}  // namespace sonde::cli
