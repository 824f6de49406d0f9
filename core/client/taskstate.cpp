// SPDX-License-Identifier: Apache-2.0
#include "core/client/taskstate.h"

#include "core/client/texts.h"
#include "core/protocol/visibletext.h"

#include <algorithm>
#include <array>

using namespace Qt::StringLiterals;

namespace sonde {

namespace {

using Status = TaskState::Status;
constexpr std::array StatusWords{std::pair{Status::Working, QStringView(u"working")},
                                 std::pair{Status::InputRequired, QStringView(u"input_required")},
                                 std::pair{Status::Completed, QStringView(u"completed")},
                                 std::pair{Status::Failed, QStringView(u"failed")},
                                 std::pair{Status::Cancelled, QStringView(u"cancelled")}};

QString shortJson(const json::Value &value)
{
    return value.exists() ? visibleLine(QString::fromUtf8(value.bytes().left(200)), 40) : ClientText::tr("missing");
}

// Milliseconds under one of two names.
json::Value durationOf(const json::Value &task, QStringView name)
{
    const json::Value named = task[name.toString() + u"Ms"_s];
    return named.exists() ? named : task[name];
}

void readPollInterval(const json::Value &task, TaskState *state)
{
    const json::Value interval = durationOf(task, u"pollInterval");
    if (!interval.exists())
        return;
    const std::optional<qint64> ms = interval.toInteger();
    if (!ms || *ms <= 0) {
        state->findings.append(
            ClientText::tr("The poll interval must be a number of milliseconds above 0; it is %1. Sonde asks every "
                           "second.")
                .arg(shortJson(interval)));
        return;
    }
    if (*ms > TaskState::MaxPollInterval.count())
        state->findings.append(ClientText::tr("The poll interval is %1 ms; Sonde asks every 10 minutes.").arg(*ms));
    state->pollInterval =
        std::clamp(std::chrono::milliseconds(*ms), TaskState::MinPollInterval, TaskState::MaxPollInterval);
}

QDateTime readTime(const json::Value &task, QStringView name, QStringList *findings)
{
    const json::Value text = task[name];
    const QDateTime time = QDateTime::fromString(text.string(), Qt::ISODateWithMs).toUTC();
    if (!time.isValid())
        findings->append(
            ClientText::tr("'%1' of the task must be an ISO 8601 time; it is %2.").arg(name, shortJson(text)));
    return time;
}

}  // namespace

TaskState TaskState::read(const json::Value &task)
{
    TaskState state;
    state.id = task[u"taskId"].string();
    if (state.id.isEmpty())
        state.findings.append(ClientText::tr("The task has no 'taskId'."));
    const json::Value status = task[u"status"];
    if (const std::optional<Status> known = taskStatusFromString(status.string()))
        state.status = *known;
    else
        state.findings.append(ClientText::tr("Unknown task status: %1.").arg(shortJson(status)));
    state.message = task[u"statusMessage"].string();
    state.createdAt = readTime(task, u"createdAt", &state.findings);
    state.updatedAt = readTime(task, u"lastUpdatedAt", &state.findings);
    const json::Value ttl = durationOf(task, u"ttl");
    if (const std::optional<qint64> ms = ttl.toInteger(); ms && *ms >= 0)
        state.ttl = std::chrono::milliseconds(*ms);
    else if (!ttl.isNull())
        state.findings.append(ClientText::tr("The ttl of the task must be a number of milliseconds or null; it is %1.")
                                  .arg(shortJson(ttl)));
    readPollInterval(task, &state);
    return state;
}

QString toString(TaskState::Status status)
{
    const auto *word = std::ranges::find_if(StatusWords, [status](const auto &entry) { return entry.first == status; });
    return word->second.toString();
}

std::optional<TaskState::Status> taskStatusFromString(QStringView word)
{
    for (const auto &[status, each] : StatusWords) {
        if (word == each)
            return status;
    }
    return {};
}

QString nameOf(TaskState::Status status)
{
    switch (status) {
        case Status::Working:
            return ClientText::tr("working");
        case Status::InputRequired:
            return ClientText::tr("input required");
        case Status::Completed:
            return ClientText::tr("completed");
        case Status::Failed:
            return ClientText::tr("failed");
        case Status::Cancelled:
            break;
    }
    return ClientText::tr("cancelled");
}

}  // namespace sonde
