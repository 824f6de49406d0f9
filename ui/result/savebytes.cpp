// SPDX-License-Identifier: Apache-2.0
#include "ui/result/savebytes.h"

#include "core/files/savefile.h"
#include "ui/result/texts.h"

#include <QDir>
#include <QFileDialog>
#include <QStandardPaths>

namespace sonde::ui {

void saveBytesAs(QWidget *parent, const QString &suggestedName, const QByteArray &bytes,
                 std::function<void(const QString &, bool)> said)
{
    auto *dialog = new QFileDialog(parent, ResultText::tr("Save as"));
    dialog->setObjectName(QStringLiteral("saveDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setFileMode(QFileDialog::AnyFile);
    dialog->setDirectory(QStandardPaths::writableLocation(QStandardPaths::DownloadLocation));
    dialog->selectFile(suggestedName);
    QObject::connect(dialog, &QFileDialog::fileSelected, parent, [bytes, said = std::move(said)](const QString &path) {
        const Error problem = saveFile(path, bytes, ReadableBy::Usual);
        said(problem ? ResultText::tr("Not saved: %1").arg(problem.message)
                     : ResultText::tr("Saved to %1").arg(QDir::toNativeSeparators(path)),
             !problem);
    });
    dialog->open();
}

}  // namespace sonde::ui
