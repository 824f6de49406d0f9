// What is to be exported, and in which format.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <QStringList>
#include <atomic>
#include <memory>
#include <optional>
#include <vector>

namespace sonde {

enum class ExportFormat {
    JsonLines,  // one message a line
    Har,        // HTTP exchanges, HAR 1.2
    Markdown,
    Html  // one page that needs nothing else and runs nothing
};

std::optional<ExportFormat> exportFormat(QStringView name);  // jsonl, har, markdown, html
QString suffix(ExportFormat format);                         // of a file's name, without the dot

struct ExportOptions {
    ExportFormat format = ExportFormat::JsonLines;
    std::optional<std::vector<qsizetype>> rows;  // rising; nothing: all
    QStringList secrets;                         // words known to be secret, besides what is found
    // Once it is true, from whatever thread, an export comes to an end soon, with an Error.
    std::shared_ptr<const std::atomic_bool> stop;
};

}  // namespace sonde
