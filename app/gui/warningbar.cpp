// SPDX-License-Identifier: Apache-2.0
#include "app/gui/warningbar.h"

#include "ui/theme/announce.h"

using namespace Qt::StringLiterals;

namespace sonde::app {

WarningBar::WarningBar(QWidget *parent) : ClosableBanner(u"notice"_s, parent), m_remedy(new QPushButton)
{
    m_remedy->setObjectName(u"noticeRemedy"_s);
    m_remedy->setAccessibleName(tr("Suggested action"));
    addControl(m_remedy);
    connect(this, &WarningBar::closeClicked, this, &WarningBar::leave);
    connect(m_remedy, &QPushButton::clicked, this, [this] {
        // The remedy's own message replaces this one.
        if (const auto action = m_action; m_about && action)
            action();
    });
}

void WarningBar::say(const QString &title, const Error &error)
{
    QString text = error.message;
    if (!text.isEmpty() && !text.back().isPunct())
        text += u'.';
    if (!error.hint.isEmpty())
        text += u' ' + error.hint;
    forget();
    setContent(ui::Tone::ToolError, title, text);
    show();
    ui::announce(this, title + u". "_s + text);
}

std::pair<QString, QString> WarningBar::said() const
{
    return isHidden() ? std::pair<QString, QString>() : std::pair(accessibleName(), accessibleDescription());
}

void WarningBar::offer(const QString &remedy, QObject *about, std::function<void()> action)
{
    forget();
    m_about = about;
    m_action = std::move(action);
    m_remedy->setText(remedy);
    m_remedy->setAccessibleName(remedy);
    m_remedy->show();
    connect(about, &QObject::destroyed, this, &WarningBar::leave);
}

// The next message has a different subject.
void WarningBar::forget()
{
    if (m_about)
        m_about->disconnect(this);
    m_about.clear();
    m_action = {};
    m_remedy->hide();
}

void WarningBar::withdraw(const QObject *about)
{
    if (m_about == about)
        leave();
}

}  // namespace sonde::app
