// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/openaddressdialog.h"

#include "ui/panels/addressbox.h"
#include "ui/theme/opener.h"
#include "ui/theme/widgets.h"

#include <QDialogButtonBox>
#include <QPushButton>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace sonde::ui {

OpenAddressDialog::OpenAddressDialog(const QString &address, QWidget *parent, const QString &question)
    : QDialog(parent), m_address(address), m_failure(new TextLabel)
{
    setObjectName(u"openAddress"_s);
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Open in the browser?"));
    setMinimumWidth(480);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(2 * Grid, 2 * Grid, 2 * Grid, 2 * Grid);
    column->setSpacing(2 * Grid);
    if (!question.isEmpty()) {
        auto *text = new TextLabel(question);
        text->setWordWrap(true);
        column->addWidget(text);
    }
    auto *box = new AddressBox(address);
    column->addWidget(box);
    m_failure->setText(sign(Tone::ToolError) + u' ' +
                       tr("No browser could be started. Copy the URL and open it yourself."));
    m_failure->setTone(Tone::ToolError);
    m_failure->setWordWrap(true);
    m_failure->setObjectName(u"openFailure"_s);
    m_failure->hide();
    column->addWidget(m_failure);
    column->addStretch(1);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
    QPushButton *open = buttons->addButton(tr("Open"), QDialogButtonBox::AcceptRole);
    open->setObjectName(u"confirmOpen"_s);
    open->setDefault(true);
    open->setEnabled(box->target().refusal.isEmpty());
    column->addWidget(buttons);
    open->setFocus();
    connect(buttons, &QDialogButtonBox::accepted, this, &OpenAddressDialog::carryOut);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
}

void OpenAddressDialog::carryOut()
{
    if (openAddress(m_address))
        accept();
    else
        m_failure->show();
}

}  // namespace sonde::ui
