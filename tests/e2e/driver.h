// A connection, used step by step by a test.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/connection/connection.h"

#include <functional>

namespace sonde::test {

class Driver {
public:
    explicit Driver(const ServerSpec &spec, const ConnectionOptions &options = {});

    Connection &connection() { return m_connection; }
    Catalog &catalog() { return *m_connection.catalog(); }
    const Session &session() const { return *m_connection.session(); }

    // True when it is connected and every list on offer was read or failed. Returns at once when it cannot connect.
    bool open();
    // The same without the lists, for who asks for them itself.
    bool openOnly();
    bool close();
    // The call's end. Calls end by themselves; the guard is for the day they do not.
    Outcome run(Call *call);
    Outcome callTool(const QString &name, const QByteArray &arguments);
    // Waits until it holds, at most thirty seconds.
    bool waitUntil(const std::function<bool()> &holds);

    bool hasRecord(WireEvent::Kind kind, const QByteArray &text = {}) const;
    // Evidence for a failed check: why it is not connected, and the server's last words.
    QByteArray describe() const;

private:
    bool isSettled();
    Connection m_connection;
};

// What a result says, as one text.
QString textOf(const Outcome &outcome);

// Both kinds of specs are of 2025-11-25: what tests count and compare is not to depend on how the era is found out.
ServerSpec demoServer(const QStringList &switches = {});

// A server over HTTP that a test starts itself; its address is read from standard error.
class HttpProcess {
public:
    HttpProcess(const QString &program, const QStringList &arguments, const QByteArray &before, const QString &address);
    ~HttpProcess();
    HttpProcess(const HttpProcess &) = delete;
    HttpProcess &operator=(const HttpProcess &) = delete;

    bool isListening() const { return !m_url.isEmpty(); }
    ServerSpec spec() const;
    static std::unique_ptr<HttpProcess> demo(const QStringList &switches = {});

private:
    class Private;
    std::unique_ptr<Private> d;
    QUrl m_url;
};

}  // namespace sonde::test
