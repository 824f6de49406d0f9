// SPDX-License-Identifier: Apache-2.0
#include "app/gui/namedialog.h"

#include "ui/theme/theme.h"
#include "ui/theme/widgets.h"

#include <QDialogButtonBox>
#include <QPushButton>

namespace sonde::app {

namespace {

constexpr int NameWidth = 360;

}  // namespace

NameDialog::NameDialog(const QString &title, const QString &label, const QString &name, QWidget *parent)
    : QInputDialog(parent)
{
    setWindowTitle(title);
    setLabelText(label);
    setTextValue(name);
    // Qt makes a plain button, and not before the size is asked for.
    (void)QInputDialog::sizeHint();
    auto *buttons = findChild<QDialogButtonBox *>();
    delete buttons->button(QDialogButtonBox::Ok);
    auto *primary = new ui::PrimaryButton(tr("Rename"));
    buttons->addButton(primary, QDialogButtonBox::AcceptRole);
    primary->setDefault(true);
    resize(ui::scaled(NameWidth), 0);
}

}  // namespace sonde::app
