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

// The demo server lies beside the running program.
QList<Scene> scenes();

// Before each of them: clears the home folder's settings and sessions, and writes the list of servers.
void prepareScene();

}  // namespace sonde::pictures
