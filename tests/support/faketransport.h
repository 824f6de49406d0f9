// A transport that a test plays the server of, in the same process and without waiting.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/transport/transport.h"

#include <QStringList>

namespace sonde::test {

// Read as a script: inject() what the server says, expectSent() what Sonde must say, sendsNothing() where it must be
// silent. Everything goes through the taps of the base class, so a recorder sees it as it would see a real server.
class FakeTransport : public Transport {
    Q_OBJECT
public:
    explicit FakeTransport(QObject *parent = nullptr);

    // Opening: open() comes to opened() in the next turn, unless it was told to hold or to fail.
    void open() override;
    void close() override;
    void openNow();
    void holdOpening() { m_holdsOpening = true; }
    void finishOpening();
    void failOpening(const Error &error) { m_openingError = error; }

    // The server speaks.
    void inject(const QByteArray &bytes, const RequestId &carrier = {});
    void response(const Message &request, const QByteArray &result = QByteArrayLiteral("{}"));
    void responseError(const Message &request, int code, const QString &text, const QByteArray &data = {});

    // The connection fails.
    void closeWithError(const Error &error);
    void failMessage(const RequestId &id, const Error &error);
    void refuseToSend(const Error &error) { m_sendError = error; }  // an empty Error: takes messages again
    bool namesCarriers() const override { return m_namesCarriers; }
    void setNamesCarriers() { m_namesCarriers = true; }
    void setProcessId(qint64 id) { m_processId = id; }
    void setStderrTail(const QStringList &lines) { m_stderrTail = lines; }
    // close() stays in Closing until closeWithError().
    void holdClosing() { m_holdsClosing = true; }

    // Sonde speaks. expectSent() waits for the oldest message that was not taken yet; when that is of another method,
    // or nothing comes, it says so and returns an Invalid message. takeSent() does not wait.
    Message expectSent(QStringView method);
    Message takeSent();
    int sentCount() const { return int(m_sent.size()); }
    // True when everything that was sent has been taken, also after all pending events were handled.
    bool sendsNothing();

    // What happened to the transport, in order: "open", "send METHOD", "revision 2025-06-18", "ready", "close".
    const QStringList &history() const { return m_history; }

    void setRevision(Revision revision) override;
    void sessionReady() override;
    QString name() const override { return QStringLiteral("fake"); }
    QStringList stderrTail() const override { return m_stderrTail; }
    qint64 processId() const override { return m_processId; }

protected:
    Error write(const Message &message, const OutgoingHeaders &headers) override;

private:
    QList<Message> m_sent;
    QStringList m_history;
    QStringList m_stderrTail;
    Error m_sendError;
    Error m_openingError;
    qint64 m_processId = 0;
    bool m_namesCarriers = false;
    bool m_holdsOpening = false;
    bool m_holdsClosing = false;
};

}  // namespace sonde::test
