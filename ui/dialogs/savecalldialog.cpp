// SPDX-License-Identifier: Apache-2.0
#include "ui/dialogs/savecalldialog.h"

#include "core/protocol/visibletext.h"
#include "ui/theme/lineinput.h"
#include "ui/theme/widgets.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QStandardPaths>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace sonde::ui {

SaveCallDialog::SaveCallDialog(const NewSavedCall &made, const QStringList &folders, QWidget *parent)
    : FormDialog(u"saveCall"_s, tr("Save"), parent, 520),
      m_made(made),
      m_name(new LineInput),
      m_folder(new QComboBox),
      m_expects(new QCheckBox)
{
    setWindowTitle(tr("Save as saved call"));
    setObjectName(u"saveCallDialog"_s);
    QFormLayout *form = makeForm();
    m_name->setObjectName(u"saveCallName"_s);
    m_name->setText(made.call.name);
    form->addRow(tr("&Name"), m_name);

    m_folder->setObjectName(u"saveCallFolder"_s);
    m_folder->setAccessibleName(tr("Folder"));
    m_folder->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_folder->setMinimumContentsLength(20);
    m_folder->setPlaceholderText(tr("No folder chosen"));
    for (const QString &folder : folders)
        m_folder->addItem(visibleLine(QDir::toNativeSeparators(folder)), folder);
    m_folder->setCurrentIndex(folders.isEmpty() ? -1 : 0);  // with a placeholder text, none is chosen by itself
    auto *other = new QPushButton(tr("Choose folder…"));
    other->setObjectName(u"saveCallOther"_s);
    other->setAutoDefault(false);  // Enter in the name saves
    auto *row = new QHBoxLayout;
    row->setSpacing(Grid);
    row->addWidget(m_folder, 1);
    row->addWidget(other);
    auto *label = new QLabel(tr("&Folder"));
    label->setBuddy(m_folder);
    form->addRow(label, row);

    const bool isError = made.call.expect.outcome == Outcome::Kind::ProtocolError;
    m_expects->setObjectName(u"saveCallExpects"_s);
    m_expects->setText(isError ? tr("Expect the &same error") : tr("Expect the &same result"));
    m_expects->setToolTip(tr("Otherwise any response with the same outcome passes"));
    m_expects->setVisible(made.response.exists());
    form->addRow(tr("Expectation"), m_expects);
    form->labelForField(m_expects)->setVisible(made.response.exists());
    m_column->addLayout(form);
    m_column->addStretch(1);
    addMessageAndButtons();
    connect(m_name, &QLineEdit::textChanged, this, &SaveCallDialog::updateState);
    connect(m_folder, &QComboBox::currentIndexChanged, this, &SaveCallDialog::updateState);
    connect(other, &QPushButton::clicked, this, &SaveCallDialog::chooseFolder);
    // Enter must not replace what nobody has named.
    for (int number = 2; !folders.isEmpty() && QFileInfo::exists(call().path) && number < 1000; ++number)
        m_name->setText(u"%1-%2"_s.arg(made.call.name).arg(number));
    m_name->selectAll();
    updateState();
}

void SaveCallDialog::chooseFolder()
{
    auto *dialog = new QFileDialog(this, tr("Folder of saved calls"));
    dialog->setObjectName(u"saveCallFolderDialog"_s);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly);
    dialog->setDirectory(
        m_folder->currentIndex() < 0 ? QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation) : folder());
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString &path) {
        const QString chosen = QDir::cleanPath(path);
        if (m_folder->findData(chosen) < 0)
            m_folder->addItem(visibleLine(QDir::toNativeSeparators(chosen)), chosen);
        m_folder->setCurrentIndex(m_folder->findData(chosen));
        m_name->setFocus();
    });
    dialog->open();
}

QString SaveCallDialog::folder() const
{
    return m_folder->currentData().toString();
}

SavedCall SaveCallDialog::call() const
{
    SavedCall call = m_made.call;
    call.name = m_name->text().trimmed();
    call.path = QDir(folder()).filePath(call.name + SavedCall::fileEnding());
    if (m_expects->isChecked() && call.expect.outcome == Outcome::Kind::ProtocolError)
        call.expect.error = m_made.response;
    else if (m_expects->isChecked())
        call.expect.result = m_made.response;
    return call;
}

QString SaveCallDialog::problem() const
{
    const QString name = m_name->text().trimmed();
    if (const QString wrong = problemOfCallName(name); !wrong.isEmpty())
        return wrong;
    return m_folder->currentIndex() < 0 ? tr("Choose a folder, such as one beside the source of the server.")
                                        : QString();
}

void SaveCallDialog::updateState()
{
    const QString wrong = problem();
    const SavedCall saved = call();
    const bool isThere = wrong.isEmpty() && QFileInfo::exists(saved.path);
    m_ok->setEnabled(wrong.isEmpty());
    m_ok->setText(isThere ? tr("Replace") : tr("Save"));
    QStringList lines;
    if (!wrong.isEmpty())
        lines << wrong;
    else
        lines << (isThere ? tr("Replaces %1.") : tr("Creates %1.")).arg(saved.fileName());
    if (!m_made.variables.isEmpty())
        lines << tr("Secrets are not saved: they are read from the environment variables %1.")
                     .arg(m_made.variables.join(u", "_s));
    m_message->setServerText(lines.join(u'\n'));
    m_message->setTone(isThere ? Tone::ToolError : Tone::Neutral);
}

}  // namespace sonde::ui
