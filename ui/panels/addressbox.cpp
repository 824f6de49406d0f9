// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/addressbox.h"

#include "core/protocol/visibletext.h"
#include "ui/form/inputs.h"
#include "ui/theme/roundedframe.h"
#include "ui/theme/widgets.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QTextCursor>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace sonde::ui {

AddressBox::AddressBox(const QString &address, QWidget *parent)
    : QWidget(parent), m_target(ConsentUrl::fromText(address))
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(Grid);
    auto *frame = new RoundedFrame(&Colors::field);
    auto *box = new QVBoxLayout(frame);
    box->setSpacing(Grid / 2);
    auto *host = new TextLabel;
    host->setObjectName(u"urlHost"_s);
    host->setFont(headingFont());
    host->setWordWrap(true);
    host->setMinimumWidth(40);
    host->setServerText(m_target.host.isEmpty() ? tr("(no host)") : m_target.host);
    host->setAccessibleName(tr("Host: %1").arg(host->text()));
    box->addWidget(host);
    const QString shown = visibleText(address, {false});
    auto *whole = new GrowingTextEdit;
    whole->setObjectName(u"urlAddress"_s);
    whole->setAccessibleName(tr("The whole URL"));
    whole->setLines(1, 8);
    whole->setFont(monoFont());
    whole->setFrameShape(QFrame::NoFrame);
    whole->setWordWrapMode(QTextOption::WrapAnywhere);
    whole->setText(shown);
    whole->setReadOnly(true);
    whole->viewport()->setAutoFillBackground(false);
    if (m_target.hostLength > 0 && whole->toPlainText() == shown) {
        QTextCursor cursor(whole->document());
        cursor.setPosition(int(m_target.hostStart));
        cursor.setPosition(int(m_target.hostStart + m_target.hostLength), QTextCursor::KeepAnchor);
        QTextCharFormat strong;
        strong.setFontWeight(QFont::Bold);
        cursor.mergeCharFormat(strong);
    }
    box->addWidget(whole);
    // The text box has a margin of its own; the rest lines up with its text.
    const int inset = int(whole->document()->documentMargin());
    box->setContentsMargins(Grid + 2 - inset, Grid, Grid, Grid);
    host->setContentsMargins(inset, 0, 0, 0);
    auto *copy = new FlatButton(tr("Copy URL"));
    copy->setObjectName(u"copyUrl"_s);
    copy->setFlush(true);
    connect(copy, &FlatButton::clicked, this, [address] { QGuiApplication::clipboard()->setText(address); });
    auto *copyRow = new QHBoxLayout;
    copyRow->setContentsMargins(inset, 0, 0, 0);
    copyRow->addWidget(copy);
    copyRow->addStretch(1);
    box->addLayout(copyRow);
    column->addWidget(frame);

    const auto addLine = [column](const QString &name, const QString &text, Tone tone) {
        auto *label = new TextLabel(sign(tone) + u' ' + text);
        label->setObjectName(name);
        label->setTone(tone);
        label->setWordWrap(true);
        label->setMinimumWidth(40);
        column->addWidget(label);
    };
    if (!m_target.refusal.isEmpty())
        addLine(u"urlRefusal"_s, m_target.refusal, Tone::ProtocolError);
    for (const QString &warning : m_target.warnings)
        addLine(u"urlWarning"_s, warning, Tone::ToolError);
}

}  // namespace sonde::ui
