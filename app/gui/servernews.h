// Servers that start, stop and fail, for those who do not see the list.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QHash>
#include <QObject>

class QWidget;

namespace sonde::app {

class Workspace;

// Announces it when the state of a server has changed, in the words of the list. A child of its window.
class ServerNews : public QObject {
    Q_OBJECT
public:
    ServerNews(const Workspace *workspace, QWidget *window);

private:
    QHash<int, QString> states() const;  // by item; the last one while it is changing
    void tell();
    const Workspace *m_workspace;
    QWidget *m_window;
    QHash<int, QString> m_told;
};

}  // namespace sonde::app
