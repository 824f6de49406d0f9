// SPDX-License-Identifier: Apache-2.0
#include "ui/dialogs/savecalldialog.h"

#include "core/protocol/visibletext.h"
#include "ui/dialogs/callfolderchoice.h"
#include "ui/theme/lineinput.h"
#include "ui/theme/widgets.h"

#include <QCheckBox>
#include <QDir>
#include <QFileInfo>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace sonde::ui {

SaveCallDialog::SaveCallDialog(const NewSavedCall &made, const QStringList &folders, QWidget *parent)
    : FormDialog(u"saveCall"_s, tr("Save"), parent, 520),
      m_made(made),
      m_name(new LineInput),
      m_folder(new CallFolderChoice(u"saveCall"_s, folders)),
      m_expects(new QCheckBox)
{
    setWindowTitle(tr("Save as saved call"));
    setObjectName(u"saveCallDialog"_s);
    QFormLayout *form = makeForm();
    m_name->setObjectName(u"saveCallName"_s);
    m_name->setText(made.call.name);
    form->addRow(tr("&Name"), m_name);

    auto *label = new QLabel(CallFolderChoice::labelText());
    label->setBuddy(m_folder);
    form->addRow(label, m_folder);

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
    connect(m_folder, &CallFolderChoice::changed, this, &SaveCallDialog::updateState);
    connect(m_folder, &CallFolderChoice::chosen, m_name, qOverload<>(&QWidget::setFocus));
    // While no folder is chosen, Enter leads there. Later: it would also press the default button of what opens.
    const auto chooseFolder = [this] {
        if (problemOfCallName(m_name->text().trimmed()).isEmpty() && !m_folder->problem().isEmpty())
            m_folder->choose();
    };
    connect(m_name, &QLineEdit::returnPressed, this, chooseFolder, Qt::QueuedConnection);
    // Enter must not replace what nobody has named.
    for (int number = 2; !folders.isEmpty() && QFileInfo::exists(call().path) && number < 1000; ++number)
        m_name->setText(u"%1-%2"_s.arg(made.call.name).arg(number));
    m_name->selectAll();
    updateState();
}

QString SaveCallDialog::folder() const
{
    return m_folder->folder();
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
    return m_folder->problem();
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
