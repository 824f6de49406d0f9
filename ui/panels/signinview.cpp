// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/signinview.h"

#include "core/authorization/oauth.h"
#include "core/authorization/pkce.h"
#include "core/calls/exchange.h"
#include "core/protocol/numbertext.h"
#include "core/protocol/visibletext.h"
#include "ui/json/fittedtextview.h"
#include "ui/json/jsontreeview.h"
#include "ui/panels/addressbox.h"
#include "ui/panels/factrows.h"
#include "ui/panels/steprows.h"
#include "ui/theme/flowlayout.h"
#include "ui/theme/lineinput.h"
#include "ui/theme/opener.h"
#include "ui/theme/roundedframe.h"
#include "ui/theme/widgets.h"
#include "ui/timeline/details/recordhttp.h"

#include <QApplication>
#include <QDateTime>
#include <QLocale>
#include <QPushButton>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

constexpr int ExpiryIntervalMs = 1000;
constexpr int MaxDetailsHeight = 320;
constexpr int MaxClaimsHeight = 200;

// The middle one of three parts of a JSON Web Token; empty for other tokens.
QByteArray claimsIn(const QByteArray &token)
{
    const QByteArrayList parts = token.split('.');
    if (parts.size() != 3)
        return {};
    const QByteArray payload = QByteArray::fromBase64(parts.at(1), Base64Url);
    return json::Document::parse(payload).root().isObject() ? payload : QByteArray();
}

QString untilText(const QDateTime &time, bool isRefreshed)
{
    const qint64 seconds = QDateTime::currentDateTimeUtc().secsTo(time);
    const QString clock = QLocale().toString(time.toLocalTime(), QLocale::ShortFormat);
    if (seconds <= 0)
        return (isRefreshed ? SignInView::tr("%1 (refreshed with the next request)") : SignInView::tr("%1 (expired)"))
            .arg(clock);
    if (seconds < 120)
        return SignInView::tr("%1 (in %2 s)").arg(clock).arg(seconds);
    if (seconds < 7200)
        return SignInView::tr("%1 (in %2 min)").arg(clock).arg(seconds / 60);
    return SignInView::tr("%1 (in %2 h)").arg(clock).arg(seconds / 3600);
}

QPushButton *button(const QString &text, const QString &name)
{
    auto *made = new QPushButton(text);
    made->setObjectName(name);
    return made;
}

}  // namespace

SignInView::SignInView(QWidget *parent)
    : QWidget(parent),
      m_badge(new Badge),
      m_message(new TextLabel),
      m_signInButton(button(tr("Sign in"), u"signIn"_s)),
      m_refreshButton(button(tr("Refresh now"), u"refreshTokens"_s)),
      m_signOutButton(button(tr("Sign out"), u"signOut"_s)),
      m_cancelButton(button(tr("Cancel sign-in"), u"cancelSignIn"_s)),
      m_visit(new QWidget),
      m_visitColumn(new QVBoxLayout(m_visit)),
      m_visitText(new TextLabel),
      m_openButton(new PrimaryButton(tr("Open in browser"))),
      m_pasted(new LineInput),
      m_pasteButton(button(tr("Continue"), u"takeAddress"_s)),
      m_pasteProblem(new TextLabel),
      m_facts(new FactRows),
      m_claims(new JsonTreeView),
      m_steps(new StepRows(StepRows::Lines::None)),
      m_details(new FittedTextView(MaxDetailsHeight))
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, Grid, 0, Grid);
    column->setSpacing(Grid);
    auto *head = new QHBoxLayout;
    head->setSpacing(Grid);
    auto *title = new TextLabel(tr("Sign-in"));
    title->setStrong();
    m_badge->setObjectName(u"signInState"_s);
    head->addWidget(title);
    head->addWidget(m_badge);
    head->addStretch(1);
    auto *buttons = new FlowLayout;
    buttons->setSpacing(Grid);
    m_signOutButton->setToolTip(
        tr("Deletes the tokens here and in the keychain, and has the authorization server revoke them."));
    for (QPushButton *each : {m_cancelButton, m_signInButton, m_refreshButton, m_signOutButton})
        buttons->addWidget(each);
    head->addLayout(buttons);
    column->addLayout(head);
    m_message->setObjectName(u"signInMessage"_s);
    m_message->setWordWrap(true);
    m_message->setMinimumWidth(40);
    column->addWidget(m_message);

    m_visitColumn->setContentsMargins(0, 0, 0, 0);
    m_visitColumn->setSpacing(Grid);
    m_visitText->setObjectName(u"signInPageText"_s);
    m_visitText->setWordWrap(true);
    m_visitText->setMinimumWidth(40);
    m_visitColumn->addWidget(m_visitText);
    m_openButton->setObjectName(u"openSignInPage"_s);
    m_openButton->setMinimumHeight(inputHeight());
    auto *pasteRow = new QHBoxLayout;
    pasteRow->setSpacing(Grid);
    m_pasted->setObjectName(u"signInAddress"_s);
    m_pasted->setAccessibleName(tr("URL that the browser was redirected to"));
    m_pasted->setPlaceholderText(tr("On another computer? Paste the redirected URL"));
    pasteRow->addWidget(m_pasted, 1);
    pasteRow->addWidget(m_pasteButton);
    m_pasteProblem->setTone(Tone::ProtocolError);
    m_pasteProblem->setObjectName(u"signInAddressProblem"_s);
    m_pasteProblem->setWordWrap(true);
    m_pasteProblem->hide();
    m_visitColumn->addWidget(m_openButton, 0, Qt::AlignLeft);
    m_visitColumn->addLayout(pasteRow);
    m_visitColumn->addWidget(m_pasteProblem);
    column->addWidget(m_visit);

    m_steps->setObjectName(u"signInStep"_s);
    column->addWidget(m_steps);
    connect(m_steps, &StepRows::linkChosen, this, [this](int row) {
        m_openStep = m_openStep == row ? -1 : row;
        showDetails();
    });
    m_details->setObjectName(u"signInDetails"_s);
    m_details->setAccessibleName(tr("Requests and responses of the step"));
    m_details->hide();
    column->addWidget(m_details);
    column->addLayout(m_facts);
    m_claims->setObjectName(u"tokenClaims"_s);
    m_claims->setAccessibleName(tr("Claims of the access token"));
    m_claims->setFixedHeight(MaxClaimsHeight);
    column->addWidget(m_claims);
    column->addWidget(new Line(Qt::Horizontal));

    connect(m_openButton, &QPushButton::clicked, this, &SignInView::openPage);
    connect(m_pasteButton, &QPushButton::clicked, this, &SignInView::submitAddress);
    connect(m_pasted, &QLineEdit::returnPressed, this, &SignInView::submitAddress);
    connect(m_signInButton, &QPushButton::clicked, this, [this] {
        if (m_signIn)
            m_signIn->signIn();
    });
    connect(m_refreshButton, &QPushButton::clicked, this, [this] {
        if (m_signIn)
            m_signIn->refresh();
    });
    connect(m_signOutButton, &QPushButton::clicked, this, [this] {
        if (m_signIn)
            m_signIn->signOut();
    });
    connect(m_cancelButton, &QPushButton::clicked, this, [this] {
        if (m_signIn)
            m_signIn->cancel(OAuth::Others::GoOn);
    });
    m_clock.setInterval(ExpiryIntervalMs);
    connect(&m_clock, &QTimer::timeout, this, [this] {
        if (!isVisible())
            return;
        showState();
        showTokens();
    });
    refresh();
}

void SignInView::setConnection(Connection *connection)
{
    if (m_connection == connection)
        return;
    if (m_connection)
        m_connection->disconnect(this);
    m_connection = connection;
    if (connection)
        connect(connection, &Connection::signInChanged, this, &SignInView::follow);
    follow();
}

void SignInView::follow()
{
    if (m_signIn)
        m_signIn->disconnect(this);
    m_signIn = m_connection ? m_connection->signIn() : nullptr;
    if (m_signIn)
        connect(m_signIn, &OAuth::changed, this, &SignInView::refresh);
    m_openStep = -1;
    refresh();
}

void SignInView::refresh()
{
    const bool hasAnything = m_signIn && (m_signIn->isBusy() || m_signIn->isSignedIn() || !m_signIn->steps().isEmpty());
    setVisible(hasAnything);
    if (!hasAnything) {
        m_clock.stop();
        return;
    }
    showState();
    showPage();
    showSteps();
    showTokens();
}

QWidget *SignInView::openButton() const
{
    return m_openButton;
}

// A button that is hidden hands the focus to whatever comes next in the window, and the page would scroll there.
void SignInView::setShown(QWidget *part, bool isShown)
{
    const QWidget *focus = QApplication::focusWidget();
    if (!isShown && focus && (focus == part || part->isAncestorOf(focus)))
        setFocus();
    part->setVisible(isShown);
}

void SignInView::showState()
{
    const bool isBusy = m_signIn->isBusy();
    const bool isSignedIn = m_signIn->isSignedIn();
    const Error &error = m_signIn->error();
    if (isBusy && !m_signIn->page().isEmpty())
        m_badge->setContent(tr("waiting for you"), Tone::Asks);
    else if (isBusy)
        m_badge->setContent(m_signIn->isWaitingForOthers() ? tr("another Sonde is signing in") : tr("in progress"),
                            Tone::Accent);
    else if (error && !m_signIn->hasGoodToken())
        m_badge->setContent(sign(Tone::ProtocolError) + u' ' + tr("failed"), Tone::ProtocolError);
    else if (isSignedIn && m_signIn->tokens().hasExpired() && m_signIn->tokens().refreshToken.isEmpty())
        m_badge->setContent(sign(Tone::ToolError) + u' ' + tr("sign-in expired"), Tone::ToolError);
    else if (isSignedIn)
        m_badge->setContent(sign(Tone::Ok) + u' ' + tr("signed in"), Tone::Ok);
    else
        m_badge->setContent(tr("not signed in"), Tone::Neutral);
    const QString text = messageText();
    m_message->setVisible(!text.isEmpty());
    m_message->setTone(isBusy                                          ? Tone::Asks
                       : error && error.kind != Error::Kind::Cancelled ? Tone::ProtocolError
                                                                       : Tone::ToolError);
    m_message->setText(text);
    m_message->setToolTip(plainToolTip(error ? error.detail : m_signIn->keepError().detail));
    // A start that waits for the sign-in is cancelled with it.
    setShown(m_cancelButton,
             m_signIn->mayCancel() && m_connection && m_connection->state() != Connection::State::Connecting);
    setShown(m_signInButton, !isBusy);
    m_signInButton->setText(isSignedIn ? tr("Sign in again") : tr("Sign in"));
    setShown(m_refreshButton, !isBusy && !m_signIn->tokens().refreshToken.isEmpty());
    setShown(m_signOutButton, !isBusy && isSignedIn);
}

QString SignInView::messageText() const
{
    const QString needed = m_signIn->stepUp().isNeeded() ? m_signIn->stepUp().sentence() + u' ' : QString();
    if (m_signIn->isBusy())
        return needed.trimmed();
    if (const Error &error = m_signIn->error()) {
        const QString rest = m_signIn->hasGoodToken() ? tr("Scopes granted before are still valid.") : error.hint;
        return visibleText(needed + error.message + u' ' + rest).trimmed();
    }
    if (const Error &lost = m_signIn->keepError())
        return tr("Kept for this session only: %1 %2").arg(lost.message, lost.hint);
    return m_signIn->revocationError().hint;  // its step says why
}

void SignInView::showPage()
{
    const QUrl page = m_signIn->page();
    setShown(m_visit, !page.isEmpty());
    if (page == m_shownPage)
        return;
    m_shownPage = page;
    delete std::exchange(m_address, nullptr);
    m_pasted->clear();
    m_pasteProblem->hide();
    if (page.isEmpty())
        return;
    m_visitText->setText(
        tr("The sign-in continues in your browser, at this address. Nothing has been opened yet. Sonde cannot see what "
           "you enter there."));
    m_address = new AddressBox(page.toString(QUrl::FullyEncoded));
    m_visitColumn->insertWidget(1, m_address);
    m_openButton->setEnabled(m_address->target().refusal.isEmpty());
    m_openButton->setText(tr("Open %1 in browser").arg(visibleLine(m_address->target().host, 60)));
}

void SignInView::openPage()
{
    if (!m_address)
        return;
    if (openAddress(m_address->target().url.toString(QUrl::FullyEncoded))) {
        m_visitText->setText(
            tr("This address was opened in your browser, where the sign-in continues. Sonde cannot see what you enter "
               "there."));
        return;
    }
    m_pasteProblem->setText(tr("No browser could be started. Copy the URL and open it yourself."));
    m_pasteProblem->show();
}

void SignInView::submitAddress()
{
    if (!m_signIn || m_pasted->text().trimmed().isEmpty())
        return;
    const Error error = m_signIn->receiveCallback(QUrl(m_pasted->text().trimmed()));
    m_pasteProblem->setVisible(bool(error));
    m_pasteProblem->setText(error.message + u' ' + error.hint);
}

// A click on a step shows what was sent and received in it.
void SignInView::showSteps()
{
    const QList<SignInStep> steps = m_signIn->steps();
    const bool isSame =
        std::equal(steps.begin(), steps.end(), m_shownSteps.begin(), m_shownSteps.end(),
                   [](const SignInStep &a, const SignInStep &b) {
                       return static_cast<const Step &>(a) == static_cast<const Step &>(b) && a.streams == b.streams;
                   });
    if (isSame)
        return;
    m_shownSteps = steps;
    QList<StepRows::Row> rows;
    for (const SignInStep &step : steps) {
        StepRows::Row row{step};
        if (step.text.isEmpty() && step.state == Step::State::Waiting)
            row.step.text = tr("not reached");
        else if (step.text.isEmpty() && step.state == Step::State::Skipped)
            row.step.text = tr("not needed");
        const qsizetype count = step.streams.size();
        if (count > 0)
            row.link = counted(count, tr("1 request"), tr("%1 requests"));
        rows.append(row);
    }
    m_steps->setRows(rows);
    // A failure is what one wants to look into.
    for (int row = 0; row < int(steps.size()); ++row) {
        if (steps.at(row).state == Step::State::Failed && !steps.at(row).streams.isEmpty())
            m_openStep = row;
    }
    showDetails();
}

QByteArray SignInView::detailsOf(const SignInStep &step) const
{
    if (!m_connection)
        return {};
    Session &session = *m_connection->session();
    QByteArray text;
    for (const HttpExchangeRows &exchange : httpExchangesOf(session, step.streams)) {
        if (exchange.request < 0)
            continue;
        const QByteArray whole = headersText(session, exchange);
        const qsizetype gap = whole.indexOf("\n\n");
        const QByteArray sent = session.bytes(exchange.request);
        text += (text.isEmpty() ? "" : "\n") + whole.left(gap + 1);
        if (!sent.isEmpty())
            text += '\n' + sent + '\n';
        text += whole.mid(gap + 1);
        if (exchange.response >= 0 && !session.bytes(exchange.response).isEmpty())
            text += '\n' + session.bytes(exchange.response) + '\n';
    }
    return text;
}

void SignInView::showDetails()
{
    const bool isShown = m_openStep >= 0 && m_openStep < m_shownSteps.size();
    m_details->setVisible(isShown);
    if (isShown)
        m_details->setText(detailsOf(m_shownSteps.at(m_openStep)));
    m_details->fit();
}

void SignInView::showTokens()
{
    const TokenSet &tokens = m_signIn ? m_signIn->tokens() : TokenSet();
    if (tokens.accessToken.isEmpty()) {
        m_facts->setFacts({});
        m_claims->hide();
        m_clock.stop();
        return;
    }
    const QByteArray claims = claimsIn(tokens.accessToken);
    QString kind = tokens.isBound ? tr("DPoP, bound to a key on this computer") : tr("Bearer");
    if (claims.isEmpty())
        kind += tr(" · opaque, without readable claims");
    m_facts->setFacts({
        {tr("Signed in at"), visibleText(tokens.issuer)},
        {tr("Scopes"), tokens.scopes.isEmpty() ? tr("not specified") : visibleText(tokens.scopes.join(u' '))},
        {tr("Valid until"), tokens.expiresAt.isValid() ? untilText(tokens.expiresAt, !tokens.refreshToken.isEmpty())
                                                       : tr("not specified")},
        {tr("Token"), kind},
        {tr("Refresh token"), tokens.refreshToken.isEmpty() ? tr("none; sign in again when the token has expired")
                                                            : tr("yes, used automatically")},
    });
    m_claims->setVisible(!claims.isEmpty());
    if (m_shownToken != tokens.accessToken && !claims.isEmpty())
        m_claims->setValue(json::parse(claims), tr("claims"));
    m_shownToken = tokens.accessToken;
    if (tokens.expiresAt.isValid())
        m_clock.start();
}

}  // namespace sonde::ui
