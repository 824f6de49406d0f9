// SPDX-License-Identifier: Apache-2.0
#include "core/replay/baseline.h"

#include "core/session/sessionfile.h"

#include <QCoreApplication>
#include <QFile>
#include <filesystem>

using namespace Qt::StringLiterals;

namespace sonde {

namespace {

namespace fs = std::filesystem;

struct BaselineText {
    Q_DECLARE_TR_FUNCTIONS(sonde::Baseline)
};

fs::path native(const QString &path)
{
    return fs::path(QFile::encodeName(path).toStdString());
}

Error failure(const QString &sentence, const std::error_code &reason)
{
    return Error::local(sentence.arg(QString::fromStdString(reason.message())));
}

}  // namespace

QString keptRecordingPath(const QString &path, const QDateTime &when)
{
    const qsizetype dot = path.lastIndexOf(u'.');
    const bool hasEnding = dot > path.lastIndexOf(u'/') + 1;
    const QString stem = hasEnding ? path.left(dot) : path;
    const QString ending = hasEnding ? path.mid(dot) : QString();
    return stem + u".before-"_s + when.toString(u"yyyyMMdd-HHmmss"_s) + ending;
}

Error replaceRecording(const QString &path, const QString &newPath, const QString &previousPath)
{
    const Result<std::shared_ptr<SessionFile>> old = SessionFile::open(path);
    if (!old)
        return old.error();
    if ((*old)->isBeingWritten())
        return Error::local(BaselineText::tr("%1 is still being recorded.").arg(path),
                            BaselineText::tr("Disconnect that server first."));
    std::error_code problem;
    fs::create_hard_link(native(path), native(previousPath), problem);
    if (problem && !fs::copy_file(native(path), native(previousPath), problem))
        return failure(BaselineText::tr("The previous session cannot be renamed to %1: %2").arg(previousPath), problem);
    fs::rename(native(newPath), native(path), problem);
    if (problem == std::errc::cross_device_link) {
        const QString besides = path + u".new"_s;
        problem.clear();
        fs::copy_file(native(newPath), native(besides), fs::copy_options::overwrite_existing, problem);
        if (!problem)
            fs::rename(native(besides), native(path), problem);
        std::error_code ignored;
        fs::remove(native(problem ? besides : newPath), ignored);
    }
    if (!problem)
        return {};
    std::error_code ignored;
    fs::remove(native(previousPath), ignored);
    return failure(BaselineText::tr("%1 cannot be replaced: %2").arg(path), problem);
}

}  // namespace sonde
