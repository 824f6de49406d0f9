// What the context menus of a result have in common.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/client/call.h"

#include <QObject>
#include <QString>

class QMenu;
class QWidget;

namespace sonde::ui {

// What a menu was opened on.
struct MenuPlace {
    json::Value value;  // of the message, or of JSON in a string of it. Missing: none
    json::Value text;   // the string of the message that this JSON was read from
    QString words;      // that are selected
    QString uri;        // of a resource
};

// Every view makes the menu of what it shows, with entries that copy it. This adds the entries about the whole result
// behind them, and filters of the timeline.
class ResultMenus : public QObject {
    Q_OBJECT
public:
    explicit ResultMenus(QWidget *result);
    void setOutcome(const Outcome &outcome) { m_outcome = outcome; }
    void complete(QMenu *menu, const MenuPlace &place = {});

Q_SIGNALS:
    void timelineFilterRequested(const QString &filter);
    // See ResultView.
    void valueMenuRequested(QMenu *menu, const sonde::json::Value &value, const QString &pointer);

private:
    void addFilters(QMenu *menu, const MenuPlace &place);
    bool isOfMessage(const json::Value &value) const;
    QString pointerInResult(const MenuPlace &place) const;

    QWidget *m_result;
    Outcome m_outcome;
};

}  // namespace sonde::ui
