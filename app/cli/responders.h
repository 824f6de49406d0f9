// Who responds to requests of the server: a file, the user, the folders of --roots, or nobody.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/askedresponses.h"
#include "app/cli/responses.h"
#include "core/connection/connection.h"

#include <memory>

namespace sonde::cli {

class Responders : public QObject {
    Q_OBJECT
public:
    // spec: its roots are declared unless there are others in the arguments.
    Responders(const Arguments &arguments, const ServerSpec &spec, Output &output);
    ~Responders() override;

    Error load();                     // of --responses; an Error says what is wrong with the file
    QByteArray capabilities() const;  // what is declared to the server: a JSON object
    void attach(Connection *connection);

private:
    void respond(InputRequest *request);

    const Arguments m_arguments;
    Output &m_output;
    QList<std::pair<QString, QString>> m_roots;  // as in ServerSpec
    Responses m_prepared;
    std::unique_ptr<AskedResponses> m_asked;
    Connection *m_connection = nullptr;
};

}  // namespace sonde::cli
