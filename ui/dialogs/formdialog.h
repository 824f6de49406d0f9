// The frame of a dialog with fields: below them what is wrong or what will happen, and the button that accepts.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QDialog>

class QFormLayout;
class QPushButton;
class QVBoxLayout;

namespace sonde::ui {

class TextLabel;

class FormDialog : public QDialog {
    Q_OBJECT
public:
    static constexpr int DefaultWidth = 600;

protected:
    // name: that the message and the button are called after, "server" for "serverMessage" and "serverOk".
    FormDialog(const QString &name, const QString &action, QWidget *parent, int width = DefaultWidth);
    // page: that it fills; null: it is added somewhere by its maker.
    static QFormLayout *makeForm(QWidget *page = nullptr);
    // Below what m_column has by then. Last, because the window goes through its fields as they were added.
    void addMessageAndButtons();
    // To what its layout wants at its minimum width, as far as a small screen has room. By itself, Qt takes two thirds
    // of the screen at most, which cuts off what needs more.
    void fitHeight();

    QVBoxLayout *const m_column;
    TextLabel *const m_message;
    QPushButton *const m_ok;
};

}  // namespace sonde::ui
