// sonde-cli subscribe and log-level: what a server sends by itself, printed as it comes.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/recordedlists.h"
#include "app/cli/run.h"
#include "app/cli/serververb.h"
#include "app/cli/standardoutput.h"
#include "app/cli/verbs.h"

#include "core/connection/loglevelchoice.h"
#include "core/connection/subscriptions.h"
#include "core/protocol/methods.h"
#include "core/protocol/visibletext.h"

#include <QTimer>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace sonde::cli {
namespace {

// Ends after --for, or with Ctrl+C, which is an ordinary end here.
class Watch : public ServerVerb {
public:
    void begin(Connection *connection) override
    {
        m_connection = connection;
        connect(connection, &Connection::notified, this, [this](const Message &notification) {
            if (m_hasEnded)
                return;
            onNotified(notification);
            endIfUnwritable();
        });
        ask(connection);
    }

    bool cancel() override
    {
        if (!m_isWatching)
            return ServerVerb::cancel();
        const ExitCode code = endOfTime();
        const bool isOrdinary = run().interruption() == app::Interruption::Interrupt && code != ExitCode::NoResponse;
        end(isOrdinary ? code : exitCodeFor(*run().interruption()));
        return true;
    }

protected:
    virtual void ask(Connection *connection) = 0;
    virtual void onNotified(const Message &) {}
    virtual ExitCode endOfTime() const { return ExitCode::Ok; }

    app::Option durationRow()
    {
        return {u"--for SECONDS"_s, tr("stop after this time (default: run until Ctrl+C)"), &m_duration};
    }

    void watch(const QString &what)
    {
        m_isWatching = true;
        output().note(m_duration ? what : what + u' ' + tr("Press Ctrl+C to stop."));
        if (m_duration)
            QTimer::singleShot(*m_duration, this, [this] { end(endOfTime()); });
    }

    Connection *connection() const { return m_connection; }
    bool isWatching() const { return m_isWatching; }
    bool hasEnded() const { return m_hasEnded; }
    void end(ExitCode code)
    {
        if (std::exchange(m_hasEnded, true))
            return;
        output().findings(connectionFindings());
        Q_EMIT done(code);
    }
    // Nobody reads what would be printed.
    void endIfUnwritable()
    {
        if (standardoutput::hasFailed())
            end(ExitCode::NoResponse);
    }
    void fail(const Outcome &outcome)
    {
        if (!std::exchange(m_hasEnded, true))
            conclude(outcome, [&] { output().value(outcome.result()); });
    }

private:
    std::optional<std::chrono::milliseconds> m_duration;
    Connection *m_connection = nullptr;
    bool m_isWatching = false;
    bool m_hasEnded = false;
};

class LogLevel final : public Watch {
public:
    void declare(app::OptionTable &table) override
    {
        table.summary = tr("print a server's log messages");
        table.details =
            tr("Sets the minimum level of the server's log messages and prints them until Ctrl+C. In revision "
               "2026-07-28 the level is sent with each request instead: log-level then ends at once and is useful only "
               "in a script, with --verbose.");
        table.operands = {{u"LEVEL"_s, tr("a log level: one of %1").arg(LogLevelChoice::all().join(u", "_s)), &m_level,
                           tr("one of %1").arg(LogLevelChoice::all().join(u", "_s)),
                           app::Completion::of(LogLevelChoice::all())}};
        table.sections = {{tr("Options"), {durationRow()}}};
        table.examples = {u"log-level debug --for 60 --url https://example.com/mcp"_s,
                          u"log-level warning --server mine"_s};
        table.notes =
            exitCodesText({{ExitCode::Interrupted, tr("interrupted by Ctrl+C (SIGINT) before the level was set")}});
    }

    QString ownProblem() const override
    {
        return LogLevelChoice::all().contains(m_level)
                   ? QString()
                   : tr("unknown log level '%1'; use one of %2").arg(m_level, LogLevelChoice::all().join(u", "_s));
    }

    void showLogMessage(const Message &) override {}  // printed anyway

private:
    void ask(Connection *connection) override
    {
        if (connection->logLevel()->isPerRequest()) {
            connection->logLevel()->choose(m_level);
            output().note(tr("Log level %1 is sent with each request. In revision %2 log messages come only while a "
                             "request runs: use log-level in a script, with --verbose.")
                              .arg(m_level, connection->serverInfo().protocolVersion));
            end(ExitCode::Ok);
            return;
        }
        const QByteArray params = json::Builder().beginObject().member(u"level", m_level).endObject().take();
        follow(connection->request(methods::SetLogLevel, params), [this](const Outcome &outcome) {
            if (outcome.kind == Outcome::Kind::Ok)
                watch(tr("Log level set to %1.").arg(m_level));
            else
                fail(outcome);
        });
    }

    void onNotified(const Message &notification) override
    {
        if (notification.method() != methods::LogMessage)
            return;
        output().beginEvent();
        if (output().isJson())
            output().result(json::compact(notification.params()));
        else
            output().line(logLine(notification));
        output().endPart(ExitCode::Ok);
    }

    QString m_level;
};

class Subscribe final : public Watch {
public:
    void declare(app::OptionTable &table) override
    {
        table.summary = tr("print resources each time they are updated");
        table.details = tr(
            "Subscribes to resources and prints each one whenever the server says that it was updated, until Ctrl+C. "
            "Updates that arrive while a resource is being read count as one. In revision 2026-07-28, one stream "
            "carries all subscriptions. It is reopened when it is lost, and the verb ends when the server ends it. "
            "Resources that the server does not accept are named on standard error.");
        table.operands = {
            {u"URI…"_s, tr("the URI of a resource"), &m_options.uris, {}, app::Completion::of(recordedResources)}};
        table.sections = {
            {tr("Options"),
             {{u"--count N"_s, tr("stop after N updates"), app::countInto(&m_options.count, tr("updates"))},
              durationRow()}}};
        table.examples = {u"subscribe demo://clock --count 3 -- sonde-demo-server"_s,
                          u"subscribe file:///config.json --for 600 --json --server mine"_s};
        table.notes = exitCodesText({{ExitCode::Interrupted, tr("interrupted by Ctrl+C (SIGINT) before the "
                                                                "subscription, or before N updates with --count")}});
    }

    bool savesContent() const override { return true; }

private:
    void ask(Connection *connection) override
    {
        Subscriptions *subscriptions = connection->subscriptions();
        if (!subscriptions->canSubscribe())
            output().note(tr("The server does not declare subscriptions; subscribing anyway."));
        if (const auto timeout = connection->options().callOptions.timeout; timeout.count() > 0)
            subscriptions->setAcknowledgementTimeout(timeout);
        connect(subscriptions, &Subscriptions::changed, this, &Subscribe::look);
        connect(subscriptions, &Subscriptions::updated, this,
                [this](const QString &uri, const QString &changedUri) { onUpdated(uri, changedUri); });
        connect(subscriptions, &Subscriptions::resumed, this, [this](const QString &uri) {
            if (isOwn(uri))
                output().note(tr("Subscribed to %1 again. Updates may have been missed.").arg(visibleLine(uri)));
        });
        for (const QString &uri : m_options.uris)
            subscriptions->subscribe(uri);
    }

    bool isOwn(const QString &uri) const { return m_options.uris.contains(uri); }

    // What became of the subscriptions.
    void look()
    {
        using State = Subscriptions::State;
        if (hasEnded())
            return;
        const Subscriptions &subscriptions = *connection()->subscriptions();
        const auto count = [&](State state) {
            return std::count_if(m_options.uris.begin(), m_options.uris.end(),
                                 [&](const QString &uri) { return subscriptions.stateOf(uri) == state; });
        };
        if (isWatching()) {
            tellOfLoss(count(State::Lost) > 0);
            const bool isRevoked = count(State::Active) == 0 && count(State::Refused) > 0;
            if ((!isRevoked && count(State::Ended) == 0) || std::exchange(m_isEnding, true))
                return;
            if (isRevoked)
                m_problem = subscriptions.problemOf(m_options.uris.constFirst());
            else
                output().note(tr("The server ended the subscription."));
            readNext();
        } else if (count(State::Refused) + count(State::Ended) == m_options.uris.size()) {
            failWith(subscriptions.problemOf(m_options.uris.constFirst()));
        } else if (count(State::Active) > 0 && count(State::Requested) + count(State::Lost) == 0) {
            beginWatching();
        } else {
            tellOfLoss(count(State::Lost) > 0);
        }
    }

    void beginWatching()
    {
        for (const QString &uri : m_options.uris) {
            if (const Error problem = connection()->subscriptions()->problemOf(uri))
                output().note(tr("Not subscribed to %1: %2").arg(visibleLine(uri), visibleText(problem.message)));
        }
        watch(tr("Subscribed."));
        readNext();
    }

    void failWith(const Error &problem)
    {
        Outcome outcome;
        outcome.kind = problem.kind == Error::Kind::Remote ? Outcome::Kind::ProtocolError : Outcome::Kind::NoResponse;
        outcome.error = problem;
        fail(outcome);
    }

    // A server that is gone altogether takes its subscriptions along, which is told by the end of the connection.
    void tellOfLoss(bool isLost)
    {
        if (std::exchange(m_isLost, isLost) || !isLost)
            return;
        const auto tell = [this, loss = connection()->subscriptions()->error()] {
            if (connection()->state() == Connection::State::Connected)
                output().note(tr("The subscription was lost: %1").arg(visibleText(loss.message)) + u' ' + loss.hint);
        };
        QMetaObject::invokeMethod(this, tell, Qt::QueuedConnection);
    }

    // Updates that come faster than the resource can be read are one.
    void onUpdated(const QString &uri, const QString &changedUri)
    {
        if (!isOwn(uri) || m_updated.contains(changedUri))
            return;
        m_updated.append(changedUri);
        readNext();
    }

    void readNext()
    {
        if (!isWatching() || m_isReading || hasEnded())
            return;
        if (m_updated.isEmpty()) {
            if (m_isEnding && m_problem)
                failWith(m_problem);
            else if (m_isEnding)
                end(endOfTime());
            return;
        }
        const QString uri = m_updated.takeFirst();
        m_isReading = true;
        follow(connection()->readResource(uri), [this, uri](const Outcome &outcome) {
            // When the connection is gone too, its end is told, a turn later.
            QMetaObject::invokeMethod(
                this, [this, uri, outcome] { onRead(uri, outcome); }, Qt::QueuedConnection);
        });
    }

    void onRead(const QString &uri, const Outcome &outcome)
    {
        m_isReading = false;
        const bool isGone = connection()->state() != Connection::State::Connected;
        if (hasEnded() || (outcome.kind == Outcome::Kind::NoResponse && isGone))
            return;
        output().beginEvent();
        print(uri, outcome);
        m_worst = std::max(m_worst, output().endPart(exitCodeFor(outcome.kind)));
        endIfUnwritable();
        if (++m_printed == m_options.count)
            end(m_worst);
        else
            readNext();
    }

    void print(const QString &uri, const Outcome &outcome)
    {
        const bool hasFailed =
            outcome.kind == Outcome::Kind::ProtocolError || outcome.kind == Outcome::Kind::NoResponse;
        if (hasFailed)
            output().note(tr("%1 was updated, but could not be read.").arg(visibleLine(uri)));
        output().outcome(outcome);
        if (!hasFailed && !output().isJson()) {
            for (const json::Value &each : outcome.result()[u"contents"])
                output().content(readResourceContents(each));
        }
        output().findings(findingsOf(outcome));
    }

    ExitCode endOfTime() const override
    {
        if (m_printed >= m_options.count && !m_isLost)
            return m_worst;
        output().envelope().setError(
            m_isLost ? Error::of(Error::Kind::Transport, tr("The subscription was lost."))
                     : Error::of(Error::Kind::Timeout,
                                 tr("Updates received: %1 of %2").arg(m_printed).arg(m_options.count)));
        return ExitCode::NoResponse;
    }

    struct {
        QStringList uris;
        int count = 0;  // of updates; 0: any number
    } m_options;
    bool m_isReading = false;
    bool m_isEnding = false;  // as soon as everything that was updated has been read
    Error m_problem;          // why it ended, if not in order
    bool m_isLost = false;
    QStringList m_updated;  // to be read
    int m_printed = 0;
    ExitCode m_worst = ExitCode::Ok;
};

}  // namespace

std::unique_ptr<Verb> makeSubscribe()
{
    return std::make_unique<Subscribe>();
}

std::unique_ptr<Verb> makeLogLevel()
{
    return std::make_unique<LogLevel>();
}

}  // namespace sonde::cli
