// The way from a tab to the page on which a server's sign-in goes on, and back once that has ended.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>
#include <QPointer>

class QTabWidget;
class QWidget;

namespace sonde {
class OAuth;
}

namespace sonde::app {

// Begins while page is current; the person who leaves it ends the visit, and stays where they are. Deletes itself. GUI
// thread; does not own its arguments.
class SignInVisit : public QObject {
    Q_OBJECT
public:
    SignInVisit(OAuth *signIn, QWidget *from, QWidget *page, QTabWidget *tabs);

Q_SIGNALS:
    void returned(QWidget *from);  // the sign-in has ended while its page was current

private:
    void onChanged();
    void onTabChanged();
    void end();

    QPointer<OAuth> m_signIn;
    QPointer<QWidget> m_from;
    QPointer<QWidget> m_page;
    QTabWidget *m_tabs;
};

}  // namespace sonde::app
