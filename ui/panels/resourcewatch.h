// In the tab of a resource: subscribing to it, the state of that, and the differences between its versions.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/connection/connection.h"
#include "ui/panels/versiondifference.h"

#include <QPointer>
#include <QTimer>
#include <QWidget>

class QPushButton;

namespace sonde::ui {

class SegmentedControl;
class TextLabel;

// A line over the result that changes between a version and its difference, hidden where there is nothing to compare.
// When the server tells of a change, the resource is read again, at most once a second.
class ResourceWatch : public QWidget {
    Q_OBJECT
public:
    // result: the widget that shows a version; it is hidden while a difference is shown in its place.
    ResourceWatch(const QString &uri, Connection *connection, QWidget *result);

    // To be placed by the panel: the button that subscribes, and the state.
    QPushButton *button() const { return m_button; }
    TextLabel *status() const { return m_status; }
    VersionDifference *difference() const { return m_difference; }
    bool isLive() const;
    void refresh();  // once all of it has its place

    // The newest version, in front of all others, of which so many are kept.
    void add(const Outcome &reading, qsizetype kept);
    void choose(qsizetype row);  // the version that is shown; 0 is the newest

Q_SIGNALS:
    void liveChanged();
    void readAgain(const sonde::Outcome &outcome);

private:
    void toggle();
    void showMode();
    QString statusText() const;
    void onUpdated(const QString &changedUri);
    void readSoon();

    QString m_uri;
    QPointer<Connection> m_connection;
    QWidget *m_result;
    QPushButton *m_button;
    TextLabel *m_status;
    SegmentedControl *m_mode;
    VersionDifference *m_difference;
    QList<ResourceVersion> m_versions;  // as the history of the tab
    qsizetype m_chosen = 0;
    QPointer<Call> m_reading;
    QTimer m_pause;
    bool m_isDue = false;
    bool m_wasLive = false;
    QDateTime m_updatedAt;
    QString m_updatedUri;
};

}  // namespace sonde::ui
