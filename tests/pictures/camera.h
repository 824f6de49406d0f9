// Takes the pictures of a scene, or compares what it shows with what its pictures showed.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <QStringList>

class QWidget;

namespace sonde::ui {
class ThemeController;
}

namespace sonde::pictures {

class Camera {
public:
    enum class Task { Make, Check };
    // folder: where NAME-light.png, NAME-dark.png and NAME.txt are.
    Camera(Task task, const QString &folder) : m_task(task), m_folder(folder) {}

    void begin(const QString &scene) { m_scene = scene; }
    // Waits until the labels stay the same. Once for each scene.
    void take(QWidget *shown, ui::ThemeController &theme);

    bool hasTaken(const QString &scene) const { return m_taken.contains(scene); }
    const QStringList &problems() const { return m_problems; }

private:
    void make(QWidget *shown, ui::ThemeController &theme, const QStringList &labels);
    void check(const QStringList &labels);
    QString path(const QString &ending) const { return m_folder + u'/' + m_scene + ending; }

    Task m_task;
    QString m_folder;
    QString m_scene;
    QStringList m_taken;
    QStringList m_problems;
};

}  // namespace sonde::pictures
