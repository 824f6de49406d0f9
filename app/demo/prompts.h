// The demo server's prompts.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QList>
#include <QStringList>
#include <optional>

namespace sonde::demo {

QList<QByteArray> promptDefinitions();
// The result of prompts/get, or empty and a problem. arguments: an object of strings, or empty.
QByteArray promptMessages(const QString &name, const QByteArray &arguments, bool withLinks, QString *problem);
// Nothing when there is no such prompt.
std::optional<QStringList> promptCompletions(const QString &name, const QString &argument);

}  // namespace sonde::demo
