// SPDX-License-Identifier: Apache-2.0
#include "ui/dialogs/senddialog.h"

#include "core/json/builder.h"
#include "core/protocol/message.h"
#include "ui/form/jsoneditor.h"
#include "ui/theme/widgets.h"

#include <QDialogButtonBox>
#include <QPlainTextEdit>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace sonde::ui {

SendDialog::SendDialog(const QByteArray &message, QWidget *parent)
    : QDialog(parent), m_editor(new JsonEditor), m_remark(new TextLabel)
{
    setWindowTitle(tr("Edit and send"));
    resize(680, 480);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(2 * Grid, 2 * Grid, 2 * Grid, 2 * Grid);
    column->setSpacing(Grid);
    m_editor->setObjectName(u"messageEditor"_s);
    m_editor->edit()->setAccessibleName(tr("Message"));
    const json::Document document = json::Document::parse(message);
    m_editor->setJson(document.isValid() ? json::indented(document.root()) : message);
    column->addWidget(m_editor, 1);
    m_remark->setWordWrap(true);
    m_remark->setDim(true);
    column->addWidget(m_remark);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
    auto *send = new PrimaryButton(tr("Send  Ctrl+↵"));
    send->setObjectName(u"sendMessage"_s);
    send->setMinimumSize(130, 28);
    buttons->addButton(send, QDialogButtonBox::AcceptRole);
    column->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_editor, &JsonEditor::submitted, this, &QDialog::accept);
    connect(m_editor, &JsonEditor::changed, this, &SendDialog::updateRemark);
    updateRemark();
}

QByteArray SendDialog::message() const
{
    const QByteArray typed = m_editor->json();
    const json::Document document = json::Document::parse(typed);
    // One line is one message: white space outside of strings is ours, so it goes.
    return document.isValid() ? json::compact(document.root()) : QByteArray(typed).replace('\n', ' ');
}

void SendDialog::updateRemark()
{
    const Message parsed = Message::parse(message());
    QStringList remarks = parsed.problems();
    if (remarks.isEmpty() && parsed.kind() == Message::Kind::Request)
        remarks << tr(
            "The id is sent as it stands; an id that is waiting for an answer is an error of ours on purpose.");
    m_remark->setServerText(remarks.join(u'\n'));
}

}  // namespace sonde::ui
