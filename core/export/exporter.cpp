// SPDX-License-Identifier: Apache-2.0
#include "core/export/exporter.h"

#include "core/export/harwriter.h"
#include "core/export/htmlwriter.h"
#include "core/export/jsonlineswriter.h"
#include "core/export/markdownwriter.h"

#include <QCoreApplication>
#include <QFileDevice>

namespace sonde {

using namespace Qt::StringLiterals;

QList<MaskedSecret> Exporter::preview()
{
    (void)write(nullptr);
    return masked();
}

Error Exporter::write(QIODevice *device)
{
    if (leadsToSession(device))
        return Error::local(QCoreApplication::translate("sonde::Exporter", "This file is the session itself."),
                            QCoreApplication::translate(
                                "sonde::Exporter", "Choose another file; an export contains less than the session."));
    m_input.learn();
    m_input.resetCounts();
    ExportOutput output(device);
    switch (m_input.options().format) {
        case ExportFormat::JsonLines:
            JsonLinesWriter(&m_input, &output).write();
            break;
        case ExportFormat::Har:
            HarWriter(&m_input, &output).write();
            break;
        case ExportFormat::Markdown:
            MarkdownWriter(&m_input, &output).write();
            break;
        case ExportFormat::Html:
            HtmlWriter(&m_input, &output).write();
            break;
    }
    m_count = output.count();
    if (m_input.isStopped() && !output.error())
        return Error::local(QCoreApplication::translate("sonde::Exporter", "Cancelled."));
    return output.error();
}

// By its own name or another one, or because a shell has opened it for us.
bool Exporter::leadsToSession(const QIODevice *device) const
{
    const auto *file = qobject_cast<const QFileDevice *>(device);
    if (!file)
        return false;
    const QString name = file->fileName();
    return m_input.session().isRecordedIn(name.isEmpty() ? u"/proc/self/fd/%1"_s.arg(file->handle()) : name);
}

}  // namespace sonde
