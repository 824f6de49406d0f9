// What the window remembers between starts: sizes, columns, preferences, keys. No servers and no secrets.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/dialogs/preferences.h"

#include <QByteArray>
#include <QLatin1StringView>
#include <QSettings>
#include <QString>
#include <QStringList>
#include <QVariant>
#include <memory>

namespace sonde::app {

struct NumberSetting {
    QLatin1StringView key;
    ui::NumberRange range;  // what is outside of it, or no number, counts as the usual one
};

struct SwitchSetting {
    QLatin1StringView key;
    bool isUsuallyOn;
};

// Everything that is remembered, by its key in the file.
namespace setting {

inline constexpr QLatin1StringView Geometry("window/geometry");
inline constexpr QLatin1StringView HorizontalSplitter("window/horizontal");
inline constexpr QLatin1StringView SidebarSplitter("window/sidebar");
inline constexpr QLatin1StringView VerticalSplitter("window/vertical");
inline constexpr QLatin1StringView Timeline("window/timeline");
inline constexpr QLatin1StringView Language("window/language");  // "de"; empty: the one of the system
inline constexpr QLatin1StringView Theme("window/theme");        // "system", "light", "dark", "highContrast"
inline constexpr NumberSetting FontSize{QLatin1StringView("window/fontSize"), ui::ranges::FontSize};
inline constexpr QLatin1StringView Density("window/density");  // "comfortable", "compact"
inline constexpr SwitchSetting ReducesMotion{QLatin1StringView("window/reducesMotion"), false};
inline constexpr SwitchSetting MenuBar{QLatin1StringView("window/menuBar"), true};
inline constexpr SwitchSetting KnowsHiddenMenu{QLatin1StringView("window/knowsHiddenMenu"), false};
inline constexpr SwitchSetting Reopens{QLatin1StringView("window/reopens"), true};
inline constexpr SwitchSetting Notifies{QLatin1StringView("requests/notifies"), true};
inline constexpr SwitchSetting AsksUnmarked{QLatin1StringView("calls/asksUnmarked"), false};
inline constexpr NumberSetting RequestTimeout{QLatin1StringView("calls/timeoutSeconds"), ui::ranges::RequestTimeout};
inline constexpr NumberSetting TotalTimeout{QLatin1StringView("calls/totalSeconds"), ui::ranges::TotalTimeout};
inline constexpr NumberSetting ConnectTimeout{QLatin1StringView("servers/connectSeconds"), ui::ranges::ConnectTimeout};
inline constexpr NumberSetting SessionLimit{QLatin1StringView("recording/limitGB"), ui::ranges::SessionLimit};
inline constexpr NumberSetting KeptDays{QLatin1StringView("recording/keptDays"), ui::ranges::KeptDays};
inline constexpr NumberSetting KeptGigabytes{QLatin1StringView("recording/keptGB"), ui::ranges::KeptGigabytes};
inline constexpr NumberSetting KeptSessions{QLatin1StringView("recording/keptSessions"), ui::ranges::KeptSessions};
inline constexpr SwitchSetting ListsRecentFiles{QLatin1StringView("recording/listsRecentFiles"), true};
inline constexpr QLatin1StringView ArgumentsMode("calls/argumentsMode");  // "form", "both", "json"
inline constexpr QLatin1StringView RemoteIcons("remoteIcons");
inline constexpr QLatin1StringView RecentTargets("goTo/recent");
inline constexpr QLatin1StringView ManualPage("manual/page");  // "manual/forms.md", the last one
inline constexpr QLatin1StringView SavedCallFolders("savedCalls/folders");
inline constexpr QLatin1StringView Keys("keys/");  // and the name of the action

}  // namespace setting

class Settings {
public:
    Settings();  // $XDG_CONFIG_HOME/sonde/window.ini, mode 0600; in memory only without a home, and where that is no
                 // file

    QByteArray bytes(const QString &key) const { return value(key).toByteArray(); }
    QString text(const QString &key) const { return value(key).toString(); }
    QStringList texts(const QString &key) const { return value(key).toStringList(); }
    double number(const NumberSetting &setting) const;
    bool isOn(const SwitchSetting &setting) const;
    void set(const QString &key, const QVariant &value);
    void set(const NumberSetting &setting, double number);
    void set(const SwitchSetting &setting, bool isOn);
    void remove(const QString &key);
    void save();

private:
    QVariant value(const QString &key) const;
    QString m_path;
    std::unique_ptr<QSettings> m_settings;  // null: m_memory in its place
    QVariantMap m_memory;
};

}  // namespace sonde::app
