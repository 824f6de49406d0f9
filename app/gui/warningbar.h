// The banner above everything else: a problem of the whole window, and a remedy.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/gui/closablebanner.h"
#include "core/protocol/error.h"

#include <QPointer>
#include <functional>
#include <utility>

namespace sonde::app {

// Stays until it is closed, replaced, or its reason is gone.
class WarningBar : public ClosableBanner {
    Q_OBJECT
public:
    explicit WarningBar(QWidget *parent = nullptr);

    void say(const QString &title, const Error &error);
    bool isAbout(const QObject *about) const { return !isHidden() && m_about == about; }
    QObject *about() const { return isHidden() ? nullptr : m_about.data(); }  // null: it has no remedy
    // What is said, for the bar of a window that takes the place of this one. Empty: nothing.
    std::pair<QString, QString> said() const;
    // A remedy for the current message about an object; both go when the object is deleted.
    void offer(const QString &remedy, QObject *about, std::function<void()> action);
    void withdraw(const QObject *about);  // hides what was said about it

private:
    void forget();
    QPushButton *m_remedy;
    QPointer<QObject> m_about;
    std::function<void()> m_action;
};

}  // namespace sonde::app
