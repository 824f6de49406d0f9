// sonde-cli subscribe and log-level: what a server sends by itself, printed as it comes.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/verb.h"

#include "core/protocol/methods.h"
#include "core/protocol/visibletext.h"

#include <QTimer>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace sonde::cli {
namespace {

// Ends after --for, or with Ctrl+C, which is an ordinary end here.
class Watch : public Verb {
public:
    using Verb::Verb;

    void start(Connection *connection) override
    {
        const QString revision = connection->serverInfo().protocolVersion;
        if (const auto known = revisionFromString(revision); known && statelessRevisions().contains(*known)) {
            output().note(u"sonde-cli: "_s +
                          tr("revision %1 has no %2; use --revision 2025-11-25").arg(revision, firstMethod()));
            end(ExitCode::WrongUse);
            return;
        }
        connect(connection, &Connection::notified, this, [this](const Message &notification) {
            if (!m_hasEnded)
                onNotified(notification);
        });
        begin(connection);
    }

    bool cancel() override
    {
        if (!m_isWatching)
            return Verb::cancel();
        end(endOfTime());
        return true;
    }

protected:
    virtual QString firstMethod() const = 0;
    virtual void begin(Connection *connection) = 0;
    virtual void onNotified(const Message &notification) = 0;
    virtual ExitCode endOfTime() const { return ExitCode::Ok; }

    void watch(const QString &what)
    {
        m_isWatching = true;
        output().note(arguments().duration ? what : what + u' ' + tr("Press Ctrl+C to stop."));
        if (arguments().duration)
            QTimer::singleShot(*arguments().duration, this, [this] { end(endOfTime()); });
    }

    bool isWatching() const { return m_isWatching; }
    bool hasEnded() const { return m_hasEnded; }
    void end(ExitCode code)
    {
        if (!std::exchange(m_hasEnded, true))
            Q_EMIT finished(code);
    }
    void fail(const Outcome &outcome)
    {
        if (!std::exchange(m_hasEnded, true))
            conclude(outcome, [&] { output().value(outcome.result()); });
    }

private:
    bool m_isWatching = false;
    bool m_hasEnded = false;
};

class LogLevel final : public Watch {
public:
    using Watch::Watch;

private:
    QString firstMethod() const override { return methods::SetLogLevel.toString(); }

    void begin(Connection *connection) override
    {
        const QByteArray params = json::Builder().beginObject().member(u"level", arguments().target).endObject().take();
        follow(connection->request(methods::SetLogLevel, params), [this](const Outcome &outcome) {
            if (outcome.kind == Outcome::Kind::Ok)
                watch(tr("Log level set to %1.").arg(arguments().target));
            else
                fail(outcome);
        });
    }

    void onNotified(const Message &notification) override
    {
        if (notification.method() != methods::LogMessage)
            return;
        if (output().isJson())
            output().printJson(json::compact(notification.params()));
        else
            output().line(logLine(notification));
    }
};

class Subscribe final : public Watch {
public:
    using Watch::Watch;

private:
    QString firstMethod() const override { return methods::Subscribe.toString(); }

    void begin(Connection *connection) override
    {
        m_connection = connection;
        if (!connection->serverInfo().capabilities[u"resources"][u"subscribe"].toBool())
            output().note(tr("The server does not declare subscriptions; it is asked anyway."));
        subscribeNext();
    }

    void subscribeNext()
    {
        if (m_subscribed == arguments().uris.size()) {
            watch(tr("Subscribed."));
            readNext();
            return;
        }
        const QByteArray params =
            json::Builder().beginObject().member(u"uri", arguments().uris.at(m_subscribed++)).endObject().take();
        follow(m_connection->request(methods::Subscribe, params), [this](const Outcome &outcome) {
            if (outcome.kind == Outcome::Kind::Ok && !hasEnded())
                subscribeNext();
            else
                fail(outcome);
        });
    }

    // Updates that come faster than the resource can be read are one.
    void onNotified(const Message &notification) override
    {
        const QString uri = notification.params()[u"uri"].string();
        if (notification.method() != methods::ResourceUpdated || m_updated.contains(uri))
            return;
        m_updated.append(uri);
        readNext();
    }

    void readNext()
    {
        if (!isWatching() || isWaiting() || m_updated.isEmpty() || hasEnded())
            return;
        const QString uri = m_updated.takeFirst();
        follow(m_connection->readResource(uri), [this, uri](const Outcome &outcome) {
            if (hasEnded())
                return;
            if (outcome.kind == Outcome::Kind::NoResponse) {
                fail(outcome);
                return;
            }
            print(uri, outcome);
            m_worst = std::max(m_worst, exitCodeFor(outcome.kind));
            if (++m_printed == arguments().count)
                end(m_worst);
            else
                QMetaObject::invokeMethod(this, &Subscribe::readNext, Qt::QueuedConnection);
        });
    }

    void print(const QString &uri, const Outcome &outcome)
    {
        if (output().isJson()) {
            output().outcome(outcome);
        } else if (outcome.kind == Outcome::Kind::ProtocolError) {
            output().note(tr("%1 was updated, but could not be read.").arg(visibleLine(uri)));
            output().failure(outcome.error);
        } else {
            for (const json::Value &each : outcome.result()[u"contents"])
                output().content(readResourceContents(each));
        }
        output().findings(outcome.findings);
    }

    ExitCode endOfTime() const override { return m_printed < arguments().count ? ExitCode::NoResponse : m_worst; }

    Connection *m_connection = nullptr;
    qsizetype m_subscribed = 0;
    QStringList m_updated;  // to be read
    int m_printed = 0;
    ExitCode m_worst = ExitCode::Ok;
};

}  // namespace

std::unique_ptr<Verb> makeSubscribe(const Arguments &arguments, Output &output)
{
    return std::make_unique<Subscribe>(arguments, output);
}

std::unique_ptr<Verb> makeLogLevel(const Arguments &arguments, Output &output)
{
    return std::make_unique<LogLevel>(arguments, output);
}

}  // namespace sonde::cli
