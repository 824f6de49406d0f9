// The details of a record: as a tree, as exact bytes, HTTP headers, findings and other information.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/document.h"
#include "core/session/session.h"

#include <QPointer>
#include <QWidget>

class QScrollArea;
class QSplitter;
class QStackedWidget;
class QToolButton;

namespace sonde::ui {

class CallIndex;
class EmptyState;
class FindingsList;
class FittingSegments;
class JsonTreeView;
class TextView;

// Request and response of an exchange can both be shown, whichever is selected. Its owner hides it without a row. Large
// records are parsed on a worker. Selecting a node of the tree marks its bytes, and clicking a byte selects its node.
class RecordDetails : public QWidget {
    Q_OBJECT
public:
    explicit RecordDetails(QWidget *parent = nullptr);

    void setSession(Session *session, bool canSend);
    void setCalls(CallIndex *calls);  // of that session, for the call in the info. Not owned
    // preferResponse: if a request has a response, show that first.
    void showRow(qsizetype row, bool preferResponse);
    void showResponseOnceThere();  // of the row that is shown
    void refresh();
    qsizetype row() const { return m_row; }
    void setStandsAlone();  // in a window of its own: offers neither another one nor to close
    // The client's message that the record is, or is a response to; -1 if there is none.
    qsizetype sendableRow() const;
    bool canSend() const { return m_canSend; }
    QByteArray saveState() const;
    void restoreState(const QByteArray &state);

Q_SIGNALS:
    void sendRequested(const QByteArray &message);
    void editAndSendRequested(const QByteArray &message, const QByteArray &httpRequest);
    void windowRequested(qsizetype row);
    void closeRequested();
    void rowChanged();  // another one is shown, or none any more

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    struct Loaded {
        json::Document document;
        QByteArray shown;  // the bytes, or hex lines when they are no text
        bool isText = true;
        QStringList findings;
    };
    static Loaded load(const QByteArray &bytes, bool isMessage);
    void layOut();
    void offerSegments();
    void fitButtons();
    void choose(int segment);
    void showRecord(qsizetype row);
    void showFacts();
    void showFindings();
    void showLoaded(const Loaded &loaded);
    void clear();

    QPointer<Session> m_session;
    QPointer<CallIndex> m_calls;
    bool m_canSend = false;
    qsizetype m_row = -1;
    qsizetype m_request = -1;
    qsizetype m_response = -1;
    int m_generation = 0;
    bool m_choosing = false;
    bool m_awaitsResponse = false;
    RequestId m_answered;       // by one element of the batch that is shown
    bool m_showsBytes = false;  // what m_raw shows are the bytes that the tree was made of

    FittingSegments *m_segments;
    QToolButton *m_send;
    QToolButton *m_edit;
    QToolButton *m_window;
    QToolButton *m_close;
    FindingsList *m_findings;
    QStackedWidget *m_pages;
    QSplitter *m_splitter;
    JsonTreeView *m_tree;
    TextView *m_raw;
    TextView *m_text;  // headers, facts
    QScrollArea *m_findingsPage;
    FindingsList *m_allFindings;
    EmptyState *m_noFindings;
};

}  // namespace sonde::ui
