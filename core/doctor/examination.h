// One examination of a server after one start of it; each kind of server has its own.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/connection/connection.h"
#include "core/doctor/doctorline.h"

#include <QObject>

namespace sonde {

// Its destruction cancels what it still waits for, also within changed(). GUI thread.
class Examination : public QObject {
    Q_OBJECT
public:
    // Fills in the report, some of it later.
    void start();
    bool isFinished() const { return m_open == 0; }

Q_SIGNALS:
    void changed();  // the report

protected:
    Examination(Connection *connection, DoctorReport *report);  // both outlive it

    virtual QList<DoctorLine::Kind> kinds() const = 0;
    virtual void examine() = 0;  // what can be said of a description without problems

    Connection &connection() const { return *m_connection; }
    const ServerSpec &spec() const { return m_spec; }  // as the examination began, like error()
    const Error &error() const { return m_error; }
    DoctorReport &report() const { return *m_report; }
    DoctorLine &at(DoctorLine::Kind kind) const;
    void settle(DoctorLine::Kind kind, Step::State state, const QString &text = {}) const;
    // For something that ends later, with end(): the last call of its slot, since it may delete this.
    void begin();
    void begin(DoctorLine::Kind kind, const QString &text);
    void end();

private:
    bool wasRefused() const;
    void examineHandshake();
    void examineLists();

    Connection *const m_connection;
    DoctorReport *const m_report;
    const ServerSpec m_spec;
    const Error m_error;
    int m_open = 0;  // what goes on
};

// Whether the server has told of itself, also where the connection has ended since.
bool hadHandshake(const Connection &connection);

}  // namespace sonde
