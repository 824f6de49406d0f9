// How severe a log message must be for one server to send it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>
#include <QPointer>
#include <QStringList>

namespace sonde {

class Call;
class Connection;

// Belongs to a Connection, and is kept over its restarts. In the stateful revisions the server is told at once and at
// each start; in 2026-07-28 each request says it.
class LogLevelChoice : public QObject {
    Q_OBJECT
public:
    explicit LogLevelChoice(Connection *connection);

    static const QStringList &all();  // the least severe first

    bool isOffered() const;                               // the server is connected and can be told
    bool isPerRequest() const;                            // by each request, as in 2026-07-28
    const QString &level() const { return m_level; }      // empty: none chosen
    const QString &sent() const { return m_sent; }        // to the server at this start; empty: nothing
    const QString &problem() const { return m_problem; }  // why the server did not accept it, a sentence
    void choose(const QString &level);                    // one of all(), or empty

    void begin();  // the server is connected: for the Connection only

Q_SIGNALS:
    void changed();

private:
    void send();

    Connection *m_connection;
    QPointer<Call> m_call;
    QString m_level;
    QString m_sent;
    QString m_problem;
};

}  // namespace sonde
