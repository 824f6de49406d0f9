// SPDX-License-Identifier: Apache-2.0
#include "app/gui/confirm.h"

#include <QMessageBox>
#include <QPushButton>

namespace sonde::app {

bool confirm(QWidget *parent, const QString &title, const QString &text, const QString &yes, const QString &no)
{
    QMessageBox box(QMessageBox::Question, title, text, QMessageBox::NoButton, parent);
    box.setTextFormat(Qt::PlainText);
    const QPushButton *confirms = box.addButton(yes, QMessageBox::DestructiveRole);
    QPushButton *keeps = box.addButton(no, QMessageBox::RejectRole);
    box.setDefaultButton(keeps);
    box.setEscapeButton(keeps);
    box.exec();
    return box.clickedButton() == confirms;
}

}  // namespace sonde::app
