// The preferences, a page for each subject.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/dialogs/preferences.h"

#include <QDialog>
#include <QList>
#include <functional>
#include <utility>

class QFormLayout;
class QListWidget;
class QPushButton;
class QStackedWidget;

namespace sonde::ui {

class ShortcutEditor;
class TextLabel;

// Each change counts at once, or when its page says. The owner stores and applies it.
class PreferencesDialog : public QDialog {
    Q_OBJECT
public:
    enum class Page { General, Appearance, Limits, Recording, Privacy, Keys };

    // Where sessions are kept, and how many there are. freeBytes: -1 where it cannot be told.
    struct Storage {
        QString folder;
        qint64 freeBytes = -1;
        qint64 sessions = 0;
        qint64 bytes = 0;
    };

    // keys: becomes a child.
    PreferencesDialog(const Preferences &preferences, const Storage &storage, ShortcutEditor *keys,
                      QWidget *parent = nullptr);

    void showPage(Page page);
    void setRememberedArguments(qsizetype tools);  // of how many tools there are some

Q_SIGNALS:
    void changed(const sonde::ui::Preferences &preferences);
    void folderRequested();
    void forgetArgumentsRequested();

private:
    QFormLayout *addPage(const QString &title);
    void addNote(QFormLayout *form, const QString &text);
    void addSwitch(QFormLayout *form, const QString &text, const QString &name, bool Preferences::*value,
                   const QString &explanation = {});
    void addNumber(QFormLayout *form, const QString &text, const QString &name, double Preferences::*value,
                   const NumberRange &range, const QString &unit);
    template <typename T>
    void addChoice(QFormLayout *form, const QString &text, const QString &name, T Preferences::*value,
                   const QList<std::pair<QString, T>> &choices);  // with their labels
    void addLanguages(QFormLayout *form);
    void makeGeneral();
    void makeAppearance();
    void makeLimits();
    void makeRecording(const Storage &storage);
    void makePrivacy();
    void reset();  // the current page
    void show(const Preferences &preferences);

    Preferences m_preferences;
    QListWidget *m_pages;
    QStackedWidget *m_stack;
    ShortcutEditor *m_keys;
    TextLabel *m_arguments = nullptr;
    QPushButton *m_forget = nullptr;
    // Of each page: what shows the preferences, and what makes its own usual again.
    QList<std::function<void()>> m_fill;
    QList<QList<std::function<void()>>> m_reset;
};

}  // namespace sonde::ui
