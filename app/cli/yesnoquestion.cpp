// SPDX-License-Identifier: Apache-2.0
#include "app/cli/yesnoquestion.h"

#include "app/common/system.h"

using namespace Qt::StringLiterals;

namespace sonde::cli {

bool YesNoQuestion::canBeAsked()
{
    return app::isTerminal(app::StandardStream::Input);
}

YesNoQuestion::YesNoQuestion(const QString &text, Output &output, QObject *parent) : QObject(parent)
{
    output.note(text + u' ' + tr("[y/N]"));
    connect(&m_input, &app::StandardInput::received, this, &YesNoQuestion::readLine);
    connect(&m_input, &app::StandardInput::ended, this, &YesNoQuestion::readLine);
    m_input.setEnabled(true);
}

void YesNoQuestion::readLine(const QByteArray &line)
{
    m_input.setEnabled(false);
    const QByteArray response = line.toLower();
    deleteLater();
    Q_EMIT answered(response == "y" || response == "yes");
}

}  // namespace sonde::cli
