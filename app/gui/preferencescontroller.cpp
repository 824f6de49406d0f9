// SPDX-License-Identifier: Apache-2.0
#include "app/gui/preferencescontroller.h"

#include "app/gui/actions.h"
#include "app/gui/confirm.h"
#include "app/gui/mainwindow.h"
#include "app/gui/menubar.h"
#include "app/gui/requestcontroller.h"
#include "app/gui/sessionscontroller.h"
#include "app/gui/settings.h"
#include "app/gui/storagewarnings.h"
#include "app/gui/warningbar.h"
#include "app/gui/workspace.h"
#include "core/connection/argumentstore.h"
#include "ui/dialogs/shortcuteditor.h"
#include "ui/theme/keys.h"
#include "ui/theme/opener.h"
#include "ui/theme/widgets.h"

#include <QActionGroup>
#include <QDir>
#include <QMenu>
#include <QSignalBlocker>
#include <QToolButton>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace sonde::app {

namespace {

using Mode = ui::ThemeController::Mode;

constexpr double BytesPerGigabyte = 1e9;
constexpr auto CompactName = "compact"_L1;
constexpr auto ComfortableName = "comfortable"_L1;

QString themeName(Mode mode)
{
    return mode == Mode::Light          ? u"light"_s
           : mode == Mode::Dark         ? u"dark"_s
           : mode == Mode::HighContrast ? u"highContrast"_s
                                        : u"system"_s;
}

Mode themeNamed(const QString &name)
{
    return name == u"light"          ? Mode::Light
           : name == u"dark"         ? Mode::Dark
           : name == u"highContrast" ? Mode::HighContrast
                                     : Mode::System;
}

ui::Preferences storedIn(const Settings &settings)
{
    return {.showsMenuBar = settings.isOn(setting::MenuBar),
            .reopens = settings.isOn(setting::Reopens),
            .language = settings.text(setting::Language),
            .notifies = settings.isOn(setting::Notifies),
            .theme = themeNamed(settings.text(setting::Theme)),
            .density = settings.text(setting::Density) == CompactName ? ui::Density::Compact : ui::Density::Comfortable,
            .reducesMotion = settings.isOn(setting::ReducesMotion),
            .fontSize = settings.number(setting::FontSize),
            .requestTimeout = settings.number(setting::RequestTimeout),
            .totalTimeout = settings.number(setting::TotalTimeout),
            .connectTimeout = settings.number(setting::ConnectTimeout),
            .sessionLimit = settings.number(setting::SessionLimit),
            .keptDays = settings.number(setting::KeptDays),
            .keptGigabytes = settings.number(setting::KeptGigabytes),
            .keptSessions = settings.number(setting::KeptSessions),
            .listsRecentFiles = settings.isOn(setting::ListsRecentFiles),
            .asksUnmarked = settings.isOn(setting::AsksUnmarked)};
}

ui::PreferencesDialog::Storage storageOf(const SessionLibrary &library)
{
    ui::PreferencesDialog::Storage storage{library.folder(), library.freeBytes(), 0, 0};
    if (storage.folder.isEmpty())
        return storage;
    const QFileInfoList files = QDir(storage.folder).entryInfoList({u"*.mcpsession"_s}, QDir::Files);
    storage.sessions = files.size();
    for (const QFileInfo &file : files)
        storage.bytes += file.size();
    return storage;
}

}  // namespace

PreferencesController::PreferencesController(const Parts &parts, QObject *parent)
    : QObject(parent),
      m_parts(parts),
      m_preferences(storedIn(*parts.settings)),
      m_shortcuts(parts.window, parts.settings)
{
    connectThemes();
    connect(parts.window->actions->showMenuBar, &QAction::triggered, this, &PreferencesController::showMenuBar);
    apply();
}

void PreferencesController::connectThemes()
{
    const Actions &actions = *m_parts.window->actions;
    auto *menu = new QMenu(m_parts.window->theme);
    const auto add = [this, menu](QAction *action, Mode mode) {
        menu->addAction(action);
        connect(action, &QAction::triggered, this, [this, mode] {
            ui::Preferences changed = m_preferences;
            changed.theme = mode;
            change(changed);
        });
    };
    add(actions.themeSystem, Mode::System);
    add(actions.themeLight, Mode::Light);
    add(actions.themeDark, Mode::Dark);
    add(actions.themeHighContrast, Mode::HighContrast);
    menu->addSeparator();
    menu->addAction(actions.preferences);
    m_parts.window->theme->setMenu(menu);
}

void PreferencesController::open(ui::PreferencesDialog::Page page, QWidget *parent)
{
    ui::PreferencesDialog dialog(m_preferences, storageOf(m_parts.workspace->library()), m_shortcuts.makeEditor(),
                                 parent);
    dialog.setRememberedArguments(m_parts.workspace->profile().arguments->count());
    connect(&dialog, &ui::PreferencesDialog::changed, this, &PreferencesController::change);
    connect(&dialog, &ui::PreferencesDialog::folderRequested, this,
            [this] { ui::openFolder(m_parts.workspace->library().folder()); });
    connect(&dialog, &ui::PreferencesDialog::forgetArgumentsRequested, this,
            [this, &dialog] { forgetArguments(&dialog); });
    dialog.showPage(page);
    dialog.exec();
}

void PreferencesController::change(const ui::Preferences &preferences)
{
    const bool hasOtherLanguage = preferences.language != m_preferences.language;
    m_preferences = preferences;
    apply();
    store();
    if (hasOtherLanguage)
        Q_EMIT languageChanged();
}

void PreferencesController::apply()
{
    const Actions &actions = *m_parts.window->actions;
    m_parts.window->menus->setKept(m_preferences.showsMenuBar);
    actions.showMenuBar->setChecked(m_preferences.showsMenuBar);
    m_parts.theme->setMode(m_preferences.theme);
    m_parts.window->showTheme(m_preferences.theme);
    m_parts.theme->setFontSize(m_preferences.fontSize);
    ui::setDensity(m_preferences.density);
    m_parts.theme->setReducesMotion(m_preferences.reducesMotion);
    QAction *theme = m_preferences.theme == Mode::Light          ? actions.themeLight
                     : m_preferences.theme == Mode::Dark         ? actions.themeDark
                     : m_preferences.theme == Mode::HighContrast ? actions.themeHighContrast
                                                                 : actions.themeSystem;
    theme->setChecked(true);
    m_parts.requests->setNotifies(m_preferences.notifies);
    m_parts.workspace->setAsksUnmarked(m_preferences.asksUnmarked);
    m_parts.workspace->setTimeouts({.request = std::chrono::seconds(qint64(m_preferences.requestTimeout)),
                                    .total = std::chrono::seconds(qint64(m_preferences.totalTimeout)),
                                    .connection = std::chrono::seconds(qint64(m_preferences.connectTimeout))});
    m_parts.sessions->setRetention({.maxDays = qint64(m_preferences.keptDays),
                                    .maxBytes = qint64(m_preferences.keptGigabytes * BytesPerGigabyte),
                                    .maxSessions = qint64(m_preferences.keptSessions)});
    m_parts.sessions->setListsRecentFiles(m_preferences.listsRecentFiles);
    m_parts.storage->setLimit(qint64(m_preferences.sessionLimit * BytesPerGigabyte));
}

void PreferencesController::store()
{
    Settings &settings = *m_parts.settings;
    settings.set(setting::MenuBar, m_preferences.showsMenuBar);
    settings.set(setting::Reopens, m_preferences.reopens);
    settings.set(setting::Language, m_preferences.language);
    settings.set(setting::Notifies, m_preferences.notifies);
    settings.set(setting::Theme, themeName(m_preferences.theme));
    const bool isCompact = m_preferences.density == ui::Density::Compact;
    settings.set(setting::Density, QString(isCompact ? CompactName : ComfortableName));
    settings.set(setting::ReducesMotion, m_preferences.reducesMotion);
    settings.set(setting::FontSize, m_preferences.fontSize);
    settings.set(setting::RequestTimeout, m_preferences.requestTimeout);
    settings.set(setting::TotalTimeout, m_preferences.totalTimeout);
    settings.set(setting::ConnectTimeout, m_preferences.connectTimeout);
    settings.set(setting::SessionLimit, m_preferences.sessionLimit);
    settings.set(setting::KeptDays, m_preferences.keptDays);
    settings.set(setting::KeptGigabytes, m_preferences.keptGigabytes);
    settings.set(setting::KeptSessions, m_preferences.keptSessions);
    settings.set(setting::ListsRecentFiles, m_preferences.listsRecentFiles);
    settings.set(setting::AsksUnmarked, m_preferences.asksUnmarked);
    settings.save();
}

// Who hides it for the first time is told how to get it back.
void PreferencesController::showMenuBar(bool isShown)
{
    if (!isShown && !m_parts.settings->isOn(setting::KnowsHiddenMenu)) {
        const QString keys = ui::keyText(ui::keys::MenuBar);
        const QString text = tr("%1 Alt or F10 opens the menu while it is hidden.")
                                 .arg(keys.isEmpty() ? tr("To show the menu bar again, use the preferences.")
                                                     : tr("To show the menu bar again, press %1.").arg(keys));
        if (!confirm(m_parts.window, tr("Hide menu bar"), text, tr("Hide"), tr("Keep"))) {
            m_parts.window->actions->showMenuBar->setChecked(true);
            return;
        }
        m_parts.settings->set(setting::KnowsHiddenMenu, true);
    }
    ui::Preferences changed = m_preferences;
    changed.showsMenuBar = isShown;
    change(changed);
}

void PreferencesController::forgetArguments(ui::PreferencesDialog *dialog)
{
    ArgumentStore &arguments = *m_parts.workspace->profile().arguments;
    const QString text = ui::counted(arguments.count(), tr("Forget the remembered arguments of 1 tool?"),
                                     tr("Forget the remembered arguments of %1 tools?"));
    if (!confirm(dialog, tr("Forget arguments"), text, tr("Forget"), tr("Cancel")))
        return;
    if (const Error error = arguments.forgetAll())
        m_parts.window->notice->say(tr("The arguments could not be forgotten"), error);
    dialog->setRememberedArguments(arguments.count());
}

}  // namespace sonde::app
