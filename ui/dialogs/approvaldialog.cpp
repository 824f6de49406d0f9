// SPDX-License-Identifier: Apache-2.0
#include "ui/dialogs/approvaldialog.h"

#include "core/protocol/visibletext.h"
#include "ui/panels/launchlines.h"
#include "ui/theme/widgets.h"

#include <QDialogButtonBox>
#include <QPushButton>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

constexpr int MaxLinesHeight = 260;

}  // namespace

ApprovalDialog::ApprovalDialog(const QList<LaunchLine> &lines, bool isProcess, const QString &file, QWidget *parent)
    : QDialog(parent)
{
    const QString title = isProcess ? tr("Start this program?") : tr("Connect to this server?");
    setWindowTitle(title);
    resize(640, 400);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(2 * Grid, 2 * Grid, 2 * Grid, 2 * Grid);
    column->setSpacing(2 * Grid);
    auto *banner = new Banner;
    banner->setContent(Tone::Asks, title,
                       isProcess ? tr("“%1” wants to start this program. It runs with your permissions and can read, "
                                      "change or send anything you can.")
                                       .arg(visibleLine(file, 80))
                                 : tr("“%1” wants to connect to this server. Sonde will send the recorded calls to it.")
                                       .arg(visibleLine(file, 80)));
    column->addWidget(banner);
    auto *shown = new LaunchLines;
    shown->setApproval({lines, {}});
    shown->setMaxHeight(MaxLinesHeight);
    column->addWidget(shown);
    column->addStretch(1);
    auto *buttons = new QDialogButtonBox;
    auto *start = buttons->addButton(isProcess ? tr("Start") : tr("Connect"), QDialogButtonBox::AcceptRole);
    start->setObjectName(u"approveStart"_s);
    start->setAutoDefault(false);
    auto *cancel = buttons->addButton(QDialogButtonBox::Cancel);
    cancel->setDefault(true);
    column->addWidget(buttons);
    cancel->setFocus();
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
}

}  // namespace sonde::ui
