// What a server suggests for an argument of a prompt or of a resource template, while it is being typed.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/client/call.h"

#include <QObject>
#include <QPointer>
#include <QStringList>
#include <QTimer>
#include <chrono>

namespace sonde {

class Connection;

// Spec: server/utilities/completion. Asks once nothing has been typed for a moment, and only for the latest text: what
// is still on its way for an earlier one is cancelled. Errors stay silent, since nobody waits for suggestions; they are
// in the recording like everything else.
class ArgumentCompletion : public QObject {
    Q_OBJECT
public:
    struct Reference {
        enum class Kind { Prompt, ResourceTemplate };
        Kind kind = Kind::Prompt;
        QString key;  // the name of the prompt, the URI template
    };
    struct Suggestions {
        QString argument;
        QString text;  // that was completed
        QStringList values;
        // How many there are in all, where the server says so; it sends 100 at most.
        std::optional<qint64> total;
        bool hasMore = false;
    };
    static constexpr qsizetype MaxValues = 100;

    ArgumentCompletion(Connection *connection, Reference reference, QObject *parent = nullptr);
    ~ArgumentCompletion() override;

    void setDelay(std::chrono::milliseconds delay) { m_delay.setInterval(delay); }
    // Whether the server declares completions. Until 2025-03-26 there was no way to, so such a one is asked until it
    // says that it does not know the method.
    bool isOffered() const;
    // others: a JSON object of the arguments that are filled in.
    void complete(const QString &argument, const QString &text, const QByteArray &others);
    void completeNow(const QString &argument, const QString &text, const QByteArray &others);  // without the pause
    void stop();

Q_SIGNALS:
    void suggested(const sonde::ArgumentCompletion::Suggestions &suggestions);

private:
    void ask();
    QByteArray params() const;
    void onFinished(const Outcome &outcome);

    const QPointer<Connection> m_connection;
    const Reference m_reference;
    QTimer m_delay;
    QString m_argument;
    QString m_text;
    QByteArray m_others;
    QPointer<Call> m_call;
    bool m_isUnknown = false;  // the server does not know the method
};

}  // namespace sonde
