// The manual, at the page of what is used just now.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>
#include <QString>
#include <QStringList>

class QWidget;

namespace sonde::ui {
class ManualWindow;
}

namespace sonde::app {

class MainWindow;
class Settings;

// Opens it for the action of the window, and for its keys in every other window and dialog. A screen without a page of
// its own gets the page that was read last. Does not own its arguments; a child of the window.
class ManualController : public QObject {
    Q_OBJECT
public:
    ManualController(MainWindow *window, Settings *settings);

    void open();
    // What is said of the place with the focus: "manual/forms.md#json"; empty: nothing in particular.
    static QString placeOf(const QWidget *focus, const MainWindow &window);
    // All places that screens have, to be compared with the pages.
    static QStringList places();

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void openFor(const QWidget *focus);
    ui::ManualWindow *manualFor(QWidget *parent);

    MainWindow *m_window;
    Settings *m_settings;
    QString m_place;  // for which the window's own one was opened last
};

}  // namespace sonde::app
