// SPDX-License-Identifier: Apache-2.0
#include "ui/requests/urlbody.h"

#include "ui/panels/addressbox.h"
#include "ui/panels/collapsibletext.h"
#include "ui/theme/opener.h"
#include "ui/theme/widgets.h"

#include <QEvent>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace sonde::ui {

UrlBody::UrlBody(const json::Value &params, bool isTold, QWidget *parent)
    : RequestBody(parent),
      m_address(params[u"url"].string()),
      m_isFollowed(!params[u"elicitationId"].string().isEmpty()),
      m_isTold(isTold),
      m_note(new TextLabel),
      m_page(addScrolledPage(this))
{
    m_page->setAutoFillBackground(false);
    m_page->parentWidget()->setAutoFillBackground(false);
    m_page->installEventFilter(this);
    auto *column = new QVBoxLayout(m_page);
    column->setContentsMargins(1, 0, Grid / 2, Grid);
    column->setSpacing(Grid);
    auto *message = new CollapsibleText;
    message->setObjectName(u"requestMessage"_s);
    message->setDim(false);
    column->addWidget(message);
    message->setServerText(params[u"message"].string());

    auto *box = new AddressBox(m_address);
    m_target = box->target();
    column->addWidget(box);
    m_note->setObjectName(u"urlNote"_s);
    m_note->setDim(true);
    m_note->setFont(smallFont());
    m_note->setWordWrap(true);
    m_note->setMinimumWidth(40);
    column->addWidget(m_note);
    m_note->setHidden(isBlocked());
    showNote(
        tr("Nothing has been opened or fetched yet. The page opens in your browser; Sonde cannot see what you enter "
           "there."));
    column->addStretch();
}

QSize UrlBody::sizeHint() const
{
    return {RequestBody::sizeHint().width(), m_page->heightForWidth(width())};
}

bool UrlBody::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_page && (event->type() == QEvent::LayoutRequest || event->type() == QEvent::Resize))
        updateGeometry();
    return RequestBody::eventFilter(watched, event);
}

void UrlBody::showNote(const QString &text)
{
    m_note->setText(text + u' ' +
                    (m_isTold ? tr("The server is told only that you accepted.")
                              : tr("The call ended with an error that requires this page; Sonde sends nothing to the "
                                   "server until you try the call again.")));
}

QString UrlBody::kindName() const
{
    return tr("elicitation · URL");
}

// A button that decides nothing.
void UrlBody::focusFirst()
{
    findChild<FlatButton *>(u"copyUrl"_s)->setFocus();
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
    m_hasFailed = !openAddress(m_address);
    if (m_hasFailed)
        Q_EMIT changed();
    else
        showNote(tr("The page was opened in your browser; Sonde cannot see what you enter there."));
    return !m_hasFailed;
}

}  // namespace sonde::ui
