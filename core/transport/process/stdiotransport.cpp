// SPDX-License-Identifier: Apache-2.0
#include "core/transport/process/stdiotransport.h"

#include "core/protocol/numbertext.h"
#include "core/transport/monotonicclock.h"
#include "core/transport/process/bytechannel.h"
#include "core/transport/process/childprocess.h"
#include "core/transport/process/exitwords.h"
#include "core/transport/process/pipereader.h"
#include "core/transport/process/pipewriter.h"
#include "core/transport/process/programlookup.h"
#include "core/transport/process/stderrratelimiter.h"

#include <QLocale>
#include <QPointer>
#include <QTimer>

#include <chrono>
#include <utility>

namespace sonde {

namespace {
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

constexpr qint64 MaxStderrLine = 64 * 1024;
constexpr qsizetype TailLines = 200;
constexpr qsizetype TailLineLength = 2000;
// How long a server that closed its output may take to exit before it counts as one that goes on running.
constexpr auto ExitGrace = 500ms;
}  // namespace

class StdioTransport::Private {
public:
    Private(StdioTransport *transport, StdioOptions o) : q(transport), options(std::move(o))
    {
        for (QTimer *timer : {&graceTimer, &inputTimer}) {
            timer->setSingleShot(true);
            timer->setInterval(ExitGrace);
        }
        connect(&graceTimer, &QTimer::timeout, q, [this] {
            finish(Error::of(Error::Kind::Transport, tr("The server closed its standard output but is still running."),
                             detail(), tr("Restart the server.")));
        });
        connect(&inputTimer, &QTimer::timeout, q, [this] { failUnread(); });
    }

    void open();
    void failLater(const Error &error);
    void onStarted();
    void onStartFailed(const QString &reason);
    void onLine(const LineFramer::Line &line);
    void onStderrLine(const LineFramer::Line &line);
    void noteLeftOutStderr();
    void onInputBroken(const QList<RequestId> &lost);
    void failUnread();
    void onOutputEnded();
    void onExited();
    void onDrained();
    void close();
    // The end, in an event of its own: everything has been read that will be.
    void finish(Error error);

    void report(WireEvent::Kind kind, const EventFacts &facts, const LineFramer::Line &line)
    {
        q->reportBytes(kind, facts, line.bytes, line.length, line.terminator);
    }
    void state(const EventFacts &facts) { q->reportFacts(WireEvent::Kind::State, facts); }
    Error exitError() const;
    QString detail() const;
    Error write(const Message &message);

    StdioTransport *q;
    StdioOptions options;
    LaunchPlan plan;
    QPointer<ChildProcess> child;
    QPointer<PipeReader> output;
    QPointer<PipeReader> errorOutput;
    QPointer<PipeWriter> input;
    QTimer graceTimer;
    QTimer inputTimer;  // running while the exit may still explain the broken pipe
    QList<RequestId> unread;
    QStringList tail;
    StderrRateLimiter limiter;
    bool hasReceived = false;
    bool isEnding = false;  // the leader has exited, the rest is being read
};

void StdioTransport::Private::failLater(const Error &error)
{
    QMetaObject::invokeMethod(
        q, [this, error] { finish(error); }, Qt::QueuedConnection);
}

void StdioTransport::Private::open()
{
    q->setState(State::Opening);
    tail.clear();
    limiter = {};
    hasReceived = isEnding = false;
    plan = planLaunch(options);
    const EnvironmentFacts environment = environmentFacts(options);
    QStringList names;
    for (const auto &entry : std::as_const(options.environment))
        names += entry.first;
    q->reportFacts(WireEvent::Kind::Open, {.transport = u"stdio"_s,
                                           .program = plan.program.isEmpty() ? options.program : plan.program,
                                           .argv = QStringList{options.program} + options.arguments,
                                           .cwd = plan.directory,
                                           .environment = names,
                                           .variables = EventFacts::pairs(environment.variables),
                                           .inherited = environment.inherited});
    if (plan.error)
        return failLater(plan.error);

    child = new ChildProcess(q);
    connect(child, &ChildProcess::started, q, [this] { onStarted(); });
    connect(child, &ChildProcess::startFailed, q, [this](const QString &reason) { onStartFailed(reason); });
    connect(child, &ChildProcess::exited, q, [this, started = child] {
        if (started == child)
            onExited();
    });
    connect(child, &ChildProcess::signalled, q,
            [this](const QString &name) { state({.what = toString(EventCode::Signalled), .signalSent = name}); });
    child->start(plan);
}

void StdioTransport::Private::onStartFailed(const QString &reason)
{
    if (q->state() == State::Closing)
        return;  // stop() says when it is over
    child->deleteLater();
    child.clear();
    finish(launchError(options, plan, reason));
}

void StdioTransport::Private::onStarted()
{
    if (q->state() != State::Opening)
        return;
    output = new PipeReader(child->takeOutput(), options.maxMessageBytes, q);
    errorOutput = new PipeReader(child->takeErrorOutput(), MaxStderrLine, q);
    input = new PipeWriter(child->takeInput(), options.maxQueuedBytes, options.maxSentBytes, q);
    output->setBeforeReading([writer = input] { return writer && writer->writeWaiting(); });
    connect(output, &PipeReader::lineRead, q, [this](const LineFramer::Line &line) { onLine(line); });
    connect(output, &PipeReader::ended, q, [this] { onOutputEnded(); });
    connect(output, &PipeReader::drained, q, [this] { onDrained(); });
    connect(errorOutput, &PipeReader::lineRead, q, [this](const LineFramer::Line &line) { onStderrLine(line); });
    connect(errorOutput, &PipeReader::drained, q, [this] { onDrained(); });
    connect(input, &PipeWriter::broken, q, [this](const QList<RequestId> &lost) { onInputBroken(lost); });
    state({.what = toString(EventCode::Spawned),
           .pid = child->pid(),
           .program = plan.program,
           .argv = QStringList{options.program} + options.arguments,
           .cwd = plan.directory});
    q->setState(State::Open);
    const QPointer<StdioTransport> alive(q);
    Q_EMIT q->opened();
    if (!alive)
        return;
    if (output)
        output->start();
    if (errorOutput)
        errorOutput->start();
}

void StdioTransport::Private::onLine(const LineFramer::Line &line)
{
    if (line.isOutOfMemory) {
        q->failForMemory(line.bytes, line.length, line.terminator);
        return;
    }
    if (line.isCut) {
        const Message head = Message::parse(line.bytes);  // broken, but its id may be in what was kept
        report(WireEvent::Kind::Partial,
               {.what = toString(EventCode::TooLong),
                .limit = options.maxMessageBytes,
                .sha256 = QString::fromUtf8(line.sha256)},
               line);
        const QLocale locale;
        const Error error = Error::of(
            Error::Kind::Transport,
            tr("A message of %1 is longer than the limit of %2.")
                .arg(locale.formattedDataSize(line.length), locale.formattedDataSize(options.maxMessageBytes)),
            {}, tr("Ask for less at once, such as a page or a part."));
        Q_EMIT q->failed(head.method().isEmpty() ? head.id() : RequestId(), error);
        return;
    }
    if (line.bytes.isEmpty()) {
        report(WireEvent::Kind::Junk, {.what = toString(EventCode::EmptyLine)}, line);
        return;
    }
    hasReceived = true;
    q->deliver(line.bytes, line.terminator);
}

void StdioTransport::Private::onStderrLine(const LineFramer::Line &line)
{
    EventFacts facts;
    if (line.isCut)
        facts = {.what = toString(EventCode::TooLong), .sha256 = QString::fromUtf8(line.sha256)};
    tail += QString::fromUtf8(QByteArrayView(line.bytes).first(qMin(line.bytes.size(), TailLineLength)));
    if (tail.size() > TailLines)
        tail.removeFirst();
    const bool wasComplete = limiter.leftOut().lines == 0;
    if (!limiter.allow(line.bytes.size(), line.length, monotonicNs())) {
        if (wasComplete)
            q->reportFacts(WireEvent::Kind::Note,
                           {.what = toString(EventCode::StderrTooMuch),
                            .text = tr("Too much stderr output: from here on, lines are counted but not recorded.")});
        return;
    }
    noteLeftOutStderr();
    report(WireEvent::Kind::Stderr, facts, line);
}

void StdioTransport::Private::noteLeftOutStderr()
{
    const StderrRateLimiter::LeftOut leftOut = limiter.takeLeftOut();
    if (leftOut.lines == 0)
        return;
    const QString text = tr("%1 lines of stderr (%2) were not recorded here.")
                             .arg(grouped(leftOut.lines), QLocale().formattedDataSize(leftOut.bytes));
    q->reportFacts(
        WireEvent::Kind::Note,
        {.what = toString(EventCode::StderrLeftOut), .lines = leftOut.lines, .bytes = leftOut.bytes, .text = text});
}

Error StdioTransport::Private::write(const Message &message)
{
    const RequestId id = message.isResponse() ? RequestId() : message.id();
    switch (input ? input->write(message.raw(), id) : PipeWriter::Outcome::Closed) {
        case PipeWriter::Outcome::Taken:
            return {};
        case PipeWriter::Outcome::TooLong:
            return Error::of(Error::Kind::Transport,
                             tr("Not sent: the message of %1 exceeds the limit of %2 per message.")
                                 .arg(QLocale().formattedDataSize(message.raw().size()),
                                      QLocale().formattedDataSize(options.maxSentBytes)),
                             {}, tr("Send less data at once, or a path or URL for the server to read from."));
        case PipeWriter::Outcome::Full:
            return Error::of(Error::Kind::Transport,
                             tr("The server is not reading its input; %1 are pending.")
                                 .arg(QLocale().formattedDataSize(input->queuedBytes())),
                             detail(), tr("Restart the server."));
        case PipeWriter::Outcome::Closed:
            break;
    }
    if (isEnding && child)
        return exitError();
    return Error::of(Error::Kind::Transport, tr("The server has closed its standard input."), detail());
}

void StdioTransport::Private::onInputBroken(const QList<RequestId> &lost)
{
    state({.what = toString(EventCode::StdinClosedByServer)});
    unread = lost;
    if (isEnding || unread.isEmpty())
        return;  // closed() is about to say more
    // A server that dies breaks this pipe before its exit is known, and the exit is the better reason.
    inputTimer.start();
}

void StdioTransport::Private::failUnread()
{
    const QPointer<StdioTransport> alive(q);
    const Error error = Error::of(Error::Kind::Transport,
                                  tr("The server closed its standard input before reading this message."), detail());
    for (const RequestId &id : std::exchange(unread, {})) {
        Q_EMIT q->failed(id, error);
        if (!alive)
            return;
    }
}

// "A server may end the session by closing its output and exiting": wait a little for the exit and its code.
void StdioTransport::Private::onOutputEnded()
{
    if (q->state() != State::Open || isEnding)
        return;
    state({.what = toString(EventCode::StdoutClosedByServer)});
    graceTimer.start();
}

void StdioTransport::Private::onExited()
{
    isEnding = true;
    graceTimer.stop();
    inputTimer.stop();
    if (!output || !errorOutput)
        return;  // being closed while it had hardly started: gone() ends it
    output->drain();
    errorOutput->drain();
}

void StdioTransport::Private::onDrained()
{
    if (!isEnding || !child || !output->isDrained() || !errorOutput->isDrained())
        return;
    if (q->state() == State::Closing && !child->isGone())
        return;
    finish(q->state() == State::Closing ? Error() : exitError());
}

void StdioTransport::Private::close()
{
    q->setState(State::Closing);
    graceTimer.stop();
    inputTimer.stop();
    if (!child)
        return;  // failLater() is on its way
    state({.what = toString(EventCode::StdinClosed)});
    if (input)
        input->close();
    else
        child->takeInput();
    connect(child, &ChildProcess::gone, q, [this, closing = child.data()] {
        if (child != closing)
            return;  // its output had ended before, and closed() was emitted then
        if (!output)
            return finish({});
        isEnding = true;
        output->drain();
        errorOutput->drain();
    });
    child->stop(options.stopStepMs);
}

void StdioTransport::Private::finish(Error error)
{
    if (q->state() == State::Closing)
        error = {};
    if (output) {
        output->stop();
        if (const std::optional<LineFramer::Line> line = output->takeRest())
            report(WireEvent::Kind::Partial, {.what = toString(EventCode::UnfinishedLine)}, *line);
    }
    if (errorOutput) {
        errorOutput->stop();
        if (const std::optional<LineFramer::Line> line = errorOutput->takeRest())
            onStderrLine(*line);
        noteLeftOutStderr();
    }
    for (QObject *part :
         {static_cast<QObject *>(output), static_cast<QObject *>(errorOutput), static_cast<QObject *>(input)}) {
        if (part)
            part->deleteLater();
    }
    if (input)
        input->close();
    inputTimer.stop();
    unread.clear();
    output.clear();
    errorOutput.clear();
    input.clear();
    if (child) {
        if (child->hasExited()) {
            const ChildProcess::Exit exit = child->exitStatus();
            if (exit.signal)
                state({.what = toString(EventCode::Exited),
                       .signal = exit.signal,
                       .signalName = signalName(exit.signal)});
            else
                state({.what = toString(EventCode::Exited), .exitCode = exit.code});
        }
        // What is left of the group is brought down behind the scenes; our destructor would do it at once.
        connect(child, &ChildProcess::gone, child, &QObject::deleteLater);
        if (q->state() == State::Closing)
            child->deleteLater();
        else
            child->stop(options.stopStepMs, !child->hasExited());
        child.clear();
    }
    q->setState(State::Closed);
    Q_EMIT q->closed(error);
}

Error StdioTransport::Private::exitError() const
{
    const ChildProcess::Exit exit = child->exitStatus();
    Error error{Error::Kind::Transport, exit.code, {}, detail(), {}, {}};
    if (exit.signal) {
        error.code = 128 + exit.signal;  // as shells count
        error.message = hasReceived ? tr("The server was terminated by signal %1 (%2, %3).")
                                    : tr("The server was terminated by signal %1 (%2, %3) before it wrote anything.");
        error.message =
            error.message.arg(QString::number(exit.signal), signalName(exit.signal), signalMeaning(exit.signal));
        return error;
    }
    error.message = hasReceived ? tr("The server exited with code %1.")
                                : tr("The server exited with code %1 before it wrote anything.");
    error.message = error.message.arg(exit.code);
    error.hint = exitCodeHint(exit.code);
    return error;
}

QString StdioTransport::Private::detail() const
{
    QString text = launchDetail(plan, options);
    if (!tail.isEmpty()) {
        static constexpr qsizetype shown = 20;
        text += u"\n\n"_s + tr("Last lines of stderr:") + u'\n' + tail.mid(tail.size() - shown).join(u'\n');
    }
    return text;
}

StdioTransport::StdioTransport(StdioOptions options, QObject *parent)
    : Transport(parent), d(std::make_unique<Private>(this, std::move(options)))
{}

StdioTransport::~StdioTransport()
{
    // They call into d.
    qDeleteAll(findChildren<QObject *>(Qt::FindDirectChildrenOnly));
}

void StdioTransport::open()
{
    if (state() == State::Closed)
        d->open();
}

void StdioTransport::close()
{
    if (state() == State::Open || state() == State::Opening)
        d->close();
}

QString StdioTransport::name() const
{
    return u"stdio"_s;
}

QStringList StdioTransport::stderrTail() const
{
    return d->tail;
}

qint64 StdioTransport::processId() const
{
    return d->child ? d->child->pid() : 0;
}

void StdioTransport::pauseReading(bool isPaused)
{
    if (d->output)
        d->output->setPaused(isPaused);
}

Message StdioTransport::prepared(const Message &message)
{
    // One message, one line. In JSON a line break is white space wherever it is allowed at all.
    if (!message.raw().contains('\n') && !message.raw().contains('\r'))
        return message;
    QByteArray line = message.raw();
    line.replace('\n', ' ');
    line.replace('\r', ' ');
    return Message::parse(line);
}

Error StdioTransport::write(const Message &message, const OutgoingHeaders &)
{
    return d->write(message);
}

}  // namespace sonde
