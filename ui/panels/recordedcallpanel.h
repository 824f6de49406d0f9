// A tab with the recorded calls of a tool, resource or prompt: nothing in it needs a server.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/panels/recordedoffers.h"

#include <QWidget>

class QMenu;
class QSplitter;
class QTableWidget;
class QToolButton;

namespace sonde::ui {

class CollapsibleText;
class EmptyState;
class JsonTreeView;
class ResultView;
class SubjectHead;
class TextLabel;

// Arguments and results as they were recorded; nothing can be edited. Stays as it is when the session is closed, or
// read again, until it has the offers of that.
class RecordedCallPanel : public QWidget {
    Q_OBJECT
public:
    RecordedCallPanel(const OfferRef &ref, RecordedOffers *offers, QWidget *parent = nullptr);

    const OfferRef &ref() const { return m_ref; }
    const RecordedOffers *offers() const { return m_offers; }  // null: they are gone
    void setOffers(RecordedOffers *offers);
    QString name() const { return m_name; }
    ResultView *result() const { return m_result; }
    QByteArray arguments() const;  // of the call that is shown; JSON. Empty until they are read
    void focusCalls();
    // Of the session: the request of the call that is shown; -1: none. To be selected as soon as the calls are read.
    qsizetype row() const;
    void select(qsizetype row);

Q_SIGNALS:
    void renamed();                    // its name is known now
    void rowRequested(qsizetype row);  // of the session, to be shown in the timeline
    // The menu of servers on which the shown call can be made again is about to be shown. It is empty.
    void serversRequested(QMenu *menu);

private:
    QWidget *makeHead();
    QWidget *makeCalls();
    void showOffer();
    void fill();
    void showCall();
    void showRead(const RecordedCall &call, const Message &request, const Message &response);
    void showOutcome(const RecordedCall &call, const Message &response);
    const RecordedCall *current() const;

    const OfferRef m_ref;
    QPointer<RecordedOffers> m_offers;
    QString m_name;
    qsizetype m_wantedRow = -1;
    SubjectHead *m_head;
    TextLabel *m_when;
    CollapsibleText *m_description;
    QList<RecordedCall> m_calls;
    json::Value m_params;  // of the call that is shown
    QPointer<QObject> m_reading;
    QTableWidget *m_table;
    JsonTreeView *m_arguments;
    ResultView *m_result;
    EmptyState *m_empty;
    QSplitter *m_sides;
    QToolButton *m_again;
    QToolButton *m_show;
};

}  // namespace sonde::ui
