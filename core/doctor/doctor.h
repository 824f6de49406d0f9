// Examines a server that did not come up, or that did, step by step.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/connection/connection.h"
#include "core/doctor/doctorline.h"

#include <QPointer>
#include <memory>

namespace sonde {

class Examination;

// Begins with what the last start of the connection has shown: its steps, its error, its session. Then it looks
// further, without waiting for anything on the event loop: for the program in the login shell's PATH, at the first line
// of a script, at the version of the runtime, at the host's name and certificate. Nothing runs but the program that was
// named, a runtime with --version and the person's own shell; no host is contacted but the one in the URL, through the
// server's own proxy and with its certificates. Of a server that was not approved nothing is run or contacted. Ends
// without a signal when the connection goes.
class Doctor : public QObject {
    Q_OBJECT
public:
    explicit Doctor(Connection *connection, QObject *parent = nullptr);
    ~Doctor() override;

    // Anew. When the start is over; before that nothing is known.
    void examine();

    const QList<DoctorLine> &lines() const { return m_report.lines; }
    const DoctorLine *firstFailure() const { return m_report.firstFailure(); }
    bool isFinished() const;
    bool hadHandshake() const;
    // What is known beyond the error of the connection.
    QString explanation() const;
    Remedy remedy() const;  // of the first failure
    // The fingerprint of the certificate that was not trusted; empty: there was none.
    const QString &refusedCertificate() const { return m_report.refusedCertificate; }
    // The end of what it wrote to standard error, or the beginning of what it answered; empty: nothing.
    QString written() const;

Q_SIGNALS:
    void changed();
    void finished();

private:
    QPointer<Connection> m_connection;
    std::unique_ptr<Examination> m_examination;
    DoctorReport m_report;
    Error m_error;  // of the connection, when it was examined
    bool m_isProcess = false;
};

}  // namespace sonde
