// What the server of a recorded session offered, and its calls.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/calls/recordedcalls.h"
#include "ui/panels/offermodel.h"

#include <QHash>
#include <QObject>
#include <QPointer>

namespace sonde::ui {

// Read by a worker once all of the session is there. GUI thread.
class RecordedOffers : public QObject {
    Q_OBJECT
public:
    explicit RecordedOffers(Session *session, QObject *parent = nullptr);  // the session outlives it, or is null later

    Session *session() const { return m_session; }
    Catalog *catalog() { return &m_catalog; }  // empty until it is read
    bool isRead() const { return m_isRead; }
    QList<RecordedCall> callsOf(const OfferRef &ref) const;  // in their order

Q_SIGNALS:
    void read();

private:
    void start();

    QPointer<Session> m_session;
    Catalog m_catalog;
    QHash<std::pair<QString, QString>, QList<RecordedCall>> m_calls;  // by method and target
    bool m_isRead = false;
};

}  // namespace sonde::ui
