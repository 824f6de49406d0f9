// A task of the server, as the server describes it in either form of the protocol.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/document.h"

#include <QDateTime>
#include <QStringList>
#include <chrono>
#include <optional>

namespace sonde {

struct TaskState {
    enum class Status : quint8 { Working, InputRequired, Completed, Failed, Cancelled };
    static constexpr std::chrono::milliseconds UsualPollInterval{1000};  // where the server names none
    static constexpr std::chrono::milliseconds MinPollInterval{50};
    static constexpr std::chrono::milliseconds MaxPollInterval{600'000};

    QString id;
    Status status = Status::Working;
    QString message;      // for people; may be empty
    QDateTime createdAt;  // UTC, as the following one; invalid where the server does not say
    QDateTime updatedAt;
    std::optional<std::chrono::milliseconds> ttl;  // from createdAt on; none: no limit is known
    std::chrono::milliseconds pollInterval = UsualPollInterval;
    QStringList findings;  // what is wrong with the description, in sentences

    bool isOver() const { return status >= Status::Completed; }
    // The server may have forgotten it.

    // The Task of 2025-11-25, or that of the extension io.modelcontextprotocol/tasks.
    static TaskState read(const json::Value &task);
};

QString toString(TaskState::Status status);  // as on the wire
std::optional<TaskState::Status> taskStatusFromString(QStringView word);
QString nameOf(TaskState::Status status);  // for people: "input required"

}  // namespace sonde
