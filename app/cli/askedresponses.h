// Responses to requests of the server that the user enters on the terminal.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/output.h"
#include "app/common/standardinput.h"
#include "core/client/inputrequest.h"
#include "core/schema/schema.h"

#include <QObject>
#include <QPointer>

namespace sonde::cli {

// One request after the other, line by line: questions on standard error, responses from standard input, without
// stopping the event loop. At the end of the input everything is declined.
class AskedResponses : public QObject {
    Q_OBJECT
public:
    explicit AskedResponses(Output &output);

    void ask(InputRequest *request);

private:
    enum class Step { Action, Field, SampledText };

    void next();
    void introduce();
    void onEnded(const QByteArray &rest);
    void declineUnread();
    void onLine(const QByteArray &bytes);
    void onAction(const QString &line);
    void onField(const QString &line);
    bool isRequired(const json::Value &field) const;
    QString problemOfField(const json::Value &field, const QByteArray &value) const;  // empty value: omitted
    void askField();
    void send(const QByteArray &result);
    void sendContent();

    Output &m_output;
    app::StandardInput m_input;
    bool m_hasEnded = false;
    QList<QPointer<InputRequest>> m_requests;  // the first is the one being asked
    Step m_step = Step::Action;
    schema::Schema m_schema;
    QList<json::Value> m_fields;
    qsizetype m_field = 0;
    QList<std::pair<QString, QByteArray>> m_content;
};

}  // namespace sonde::cli
