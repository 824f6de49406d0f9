// SPDX-License-Identifier: Apache-2.0
#include "core/doctor/examination.h"

#include "core/protocol/numbertext.h"
#include "core/protocol/visibletext.h"

#include <algorithm>

namespace sonde {

using namespace Qt::StringLiterals;

namespace {

using Kind = DoctorLine::Kind;
using State = Step::State;

// Of a sentence that becomes a part of another one.
QString withoutPeriod(const QString &sentence)
{
    return sentence.endsWith(u'.') ? sentence.chopped(1) : sentence;
}

}  // namespace

bool hadHandshake(const Connection &connection)
{
    return !connection.serverInfo().protocolVersion.isEmpty();
}

Examination::Examination(Connection *connection, DoctorReport *report)
    : m_connection(connection), m_report(report), m_spec(connection->spec()), m_error(connection->error())
{}

void Examination::start()
{
    *m_report = {};
    const QList<Kind> all = kinds() + QList<Kind>{Kind::Handshake, Kind::Lists};
    for (const Kind kind : all) {
        m_report->lines.append(makeStep<DoctorLine>(kind));
    }
    begin();
    const QStringList problems = m_spec.problems();
    if (!problems.isEmpty()) {
        settle(all.constFirst(), State::Failed, problems.join(u' '));
        at(all.constFirst()).remedy = Remedy::EditServer;
    } else if (wasRefused()) {
        settle(all.constFirst(), State::Failed, m_error.message);
    } else {
        examine();
    }
    end();
}

bool Examination::wasRefused() const
{
    const auto &steps = m_connection->startSteps();
    return std::any_of(steps.begin(), steps.end(), [](const StartStep &step) {
        return step.kind == StartStep::Kind::Approve && step.state == Step::State::Failed;
    });
}

DoctorLine &Examination::at(DoctorLine::Kind kind) const
{
    return *std::find_if(m_report->lines.begin(), m_report->lines.end(),
                         [kind](const DoctorLine &each) { return each.kind == kind; });
}

void Examination::settle(DoctorLine::Kind kind, Step::State state, const QString &text) const
{
    DoctorLine &line = at(kind);
    line.state = state;
    line.text = text;
}

void Examination::begin()
{
    ++m_open;
}

void Examination::begin(DoctorLine::Kind kind, const QString &text)
{
    settle(kind, State::Running, text);
    begin();
}

void Examination::end()
{
    --m_open;
    // The network or the program may tell the reason.
    if (isFinished()) {
        examineHandshake();
        examineLists();
    }
    // What comes after a failure was not tried; what is known of it all the same stays.
    bool hasFailed = false;
    for (DoctorLine &line : m_report->lines) {
        if (hasFailed && line.state == State::Waiting)
            line.text = tr("not reached");
        hasFailed = hasFailed || line.state == State::Failed;
    }
    Q_EMIT changed();
}

void Examination::examineHandshake()
{
    DoctorLine &line = at(Kind::Handshake);
    for (const StartStep &step : m_connection->startSteps()) {
        if ((step.kind == StartStep::Kind::Probe || step.kind == StartStep::Kind::AgreeOnRevision) && step.ms >= 0)
            line.ms = qMax<qint64>(line.ms, 0) + step.ms;
    }
    if (hadHandshake(*m_connection)) {
        const ServerInfo &info = m_connection->serverInfo();
        line.state = State::Done;
        line.text = tr("revision %1, %2 %3")
                        .arg(visibleLine(info.protocolVersion, 40), visibleLine(info.implementation.name, 80),
                             visibleLine(info.implementation.version, 40))
                        .trimmed();
        return;
    }
    line.ms = m_report->firstFailure() ? -1 : line.ms;
    if (m_report->firstFailure() || !m_error)
        return;
    line.state = State::Failed;
    line.text = m_error.message;
    line.note = m_error.hint;
}

void Examination::examineLists()
{
    DoctorLine &line = at(Kind::Lists);
    for (const StartStep &step : m_connection->startSteps()) {
        if (step.kind == StartStep::Kind::List && step.ms >= 0)
            line.ms = step.ms;
    }
    // A server that ends later had been listed all the same.
    const bool wasListed = hadHandshake(*m_connection) && line.ms >= 0;
    if (m_connection->state() != Connection::State::Connected && !wasListed) {
        if (hadHandshake(*m_connection) && m_error && !m_report->firstFailure())
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
        // What a server had listed before it ended is still known.
        const bool isKnown = status.state != Catalog::State::NotOffered || catalog.count(list) > 0;
        isOffered = isOffered || isKnown;
        if (status.state == Catalog::State::Failed)
            failures.append(name + u": "_s + withoutPeriod(status.error.message));
        else if (isKnown)
            counts.append(name + u' ' + grouped(catalog.count(list)));
    }
    line.state = !failures.isEmpty() ? State::Failed : isLoading ? State::Running : State::Done;
    if (!counts.isEmpty())
        failures.append(counts.join(u", "_s));
    line.text = !isOffered ? tr("none offered") : failures.join(u"; "_s);
}

}  // namespace sonde
