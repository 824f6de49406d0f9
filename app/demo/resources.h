// What the demo server lets read.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QList>
#include <QStringList>
#include <optional>

namespace sonde::demo {

QList<QByteArray> resourceDefinitions();
QList<QByteArray> templateDefinitions();
// The one element of contents[] for this address, or empty when there is no such resource.
QByteArray resourceContents(const QString &uri);
QList<QByteArray> skillDefinitions();  // the entries of skills/list
// Nothing when there is no such template. context: an object of the other variables, or empty.
std::optional<QStringList> templateCompletions(const QString &uriTemplate, const QString &variable,
                                               const QByteArray &context);

}  // namespace sonde::demo
