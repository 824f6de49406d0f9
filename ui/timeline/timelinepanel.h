// The timeline: filter line, rows, details of the selected row.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/session/session.h"

#include <QWidget>
#include <memory>
#include <vector>

namespace sonde::ui {

// Follows the tail until the person scrolls up; then never moves the row being read. Follow, place and selection are
// kept for each session. Column widths and the splitter are saved and restored as opaque state by the owner.
class TimelinePanel : public QWidget {
    Q_OBJECT
public:
    explicit TimelinePanel(QWidget *parent = nullptr);
    ~TimelinePanel() override;

    void setSession(Session *session, bool canSend);  // canSend: there is a live connection to send to
    void setTitle(const QString &name);               // whose messages these are
    void showRow(qsizetype sessionRow);
    QList<qsizetype> selectedRows() const;  // of the session, in order
    void showSent(qsizetype sessionRow);    // and its response as soon as that is there
    void focusFilter();
    void showStatistics();
    // Rows of the session, rising. Of calls that are shown as one row also their responses.
    std::vector<qsizetype> rowsToExport(bool selected) const;
    qsizetype selectedCount() const;
    bool showsAll() const;
    QByteArray saveState() const;
    void restoreState(const QByteArray &state);

Q_SIGNALS:
    // The exact bytes of a message from client to server, to be sent again (edited or not). httpRequest: what was
    // recorded of the request that carried it, or empty.
    void sendRequested(const QByteArray &message);
    void editAndSendRequested(const QByteArray &message, const QByteArray &httpRequest);
    void replayRequested();               // of the rows that are selected
    void exportRequested(bool selected);  // the rows that are selected, rather than all
    void keptFiltersChanged();            // or the colours of rows: the saved state is another one

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    class Private;
    std::unique_ptr<Private> d;
};

}  // namespace sonde::ui
