// A session, or rows of it, in forms that others can read, with a second look for what must not leave.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/export/exportredactor.h"

#include <QStringList>
#include <atomic>
#include <memory>
#include <optional>

class QIODevice;

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
    // Once it is true, from whatever thread, write() and preview() come to an end soon; write() with an Error.
    std::shared_ptr<const std::atomic_bool> stop;
};

// Masking takes place in memory: nothing unmasked is ever handed to the device. The session must outlive it.
class Exporter {
public:
    Exporter(const Session *session, ExportOptions options);
    ~Exporter();
    Exporter(const Exporter &) = delete;
    Exporter &operator=(const Exporter &) = delete;

    // What write() will mask, and what was masked when it was recorded. Reads everything that will be written.
    QList<MaskedSecret> preview();
    // A file that is the session's own is refused, before anything is written.
    Error write(QIODevice *device);
    // What the last write() masked.
    QList<MaskedSecret> masked() const;
    // Of what was written: messages, exchanges or records.
    qsizetype count() const;

    class Private;  // its parts are the writers of the formats

private:
    std::unique_ptr<Private> d;
};

}  // namespace sonde
