// SPDX-License-Identifier: Apache-2.0
#include "ui/requests/requestpage.h"

#include "core/client/responsecheck.h"
#include "core/protocol/visibletext.h"
#include "ui/panels/problemline.h"
#include "ui/requests/formbody.h"
#include "ui/requests/samplingbody.h"
#include "ui/requests/urlbody.h"
#include "ui/theme/flowlayout.h"
#include "ui/theme/widgets.h"

#include <QHBoxLayout>
#include <QMenu>
#include <QPainter>
#include <QShowEvent>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

constexpr int ArmingMs = 500;
constexpr qsizetype MaxReasonLength = 160;  // more would leave no room in a small window

// The usual grey of lines is lost on the violet of the panel.
class RequestLine final : public Line {
public:
    RequestLine() : Line(Qt::Horizontal) {}

protected:
    void paintEvent(QPaintEvent *) override
    {
        QColor tint = color(Tone::Asks);
        tint.setAlphaF(0.4F);
        QPainter(this).fillRect(rect(), tint);
    }
};

RequestBody *makeBody(const InputRequest &request)
{
    if (request.kind() == InputRequest::Kind::Sampling)
        return new SamplingBody(request.params());
    if (request.params()[u"mode"].string() == u"url")
        return new UrlBody(request.params(), !isRequiredByError(request));
    return new FormBody(request.params());
}

}  // namespace

RequestPage::RequestPage(const WaitingRequest &waiting, QWidget *parent)
    : QWidget(parent),
      m_waiting(waiting),
      m_isTold(!isRequiredByError(*waiting.request)),
      m_body(makeBody(*waiting.request)),
      m_title(new TextLabel),
      m_kind(new TextLabel),
      m_time(new TextLabel),
      m_call(new TextLabel),
      m_end(new Banner),
      m_problem(new ProblemLine),
      m_accept(new PrimaryButton(m_body->acceptText())),
      m_decline(new QPushButton(tr("Decline"))),
      m_cancel(new QPushButton(tr("Cancel"))),
      m_close(new QPushButton(tr("Close"))),
      m_more(new QToolButton),
      m_menu(new QMenu(m_more))
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(2 * Grid, Grid + 4, 2 * Grid, Grid + 4);
    column->setSpacing(Grid);
    m_title->setObjectName(u"requestTitle"_s);
    m_title->setFont(headingFont());
    m_title->setElided(true);
    m_title->setContentsMargins(0, 0, 3 * Grid, 0);  // the panel's button to fold it is there
    m_title->setMinimumWidth(60);
    m_title->setServerText(tr("Request from %1").arg(visibleLine(waiting.origin.server, 60)));
    m_title->setToolTip(plainToolTip(m_title->text()));
    column->addWidget(m_title);
    auto *head = new QHBoxLayout;
    head->setSpacing(Grid);
    m_kind->setObjectName(u"requestKind"_s);
    m_kind->setTone(Tone::Asks);
    head->addWidget(m_kind);
    head->addWidget(m_call, 1);
    head->addStretch();
    m_time->setObjectName(u"requestTime"_s);
    m_time->setDim(true);
    head->addWidget(m_time);
    column->addLayout(head);
    m_call->setObjectName(u"requestCall"_s);
    m_call->setDim(true);
    m_call->setElided(true);
    m_call->setMinimumWidth(40);
    showCall(waiting.origin.call);
    m_end->setObjectName(u"requestEnd"_s);
    m_end->hide();
    column->addWidget(m_end);
    // The buttons follow what is filled in.
    m_body->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    column->addWidget(m_body, 1);
    m_problem->setObjectName(u"requestProblem"_s);
    column->addWidget(m_problem);
    column->addWidget(new RequestLine);

    auto *actions = new FlowLayout;  // longer texts take a second row
    actions->setSpacing(Grid);
    m_accept->setObjectName(u"requestAccept"_s);
    m_accept->setToolTip(tr("Ctrl+Enter"));
    m_decline->setObjectName(u"requestDecline"_s);
    m_decline->setToolTip(m_isTold ? tr("Tells the server that you declined")
                                   : tr("Does not open it; nothing is sent to the server"));
    m_cancel->setObjectName(u"requestCancel"_s);
    m_cancel->setToolTip(m_body->hasDecline() ? tr("Tells the server that you dismissed the request without deciding")
                                              : tr("Tells the server that you rejected its request"));
    if (!m_body->hasDecline())
        m_cancel->setText(tr("Reject"));
    m_close->setObjectName(u"requestClose"_s);
    for (QPushButton *button : {static_cast<QPushButton *>(m_accept), m_decline, m_cancel, m_close}) {
        button->setMinimumHeight(28);
        actions->addWidget(button);
    }
    m_more->setObjectName(u"requestMore"_s);
    m_more->setText(tr("More ▾"));
    m_more->setAccessibleName(tr("More ways to respond"));
    m_more->setPopupMode(QToolButton::InstantPopup);
    m_more->setMinimumHeight(28);
    m_more->setMenu(m_menu);
    actions->addWidget(m_more);
    column->addLayout(actions);
    column->addStretch();
    // Only now that they are in it: alone, each would open a window and take the focus from this one.
    m_decline->setVisible(m_body->hasDecline());
    m_cancel->setVisible(m_isTold);  // the same as Decline where nothing is sent
    m_close->hide();
    m_more->setVisible(!m_body->presets().isEmpty() || !m_waiting.ruleKey.isEmpty());

    connect(m_accept, &QPushButton::clicked, this, [this] { send(true, Further::No); });
    connect(m_decline, &QPushButton::clicked, this, [this] { refuse(&InputRequest::decline); });
    connect(m_cancel, &QPushButton::clicked, this, [this] { refuse(&InputRequest::cancel); });
    connect(m_close, &QPushButton::clicked, this, &RequestPage::closed);
    connect(m_problem, &QAbstractButton::clicked, m_body, &RequestBody::showProblem);
    connect(m_body, &RequestBody::changed, this, &RequestPage::refresh);
    connect(m_body, &RequestBody::submitted, this, &RequestPage::accept);
    connect(m_menu, &QMenu::aboutToShow, this, &RequestPage::fillMenu);
    m_arming.setSingleShot(true);
    m_arming.setInterval(ArmingMs);
    connect(&m_arming, &QTimer::timeout, this, [this] { arm(true); });
    arm(false);
    showTime(waiting.waiting());
}

void RequestPage::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    if (!event->spontaneous()) {
        arm(false);
        m_arming.start();
    }
}

void RequestPage::arm(bool armed)
{
    m_accept->setEnabled(armed && !m_body->isBlocked());
    for (QWidget *button : std::initializer_list<QWidget *>{m_decline, m_cancel, m_more})
        button->setEnabled(armed);
}

void RequestPage::showPlace(int row, int count)
{
    const QString kind = m_body->kindName();
    const bool isCounted = !m_hasEnded && count > 1;
    m_kind->setText(isCounted ? tr("%1 · %2 of %3").arg(kind).arg(row + 1).arg(count) : kind);
    m_close->setText(m_hasEnded && count > 0 ? tr("Next request (%1 waiting)").arg(count) : tr("Close"));
}

void RequestPage::showTime(const QString &time)
{
    if (!m_hasEnded)
        m_time->setText(tr("waiting %1").arg(time));
}

void RequestPage::showCall(const QString &call)
{
    m_call->setServerText(tr("during %1").arg(visibleLine(call, 80)));
    m_call->setToolTip(plainToolTip(visibleLine(call, 400)));
    m_call->setVisible(!call.isEmpty());
}

void RequestPage::showEnd(InputRequest::End how, const QString &reason)
{
    if (m_hasEnded)
        return;
    const QString said = visibleLine(reason, MaxReasonLength);
    m_end->setToolTip(plainToolTip(reason));
    switch (how) {
        case InputRequest::End::Answered:
            return;
        case InputRequest::End::Withdrawn:
            return finish(
                Tone::NoResponse, tr("The server withdrew this request."),
                said.isEmpty() ? tr("Nothing was sent.") : tr("Its reason: “%1”. Nothing was sent.").arg(said));
        case InputRequest::End::CallEnded:
            return finish(Tone::NoResponse, tr("The call has ended."),
                          tr("%1 What you entered was not sent.").arg(said).trimmed());
        case InputRequest::End::Closed:
            return finish(Tone::NoResponse, tr("You closed the connection to the server."),
                          tr("Nothing was sent. The request is in the timeline."));
        case InputRequest::End::Lost:
            return finish(Tone::NoResponse, tr("The connection to the server was lost."),
                          tr("Nothing was sent. The request is in the timeline."));
        case InputRequest::End::Done:
            return finish(Tone::NoResponse, tr("This is no longer needed."), tr("Nothing was opened here."));
    }
}

void RequestPage::showCompleted()
{
    const QString title = tr("Completed, according to the server.");
    if (m_hasEnded) {
        finish(Tone::Ok, title, {});
        return;
    }
    // It still waits for the response.
    m_end->setContent(Tone::Ok, sign(Tone::Ok) + u' ' + title, tr("It is still waiting for your response."));
    m_end->show();
}

void RequestPage::finish(Tone tone, const QString &title, const QString &text)
{
    m_hasEnded = true;
    m_arming.stop();
    m_end->setContent(tone, sign(tone) + u' ' + title, text);
    m_end->show();
    m_time->clear();
    // What was typed can still be read and copied. The focus stays where it is, unless that is switched off.
    const bool hadFocus = m_accept->hasFocus() || m_decline->hasFocus() || m_cancel->hasFocus() || m_more->hasFocus();
    m_close->show();
    if (hadFocus)
        m_close->setFocus();
    for (QWidget *button : std::initializer_list<QWidget *>{m_accept, m_decline, m_cancel, m_more})
        button->hide();
    m_problem->clear();
}

void RequestPage::focusFirst()
{
    if (m_hasEnded)
        m_close->setFocus();
    else
        m_body->focusFirst();
}

void RequestPage::accept()
{
    if (m_accept->isEnabled())
        send(true, Further::No);
}

void RequestPage::send(bool isChecked, Further further)
{
    if (m_hasEnded || !m_waiting.request)
        return;
    if (m_body->isBlocked() || (isChecked && !m_waiting.ruleKey.isEmpty() && !m_body->problem().isEmpty())) {
        m_wasRefused = true;
        refresh();
        m_body->showProblem();
        return;
    }
    const QByteArray result = m_body->result();
    // A person may send values that the form rejects, but nothing that the revision does not have.
    const InputRequest &request = *m_waiting.request;
    const json::Value checked = json::parse(result);
    const bool isWhole = isChecked || request.kind() == InputRequest::Kind::Sampling;
    const QString problem = isWhole ? problemOfResponse(request, checked) : problemInRevision(request, checked);
    if (!problem.isEmpty()) {
        say(Error::local(problem));
        return;
    }
    if (!m_body->carryOut())
        return;
    const QByteArray draft = m_body->draft();
    const QPointer<RequestPage> alive(this);
    if (const Error error = m_waiting.request->respond(result)) {
        if (alive)
            say(error);
        return;
    }
    if (alive && further != Further::No)
        Q_EMIT ruleRequested(result, further == Further::Waiting);
    if (alive && m_body->isFollowed()) {
        const QString text = tr("Sonde cannot see what you do there. The server may report here when it is completed.");
        finish(Tone::Asks, tr("Opened in your browser."),
               m_isTold ? text : text + u' ' + tr("Try the call again when you are done."));
        Q_EMIT opened();
    } else if (alive) {
        Q_EMIT responded(draft);
    }
}

void RequestPage::refuse(Error (InputRequest::*how)())
{
    if (m_hasEnded || !m_waiting.request)
        return;
    const QPointer<RequestPage> alive(this);
    const Error error = (m_waiting.request->*how)();
    if (!alive)
        return;
    if (error)
        say(error);
    else
        Q_EMIT responded({});
}

void RequestPage::say(const Error &error)
{
    m_problem->setError(tr("Not sent: %1").arg(visibleLine(error.message)));
}

void RequestPage::refresh()
{
    m_accept->setText(m_body->acceptText());
    const QString problem = m_body->problem();
    m_wasRefused = m_wasRefused && !problem.isEmpty();
    // An address that cannot be opened is said in the page itself.
    const bool isFailure = m_waiting.ruleKey.isEmpty() && !m_body->isBlocked() && !problem.isEmpty();
    if (m_hasEnded || (!m_wasRefused && !isFailure) || m_body->isBlocked())
        m_problem->clear();
    else
        m_problem->setError(isFailure ? problem : tr("Not sent: %1").arg(problem));
}

void RequestPage::fillMenu()
{
    m_menu->clear();
    const auto add = [this](const QString &text, const QByteArray &value) {
        connect(m_menu->addAction(QString(text).replace(u'&', u"&&"_s)), &QAction::triggered, this,
                [this, value] { m_body->applyPreset(value); });
    };
    if (!m_last.isEmpty())
        add(tr("Last response"), m_last);
    const QList<RequestPreset> presets = m_body->presets();
    for (const RequestPreset &preset : presets)
        add(preset.name, preset.value);
    m_menu->addSeparator();
    if (!m_waiting.ruleKey.isEmpty()) {
        QAction *always = m_menu->addAction(tr("Always respond like this until the server stops"));
        connect(always, &QAction::triggered, this, [this] { send(true, Further::Later); });
        if (const qsizetype alike = m_alikeCount ? m_alikeCount() : 0; alike > 0) {
            QAction *waiting =
                m_menu->addAction(counted(alike, tr("Always respond like this, including to the other waiting request"),
                                          tr("Always respond like this, including to the %1 other waiting requests")));
            connect(waiting, &QAction::triggered, this, [this] { send(true, Further::Waiting); });
        }
        QAction *anyway = m_menu->addAction(tr("Send without validation"));
        anyway->setEnabled(!m_body->problem().isEmpty());
        connect(anyway, &QAction::triggered, this, [this] { send(false, Further::No); });
    }
}

}  // namespace sonde::ui
