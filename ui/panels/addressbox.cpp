// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/addressbox.h"

#include "core/protocol/visibletext.h"
#include "ui/form/inputs.h"
#include "ui/theme/roundedframe.h"
#include "ui/theme/widgets.h"

#include <QClipboard>
#include <QGuiApplication>
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
    box->setContentsMargins(Grid + 2, Grid, Grid, Grid);
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
    auto *flush = new QVBoxLayout;
    flush->setContentsMargins(-int(whole->document()->documentMargin()), 0, 0, 0);
    flush->addWidget(whole);
    box->addLayout(flush);
    auto *copy = new FlatButton(tr("Copy URL"));
    copy->setObjectName(u"copyUrl"_s);
    copy->setFlush(true);
    connect(copy, &FlatButton::clicked, this, [address] { QGuiApplication::clipboard()->setText(address); });
    box->addWidget(copy, 0, Qt::AlignLeft);
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
