// SPDX-License-Identifier: Apache-2.0
#include "core/connection/startsteps.h"

#include <QCoreApplication>

#include <algorithm>

namespace sonde {

namespace {

struct StepText {
    Q_DECLARE_TR_FUNCTIONS(sonde::StartSteps)
};

}  // namespace

QString nameOf(StartStep::Kind kind)
{
    switch (kind) {
        case StartStep::Kind::Approve:
            return StepText::tr("Approve");
        case StartStep::Kind::ResolveSecrets:
            return StepText::tr("Resolve secrets");
        case StartStep::Kind::FindTarget:
            return StepText::tr("Find the server");
        case StartStep::Kind::ChooseTransport:
            return StepText::tr("Choose the transport");
        case StartStep::Kind::Open:
            return StepText::tr("Open the connection");
        case StartStep::Kind::Authorize:
            return StepText::tr("Authorize");
        case StartStep::Kind::Probe:
            return StepText::tr("Detect the protocol");
        case StartStep::Kind::AgreeOnRevision:
            return StepText::tr("Handshake");
        case StartStep::Kind::List:
            return StepText::tr("List tools, resources and prompts");
    }
    return {};
}

void StartSteps::begin()
{
    m_steps.clear();
    for (int kind = int(StartStep::Kind::Approve); kind <= int(StartStep::Kind::List); ++kind) {
        StartStep step;
        step.kind = StartStep::Kind(kind);
        m_steps.append(step);
    }
    m_clock.start();
}

void StartSteps::enter(StartStep::Kind kind)
{
    for (StartStep &step : m_steps) {
        if (step.state == StartStep::State::Running || step.state == StartStep::State::Paused) {
            step.state = StartStep::State::Done;
            step.endedMs = m_clock.elapsed();
        } else if (step.state == StartStep::State::Waiting && step.kind < kind) {
            step.state = StartStep::State::Skipped;
        }
        if (step.kind == kind) {
            step.state = StartStep::State::Running;
            step.startedMs = m_clock.elapsed();
            step.endedMs = -1;
            step.text.clear();
        }
    }
}

void StartSteps::pause(const QString &reason)
{
    if (StartStep *step = running()) {
        step->state = StartStep::State::Paused;
        step->text = reason;
    }
}

void StartSteps::resume()
{
    if (StartStep *step = running()) {
        step->state = StartStep::State::Running;
        step->text.clear();
    }
}

void StartSteps::describe(const QString &text)
{
    if (StartStep *step = running())
        step->text = text;
}

void StartSteps::complete()
{
    if (StartStep *step = running()) {
        step->state = StartStep::State::Done;
        step->endedMs = m_clock.elapsed();
    }
    for (StartStep &step : m_steps) {
        if (step.state == StartStep::State::Waiting)
            step.state = StartStep::State::Skipped;
    }
    m_clock.invalidate();
}

void StartSteps::fail(const QString &reason)
{
    if (StartStep *step = running()) {
        step->state = StartStep::State::Failed;
        step->endedMs = m_clock.elapsed();
        step->text = reason;
    }
    m_clock.invalidate();
}

void StartSteps::restartFrom(StartStep::Kind kind)
{
    for (StartStep &step : m_steps) {
        if (step.kind < kind)
            continue;
        if (step.startedMs >= 0)
            ++step.attempt;
        step.state = StartStep::State::Waiting;
        step.startedMs = step.endedMs = -1;
        step.text.clear();
    }
    if (!m_clock.isValid())
        m_clock.start();
}

const StartStep *StartSteps::current() const
{
    const auto found = std::find_if(m_steps.begin(), m_steps.end(), [](const StartStep &step) {
        return step.state == StartStep::State::Running || step.state == StartStep::State::Paused;
    });
    return found == m_steps.end() ? nullptr : &*found;
}

StartStep *StartSteps::running()
{
    return const_cast<StartStep *>(std::as_const(*this).current());
}

qint64 StartSteps::elapsedMs() const
{
    return m_clock.isValid() ? m_clock.elapsed() : -1;
}

}  // namespace sonde
