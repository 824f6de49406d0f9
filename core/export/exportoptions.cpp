// SPDX-License-Identifier: Apache-2.0
#include "core/export/exportoptions.h"

namespace sonde {

using namespace Qt::StringLiterals;

std::optional<ExportFormat> exportFormat(QStringView name)
{
    if (name == u"jsonl")
        return ExportFormat::JsonLines;
    if (name == u"har")
        return ExportFormat::Har;
    if (name == u"markdown" || name == u"md")
        return ExportFormat::Markdown;
    if (name == u"html")
        return ExportFormat::Html;
    return std::nullopt;
}

QString suffix(ExportFormat format)
{
    switch (format) {
        case ExportFormat::JsonLines:
            return u"jsonl"_s;
        case ExportFormat::Har:
            return u"har"_s;
        case ExportFormat::Markdown:
            return u"md"_s;
        case ExportFormat::Html:
            break;
    }
    return u"html"_s;
}

}  // namespace sonde
