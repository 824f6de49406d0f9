// The timeline: filter, rows, details of the selected row.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/session/session.h"

#include <QWidget>
#include <memory>
#include <vector>

namespace sonde {
class ServerStore;
}

namespace sonde::ui {

// What of a session is shown.
struct TimelineLook {
    QString filter;
    int view = 0;  // a segment: calls, messages, standard error, all
    bool operator==(const TimelineLook &) const = default;
};

// Follows the newest row until the user scrolls up; then it never moves the visible rows. Following, position and
// selection are remembered for each session. The owner saves column widths and the splitter as opaque state.
class TimelinePanel : public QWidget {
    Q_OBJECT
public:
    explicit TimelinePanel(QWidget *parent = nullptr);
    ~TimelinePanel() override;

    void setSession(Session *session, bool canSend);              // canSend: there is a live connection to send to
    void setServers(std::shared_ptr<const ServerStore> servers);  // that a command can name
    void setTitle(const QString &name);                           // whose messages these are
    void showRow(qsizetype sessionRow);
    QList<qsizetype> selectedRows() const;  // of the session, in order
    void showSent(qsizetype sessionRow);    // and its response as soon as that is there
    void focusFilter();
    void focusRows();                     // a row is selected then
    void setFilter(const QString &text);  // also of rows that the present view does not have
    TimelineLook look() const;
    void setLook(const TimelineLook &look);
    void showStatistics();
    // Rows of the session in increasing order. Calls shown as one row include their responses.
    std::vector<qsizetype> rowsToExport(bool selected) const;
    qsizetype selectedCount() const;
    bool showsAll() const;
    QByteArray saveState() const;
    void restoreState(const QByteArray &state);

Q_SIGNALS:
    // The exact bytes of a client message, to send again (edited or not). httpRequest: the recorded HTTP request of it,
    // or empty.
    void sendRequested(const QByteArray &message);
    void editAndSendRequested(const QByteArray &message, const QByteArray &httpRequest);
    void saveCallRequested(qsizetype row);  // of the session: a tools/call or its response, as a saved call
    void replayRequested();                 // of the rows that are selected
    void exportRequested(bool selected);    // the rows that are selected, rather than all
    void lookChanged();
    void savedFiltersChanged();  // or highlights: the saved state has changed
    void recordSelected();       // by the user, so that its details are shown
    void filtered();             // a filter of the user is in force now

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    class Private;
    std::unique_ptr<Private> d;
};

}  // namespace sonde::ui
