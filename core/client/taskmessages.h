// The messages of tasks in both forms: the experimental one of 2025-11-25, and the extension of 2026-07-28.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/client/dialect.h"
#include "core/protocol/revision.h"

namespace sonde {

inline constexpr QStringView TasksExtension = u"io.modelcontextprotocol/tasks";

// What a server that declared these capabilities does.
TaskSupport readTaskSupport(Revision revision, const json::Value &serverCapabilities);

// method: tasks/get, tasks/result or tasks/cancel.
RequestBody taskRequest(QStringView method, const QString &taskId);
RequestBody taskUpdate(const QString &taskId, const InputResponse &response);
// Asks for a task, unless the params do so already. Spec (2025-11-25): basic/utilities/tasks.
QByteArray withTask(const QByteArray &params, const TaskOptions &options);
// The capabilities of a client that understands tasks. Spec: extension io.modelcontextprotocol/tasks.
QByteArray withTasksExtension(const QByteArray &capabilities);

// A result of tools/call or tasks/get that describes a task; meaning->outcome has the response already.
void interpretStatefulTask(const json::Value &task, Interpretation *meaning);
void interpretStatelessTask(QStringView method, const json::Value &task, Interpretation *meaning);

}  // namespace sonde
