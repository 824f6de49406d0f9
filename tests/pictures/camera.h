// Takes the pictures of a scene, or compares what it shows with what its pictures showed.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/theme/theme.h"

#include <QString>
#include <QStringList>

class QWidget;

namespace sonde::pictures {

class Camera {
public:
    enum class Task { Make, Check };
    // folder: where NAME-light.png, NAME-dark.png and NAME.txt are.
    Camera(Task task, const QString &folder) : m_task(task), m_folder(folder) {}
    // Only for looking at them: in these themes (see themes()), without labels. suffix: ends the names of all files.
    Camera(const QString &folder, const QStringList &themes, const QString &suffix)
        : m_folder(folder), m_themes(themes), m_suffix(suffix)
    {}
    static QStringList themes();

    void begin(const QString &scene) { m_scene = scene; }
    // Waits until the labels stay the same. Once for each scene, or each part of it that has a name of its own.
    void take(QWidget *shown, ui::ThemeController &theme, const QString &part = {});

    bool hasTaken(const QString &scene) const { return m_taken.contains(scene); }
    const QStringList &problems() const { return m_problems; }

private:
    QStringList settledLabels(QWidget *shown);
    void photograph(QWidget *shown, ui::ThemeController &theme, const QStringList &themes);
    void writeLabels(const QStringList &labels);
    void check(const QStringList &labels);
    QString path(const QString &ending) const { return m_folder + u'/' + m_scene + m_part + ending; }

    Task m_task = Task::Make;
    QString m_folder;
    QStringList m_themes;  // empty: those of the documentation
    QString m_suffix;
    QString m_scene;
    QString m_part;
    QStringList m_taken;
    QStringList m_problems;
};

}  // namespace sonde::pictures
