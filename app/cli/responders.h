// Who responds to requests of the server: a file, the user, the folders of --roots, or nobody. Whatever a verb does,
// this is where it is decided what is declared to the server, which may offer other tools accordingly.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/askedresponses.h"
#include "app/cli/responses.h"
#include "app/common/optiontable.h"
#include "core/connection/connection.h"

#include <memory>

namespace sonde::cli {

struct ResponseOptions {
    QString path;       // of a file, "-" for standard input; "ask": the user; empty: nobody
    QStringList roots;  // folders, absolute

    QList<app::Option> rows();
    bool readsStandardInput() const;
};

class Responders : public QObject {
    Q_OBJECT
public:
    // spec: its roots are declared unless there are others in the options.
    Responders(const ResponseOptions &options, const ServerSpec &spec, Output &output);
    // The same without options, of a verb that calls nothing: what the server asks for is declined silently.
    explicit Responders(const ServerSpec &spec);
    ~Responders() override;

    Error load();                     // of --responses; an Error says what is wrong with the file
    QByteArray capabilities() const;  // what is declared to the server: a JSON object
    void attach(Connection *connection);

private:
    void respond(InputRequest *request);

    void note(const QString &text) const;

    const ResponseOptions m_options;
    Output *m_output;                            // null: nothing is said
    QList<std::pair<QString, QString>> m_roots;  // as in ServerSpec
    Responses m_prepared;
    std::unique_ptr<AskedResponses> m_asked;
    Connection *m_connection = nullptr;
};

}  // namespace sonde::cli
