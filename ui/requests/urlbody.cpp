// SPDX-License-Identifier: Apache-2.0
#include "ui/requests/urlbody.h"

#include "ui/panels/addressbox.h"
#include "ui/panels/collapsibletext.h"
#include "ui/theme/opener.h"
#include "ui/theme/widgets.h"

#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace sonde::ui {

UrlBody::UrlBody(const json::Value &params, bool isTold, QWidget *parent)
    : RequestBody(parent),
      m_address(params[u"url"].string()),
      m_isFollowed(!params[u"elicitationId"].string().isEmpty()),
      m_isTold(isTold),
      m_note(new TextLabel)
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

    auto *box = new AddressBox(m_address);
    m_target = box->target();
    column->addWidget(box);
    m_note->setObjectName(u"urlNote"_s);
    m_note->setDim(true);
    m_note->setFont(smallFont());
    m_note->setWordWrap(true);
    m_note->setMinimumWidth(40);
    m_note->setHidden(isBlocked());
    column->addWidget(m_note);
    showNote(
        tr("Nothing has been opened or fetched yet. The page opens in your browser; Sonde cannot see what you enter "
           "there."));
    column->addStretch();
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
