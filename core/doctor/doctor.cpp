// SPDX-License-Identifier: Apache-2.0
#include "core/doctor/doctor.h"

#include "core/doctor/startrecords.h"
#include "core/protocol/numbertext.h"
#include "core/protocol/visibletext.h"

#include <QSslSocket>
#include <algorithm>

namespace sonde {

using namespace Qt::StringLiterals;

namespace {

using Kind = DoctorLine::Kind;
using State = DoctorLine::State;

}  // namespace

Doctor::Doctor(Connection *connection, QObject *parent) : QObject(parent), m_connection(connection)
{
    connect(connection, &QObject::destroyed, this, [this] {
        m_context.reset();
        m_socket = nullptr;
        m_open = 0;
    });
}

Doctor::~Doctor() = default;

void Doctor::examine()
{
    if (!m_connection)
        return;
    m_context = std::make_unique<QObject>();
    m_socket = nullptr;
    m_open = 0;
    m_spec = m_connection->spec();
    m_error = m_connection->error();
    m_lines.clear();
    m_refusedCertificate.clear();
    m_said.clear();
    const QList<Kind> kinds =
        m_spec.startsProcess()
            ? QList<Kind>{Kind::CommandLine, Kind::Folder, Kind::Program,   Kind::Runtime,
                          Kind::Start,       Kind::Output, Kind::Handshake, Kind::Lists}
            : QList<Kind>{Kind::Address,       Kind::Host,     Kind::Network,   Kind::Tls,  Kind::HttpStatus,
                          Kind::Authorization, Kind::Protocol, Kind::Handshake, Kind::Lists};
    for (const Kind kind : kinds) {
        DoctorLine line;
        line.kind = kind;
        m_lines.append(line);
    }
    m_open = 1;  // until all have begun
    if (wasRefused())
        settle(kinds.constFirst(), State::Failed, m_error.message);
    else if (m_spec.startsProcess())
        examineProcess();
    else
        examineAddress();
    end();
}

const DoctorLine *Doctor::line(DoctorLine::Kind kind) const
{
    const auto found =
        std::find_if(m_lines.begin(), m_lines.end(), [kind](const DoctorLine &each) { return each.kind == kind; });
    return found == m_lines.end() ? nullptr : &*found;
}

const DoctorLine *Doctor::firstFailure() const
{
    const auto found = std::find_if(m_lines.begin(), m_lines.end(),
                                    [](const DoctorLine &each) { return each.state == State::Failed; });
    return found == m_lines.end() ? nullptr : &*found;
}

QString Doctor::reason() const
{
    if (m_error)
        return m_error.message;
    const DoctorLine *failure = firstFailure();
    return failure ? titleOf(failure->kind) + u": "_s + failure->text : QString();
}

QString Doctor::explanation() const
{
    const DoctorLine *failure = firstFailure();
    const QString note = failure && !failure->evidenceNote.isEmpty() ? failure->evidenceNote : m_error.hint;
    return m_said.isEmpty() || note.isEmpty() ? m_said + note : m_said + u'\n' + note;
}

Remedy Doctor::remedy() const
{
    const DoctorLine *failure = firstFailure();
    return failure ? failure->remedy : Remedy::None;
}

QString Doctor::written() const
{
    if (!m_connection)
        return {};
    if (m_spec.startsProcess())
        return m_connection->stderrTail().join(u'\n');
    return QString::fromUtf8(StartRecords::in(*m_connection->session()).body);
}

// The description itself may be what stopped it there, and that is told in its own words.
bool Doctor::wasRefused() const
{
    const auto &steps = m_connection->startSteps();
    return m_spec.problems().isEmpty() && std::any_of(steps.begin(), steps.end(), [](const StartStep &step) {
               return step.kind == StartStep::Kind::Approve && step.state == StartStep::State::Failed;
           });
}

// Also where the connection has ended since.
bool Doctor::hadHandshake() const
{
    return m_connection && !m_connection->serverInfo().protocolVersion.isEmpty();
}

DoctorLine &Doctor::at(DoctorLine::Kind kind)
{
    return *std::find_if(m_lines.begin(), m_lines.end(), [kind](const DoctorLine &each) { return each.kind == kind; });
}

void Doctor::settle(DoctorLine::Kind kind, DoctorLine::State state, const QString &text)
{
    DoctorLine &line = at(kind);
    line.state = state;
    line.text = text;
}

void Doctor::begin(DoctorLine::Kind kind, const QString &text)
{
    settle(kind, State::Running, text);
    ++m_open;
}

void Doctor::end()
{
    --m_open;
    // Whoever looks at the network or the program may find the reason.
    if (isFinished()) {
        examineHandshake();
        examineLists();
    }
    announce();
}

void Doctor::announce()
{
    markUnreached();
    const QPointer<Doctor> alive(this);
    const bool isLast = isFinished();
    Q_EMIT changed();
    if (alive && isLast)
        Q_EMIT finished();
}

// What comes after a failure was not tried; what is known of it all the same stays.
void Doctor::markUnreached()
{
    bool hasFailed = false;
    for (DoctorLine &line : m_lines) {
        if (hasFailed && line.state == State::NotReached)
            line.text = tr("not reached");
        hasFailed = hasFailed || line.state == State::Failed;
    }
}

void Doctor::examineHandshake()
{
    DoctorLine &line = at(Kind::Handshake);
    for (const StartStep &step : m_connection->startSteps()) {
        if ((step.kind == StartStep::Kind::Probe || step.kind == StartStep::Kind::AgreeOnRevision) && step.endedMs >= 0)
            line.ms = qMax<qint64>(line.ms, 0) + step.endedMs - step.startedMs;
    }
    if (hadHandshake()) {
        const ServerInfo &info = m_connection->serverInfo();
        line.state = State::Ok;
        line.text = tr("revision %1, %2 %3")
                        .arg(visibleLine(info.protocolVersion, 40), visibleLine(info.implementation.name, 80),
                             visibleLine(info.implementation.version, 40))
                        .trimmed();
        return;
    }
    line.ms = firstFailure() ? -1 : line.ms;
    if (firstFailure() || !m_error)
        return;
    line.state = State::Failed;
    line.text = m_error.message;
    line.evidenceNote = m_error.hint;
}

void Doctor::examineLists()
{
    if (m_connection->state() != Connection::State::Connected) {
        if (hadHandshake() && m_error && !firstFailure())
            settle(Kind::Lists, State::Failed, m_error.message);
        return;
    }
    const Catalog &catalog = *m_connection->catalog();
    QStringList counts;
    QStringList failures;
    bool isLoading = false;
    bool isOffered = false;
    const std::pair<Catalog::List, QString> lists[] = {{Catalog::List::Tools, tr("tools")},
                                                       {Catalog::List::Resources, tr("resources")},
                                                       {Catalog::List::ResourceTemplates, tr("resource templates")},
                                                       {Catalog::List::Prompts, tr("prompts")}};
    for (const auto &[list, name] : lists) {
        const Catalog::Status &status = catalog.status(list);
        isLoading = isLoading || status.state == Catalog::State::Loading;
        isOffered = isOffered || status.state != Catalog::State::NotOffered;
        if (status.state == Catalog::State::Failed)
            failures.append(name + u": "_s + status.error.message);
        else if (status.state != Catalog::State::NotOffered)
            counts.append(name + u' ' + grouped(catalog.count(list)));
    }
    DoctorLine &line = at(Kind::Lists);
    for (const StartStep &step : m_connection->startSteps()) {
        if (step.kind == StartStep::Kind::List && step.endedMs >= 0)
            line.ms = step.endedMs - step.startedMs;
    }
    line.state = !failures.isEmpty() ? State::Failed : isLoading ? State::Running : State::Ok;
    line.text = !isOffered ? tr("none offered") : (failures + counts).join(u", "_s);
}

}  // namespace sonde
