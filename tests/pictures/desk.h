// The window of a scene, with the list of servers that all scenes begin with; each scene is another start of Sonde.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/app/gui/testwindow.h"

#include <QSize>

namespace sonde::pictures {

class Camera;

class Desk : public test::TestWindow {
public:
    Desk();

    static void setWindowSize(QSize size);  // of all that follow
    // Before each scene: clears the home folder's settings and sessions, and writes the list of servers.
    static void prepare();

    // Each is false where it does not come about; stderr says why.
    bool connectTo(const QString &name);
    bool work();      // calls of each outcome, the last of which is shown
    bool showPage();  // of the current server
    bool isVisible(const QString &objectName);
    bool pressButton(const QString &objectName);
    bool choose(const QString &objectName, const QString &segment);  // of a segmented control of the current tab
    // In the timeline: the row of a call, once it is there; -1: it does not come.
    int rowOf(QStringView target);
    // The dialog that the action opens, which is closed again. part: see Camera::take().
    bool takeDialog(Camera &camera, QAction *opening, const QString &part = {});

private:
    bool currentConnectionIsListed();
};

}  // namespace sonde::pictures
