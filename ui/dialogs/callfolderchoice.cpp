// SPDX-License-Identifier: Apache-2.0
#include "ui/dialogs/callfolderchoice.h"

#include "core/protocol/visibletext.h"
#include "ui/theme/theme.h"

#include <QComboBox>
#include <QDir>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QPushButton>
#include <QStandardPaths>

using namespace Qt::StringLiterals;

namespace sonde::ui {

CallFolderChoice::CallFolderChoice(const QString &name, const QStringList &folders, QWidget *parent)
    : QWidget(parent), m_name(name), m_folder(new QComboBox)
{
    m_folder->setObjectName(name + u"Folder"_s);
    m_folder->setAccessibleName(tr("Folder"));
    m_folder->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_folder->setMinimumContentsLength(20);
    m_folder->setPlaceholderText(tr("No folder chosen"));
    for (const QString &folder : folders)
        m_folder->addItem(visibleLine(QDir::toNativeSeparators(folder)), folder);
    m_folder->setCurrentIndex(folders.isEmpty() ? -1 : 0);  // with a placeholder text, none is chosen by itself
    auto *other = new QPushButton(tr("Choose folder…"));
    other->setObjectName(name + u"Other"_s);
    other->setAutoDefault(false);  // Enter accepts the dialog
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(Grid);
    row->addWidget(m_folder, 1);
    row->addWidget(other);
    setFocusProxy(m_folder);
    connect(m_folder, &QComboBox::currentIndexChanged, this, &CallFolderChoice::changed);
    connect(other, &QPushButton::clicked, this, &CallFolderChoice::choose);
}

QString CallFolderChoice::labelText()
{
    return tr("&Folder");
}

QString CallFolderChoice::folder() const
{
    return m_folder->currentData().toString();
}

QString CallFolderChoice::problem() const
{
    return m_folder->currentIndex() < 0 ? tr("Choose a folder, such as one next to the server's source code.")
                                        : QString();
}

void CallFolderChoice::choose()
{
    auto *dialog = new QFileDialog(this, tr("Folder of saved calls"));
    dialog->setObjectName(m_name + u"FolderDialog"_s);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly);
    dialog->setDirectory(
        m_folder->currentIndex() < 0 ? QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation) : folder());
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString &path) {
        const QString folder = QDir::cleanPath(path);
        if (m_folder->findData(folder) < 0)
            m_folder->addItem(visibleLine(QDir::toNativeSeparators(folder)), folder);
        m_folder->setCurrentIndex(m_folder->findData(folder));
        Q_EMIT chosen();
    });
    dialog->open();
}

}  // namespace sonde::ui
