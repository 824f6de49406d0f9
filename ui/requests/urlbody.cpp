// SPDX-License-Identifier: Apache-2.0
#include "ui/requests/urlbody.h"

#include "core/protocol/visibletext.h"
#include "ui/form/inputs.h"
#include "ui/panels/collapsibletext.h"
#include "ui/theme/roundedframe.h"
#include "ui/theme/widgets.h"

#include <QClipboard>
#include <QDesktopServices>
#include <QGuiApplication>
#include <QTextCursor>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace sonde::ui {

UrlBody::UrlBody(const json::Value &params, bool isTold, QWidget *parent)
    : RequestBody(parent),
      m_target(ConsentUrl::fromText(params[u"url"].string())),
      m_isFollowed(!params[u"elicitationId"].string().isEmpty())
{
    QWidget *page = addScrolledPage(this);
    page->setAutoFillBackground(false);
    page->parentWidget()->setAutoFillBackground(false);
    auto *column = new QVBoxLayout(page);
    column->setContentsMargins(1, 0, Grid / 2, Grid);
    column->setSpacing(Grid);
    auto *message = new CollapsibleText;
    message->setObjectName(u"requestMessage"_s);
    message->setDim(false);
    message->setServerText(params[u"message"].string());
    column->addWidget(message);

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
    const QString address = params[u"url"].string();
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
    if (isBlocked())
        addLine(u"urlRefusal"_s, m_target.refusal, Tone::ProtocolError);
    for (const QString &warning : std::as_const(m_target.warnings))
        addLine(u"urlWarning"_s, warning, Tone::ToolError);
    auto *note = new TextLabel(
        tr("Nothing was opened or fetched so far. The page opens in your browser; Sonde does not see what you enter "
           "there. %1")
            .arg(isTold ? tr("The server learns only that you agreed.")
                        : tr("The call ended with an error that requires this page; Sonde sends nothing to the server "
                             "until you try the call again.")));
    note->setObjectName(u"urlNote"_s);
    note->setDim(true);
    note->setFont(smallFont());
    note->setWordWrap(true);
    note->setMinimumWidth(40);
    note->setHidden(isBlocked());
    column->addWidget(note);
    column->addStretch();
}

QString UrlBody::kindName() const
{
    return tr("elicitation · URL");
}

QString UrlBody::acceptText() const
{
    return m_hasFailed ? tr("Accept") : tr("Accept and open");
}

// Consent only: it has no content.
QByteArray UrlBody::result() const
{
    return R"({"action":"accept"})";
}

QString UrlBody::problem() const
{
    if (m_hasFailed)
        return tr("No browser could be started. Copy the URL, open it yourself, then accept.");
    return m_target.refusal;
}

bool UrlBody::carryOut()
{
    if (m_hasFailed)
        return true;
    m_hasFailed = !QDesktopServices::openUrl(m_target.url);
    if (m_hasFailed)
        Q_EMIT changed();
    return !m_hasFailed;
}

}  // namespace sonde::ui
