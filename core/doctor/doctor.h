// Examines a server that did not come up, or that did, step by step.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/connection/connection.h"
#include "core/doctor/doctorline.h"
#include "core/transport/network.h"

#include <QElapsedTimer>
#include <QPointer>

class QSslSocket;

namespace sonde {

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

    const QList<DoctorLine> &lines() const { return m_lines; }
    const DoctorLine *line(DoctorLine::Kind kind) const;  // null where there is none of it
    const DoctorLine *firstFailure() const;               // null where nothing failed
    bool isFinished() const { return m_open == 0; }
    bool hadHandshake() const;
    // What failed in a sentence, and what is known beyond it.
    QString reason() const;
    QString explanation() const;
    Remedy remedy() const;  // of the first failure
    // The fingerprint of the certificate that was not trusted; empty: there was none.
    const QString &refusedCertificate() const { return m_refusedCertificate; }
    // The end of what it wrote to standard error, or the beginning of what it answered; empty: nothing.
    QString written() const;

Q_SIGNALS:
    void changed();
    void finished();

private:
    DoctorLine &at(DoctorLine::Kind kind);
    void settle(DoctorLine::Kind kind, DoctorLine::State state, const QString &text = {});
    void begin(DoctorLine::Kind kind, const QString &text);
    void end();
    void announce();

    // doctorprocess.cpp
    void examineProcess();
    void examineProgram();
    void askLoginShell(DoctorLine::Kind kind, const QString &program);
    void examineRuntime(const QString &program);
    void examineBinary(const QString &program);
    void runVersion(const QString &program);
    void judgeRuntime(const QString &name, const QString &version);
    bool wasOpened() const;
    void examineStart();
    // doctoraddress.cpp
    void examineAddress();
    void examineRoute();
    void examineHost(const http::Network &network);
    void examineNetwork(const http::Network &network);
    void onNetworkFailed(Remedy unreached);
    void onTlsFound();
    void onNetworkEnded();
    void examineResponses();

    bool wasRefused() const;
    void examineHandshake();
    void examineLists();
    void markUnreached();

    QPointer<Connection> m_connection;
    ServerSpec m_spec;
    Error m_error;
    QList<DoctorLine> m_lines;
    int m_open = 0;                      // examinations that go on
    std::unique_ptr<QObject> m_context;  // of what goes on
    QSslSocket *m_socket = nullptr;
    QElapsedTimer m_clock;
    QString m_refusedCertificate;
    QString m_said;  // of a process: why it failed, in its own words
};

}  // namespace sonde
