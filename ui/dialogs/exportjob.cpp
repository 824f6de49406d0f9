// SPDX-License-Identifier: Apache-2.0
#include "ui/dialogs/exportjob.h"

#include "core/files/savefile.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QSaveFile>
#include <algorithm>

namespace sonde::ui {

namespace {

struct ExportJobText {
    Q_DECLARE_TR_FUNCTIONS(sonde::ui::Export)
};

Error writeTo(Exporter *exporter, const QString &target)
{
    QSaveFile file(target);
    if (!file.open(QIODevice::WriteOnly)) {
        const QString folder = QFileInfo(target).absolutePath();
        return QDir(folder).exists()
                   ? Error::local(ExportJobText::tr("%1 cannot be written: %2").arg(target, file.errorString()))
                   : Error::local(ExportJobText::tr("The folder %1 does not exist.").arg(folder),
                                  ExportJobText::tr("Choose another one."));
    }
    file.setPermissions(QFile::ReadOwner | QFile::WriteOwner);
    if (Error error = exporter->write(&file))
        return error;
    const QString reason = commitFile(file);
    return reason.isEmpty() ? Error() : Error::local(ExportJobText::tr("%1 cannot be written: %2").arg(target, reason));
}

ExportReport runOver(const Session &session, const ExportJob &job)
{
    ExportOptions options = job.options;
    if (options.rows) {
        // The newest records may not be in the file yet.
        const auto isThere = [&session](qsizetype row) { return row < session.size(); };
        options.rows->erase(std::find_if_not(options.rows->begin(), options.rows->end(), isThere), options.rows->end());
    }
    Exporter exporter(&session, options);
    ExportReport report;
    if (job.target.isEmpty()) {
        report.masked = exporter.preview();
    } else {
        report.error = writeTo(&exporter, job.target);
        report.masked = exporter.masked();
        report.size = QFileInfo(job.target).size();
    }
    report.count = exporter.count();
    return report;
}

}  // namespace

ExportReport runExport(const ExportJob &job)
{
    if (!job.snapshot.isNull())
        return runOver(*job.snapshot.open(), job);
    const Result<std::unique_ptr<Session>> session = Session::open(job.path, {}, job.options.stop);
    if (!session) {
        ExportReport report;
        report.error = session.error();
        return report;
    }
    return runOver(**session, job);
}

}  // namespace sonde::ui
