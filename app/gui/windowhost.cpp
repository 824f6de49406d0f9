// SPDX-License-Identifier: Apache-2.0
#include "app/gui/windowhost.h"

#include "app/gui/mainwindow.h"
#include "app/gui/settings.h"
#include "ui/requests/requestpanel.h"

#include <QApplication>
#include <QSignalBlocker>
#include <QThread>
#include <utility>

using namespace Qt::StringLiterals;

namespace sonde::app {

namespace {

constexpr int RetryMs = 100;

// With a dialog or a menu open, what has opened it is still on the stack.
bool isInDialog()
{
    return QThread::currentThread()->loopLevel() > 1 || QApplication::activeModalWidget() ||
           QApplication::activePopupWidget();
}

}  // namespace

WindowHost::WindowHost(ui::ThemeController *theme, Settings *settings, const Profile &profile, QObject *parent)
    : QObject(parent),
      m_theme(theme),
      m_settings(settings),
      m_translations(settings->text(setting::Language)),
      m_workspace(profile)
{
    m_languageTimer.setInterval(RetryMs);
    connect(&m_languageTimer, &QTimer::timeout, this, &WindowHost::tryToChangeLanguage);
    connect(&m_workspace, &Workspace::finished, this, &WindowHost::finished);
    makeWindow();
    m_workspace.followStore();
}

WindowHost::~WindowHost()
{
    destroyWindow();
}

void WindowHost::makeWindow()
{
    m_window = std::make_unique<MainWindow>();
    m_controller = std::make_unique<WindowController>(&m_workspace, m_window.get(), m_theme, m_settings);
    connect(m_controller.get(), &WindowController::languageChanged, this, &WindowHost::askForLanguage,
            Qt::QueuedConnection);
}

// Controllers that are partly destroyed are told nothing.
void WindowHost::destroyWindow()
{
    const QSignalBlocker quiet(&m_workspace);
    m_controller.reset();
    m_window.reset();
}

void WindowHost::shutDown()
{
    m_languageTimer.stop();
    m_controller->shutDown();
}

void WindowHost::askForLanguage()
{
    m_hasSaidWaiting = false;
    m_languageTimer.start();
}

void WindowHost::tryToChangeLanguage()
{
    if (isInDialog() || m_controller->isClosing())
        return;
    if (!m_translations.isOther(m_settings->text(setting::Language))) {
        m_languageTimer.stop();
        return;
    }
    if (isBusy()) {
        if (!std::exchange(m_hasSaidWaiting, true))
            m_window->tell(tr("The language changes when no call is running and no server waits for a response."));
        return;
    }
    m_languageTimer.stop();
    replaceWindow();
}

bool WindowHost::isBusy() const
{
    return m_controller->hasRunningCalls() || m_controller->isKeepingSecrets() || m_window->requests->openCount() > 0;
}

void WindowHost::replaceWindow()
{
    WindowController::Handover handover = m_controller->handOver();
    m_window->store(*m_settings);
    destroyWindow();
    m_translations.setLanguage(m_settings->text(setting::Language));
    makeWindow();
    m_controller->takeOver(std::move(handover));
    m_window->show();
    m_window->activateWindow();
    m_controller->focusPage();
    Q_EMIT windowReplaced();
}

}  // namespace sonde::app
