// The demo server on standard input and output: one message a line.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/common/standardinput.h"
#include "app/demo/session.h"
#include "app/demo/statelessconversation.h"

namespace sonde::demo {

class StdioServer : public QObject {
    Q_OBJECT
public:
    StdioServer(const Options &options, const Offer &offer, QObject *parent = nullptr);

    void start();

private:
    void receive(const QByteArray &line);
    void writeLine(const QByteArray &line);

    Options m_options;
    ServerState m_state;
    Session m_session;
    StatelessConversation m_stateless;
    app::StandardInput m_input;
};

}  // namespace sonde::demo
