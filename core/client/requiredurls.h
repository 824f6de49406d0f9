// What a person has to open in a browser before a call can succeed.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/client/inputrequest.h"

#include <QObject>
#include <QPointer>

namespace sonde {

struct Outcome;

// Out of an error -32042 (2025-11-25, client/elicitation, "URL Elicitation Required Error"). Each elicitation in it
// becomes an InputRequest like those of the server, but what is responded goes nowhere: it is kept here. Deleting this
// ends those that are open as Done. Lives on the client's thread.
class RequiredUrls : public QObject, private InputResponder {
    Q_OBJECT
public:
    enum class State { Open, Accepted, Refused, Completed, Lost };
    struct Entry {
        QString id;  // its elicitationId
        QString url;
        State state = State::Open;
        QPointer<InputRequest> request;
    };

    static constexpr qsizetype MaxEntries = 20;

    static bool areIn(const Outcome &outcome);
    RequiredUrls(Client *client, const Outcome &outcome);
    ~RequiredUrls() override;

    const QList<Entry> &entries() const { return m_entries; }
    void complete(const QString &id);  // the server says so
    void lose();                       // the connection is gone

Q_SIGNALS:
    void changed();

private:
    Error respond(InputRequest *request, const QByteArray &result) override;
    Error refuse(InputRequest *request, int code, const QString &text, const QByteArray &data) override;
    void setState(const InputRequest *request, State state);

    QList<Entry> m_entries;
};

}  // namespace sonde
