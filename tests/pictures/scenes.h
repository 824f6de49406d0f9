// What the pictures of the documentation show: the real window on real servers, brought there by its own controls.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QList>
#include <QString>

namespace sonde::pictures {

class Camera;

struct Scene {
    QString name;
    bool (*play)(Camera &camera);  // takes the pictures; false: the scene did not come about, stderr says why
};

// Of the documentation. The demo server lies beside the running program.
QList<Scene> scenes();

// What the documentation does not show: with these, every screen is seen.
QList<Scene> furtherScenes();

}  // namespace sonde::pictures
