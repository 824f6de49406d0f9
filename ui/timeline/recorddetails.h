// The record that is selected in the timeline: as a tree, as its exact bytes, and what else is known about it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/document.h"
#include "core/session/session.h"

#include <QPointer>
#include <QWidget>

class QSplitter;
class QStackedWidget;
class QToolButton;

namespace sonde::ui {

class EmptyState;
class FindingsList;
class JsonTreeView;
class SegmentedControl;
class TextView;

// Of an exchange both halves can be seen, whichever is selected. Large records are parsed on a worker.
class RecordDetails : public QWidget {
    Q_OBJECT
public:
    explicit RecordDetails(QWidget *parent = nullptr);

    void setSession(Session *session, bool canSend);
    // preferAnswer: of a request that has been answered, show the answer first.
    void showRow(qsizetype row, bool preferAnswer);
    void refresh();
    // The message from us that the record is, or answers; -1 when there is none.
    qsizetype sendableRow() const;
    bool canSend() const { return m_canSend; }
    QByteArray saveState() const;
    void restoreState(const QByteArray &state);

Q_SIGNALS:
    void sendRequested(const QByteArray &message);
    void editAndSendRequested(const QByteArray &message);

private:
    struct Loaded {
        json::Document document;
        QByteArray shown;  // the bytes, or hex lines when they are no text
        bool isText = true;
    };
    static Loaded load(const QByteArray &bytes, bool isJson);
    void layOut();
    void choose(int segment);
    void showRecord(qsizetype row);
    void show(const Loaded &loaded, qsizetype row);
    void clear();

    QPointer<Session> m_session;
    bool m_canSend = false;
    qsizetype m_row = -1;
    qsizetype m_request = -1;
    qsizetype m_answer = -1;
    int m_generation = 0;
    bool m_choosing = false;

    SegmentedControl *m_segments;
    QToolButton *m_send;
    QToolButton *m_edit;
    FindingsList *m_findings;
    QStackedWidget *m_pages;
    EmptyState *m_empty;
    QSplitter *m_splitter;
    JsonTreeView *m_tree;
    TextView *m_raw;
    TextView *m_facts;
};

}  // namespace sonde::ui
