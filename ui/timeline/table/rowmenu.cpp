// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/table/rowmenu.h"

#include "core/connection/clicommand.h"
#include "core/protocol/methods.h"
#include "ui/json/bytestext.h"
#include "ui/theme/widgets.h"
#include "ui/timeline/details/recordhttp.h"
#include "ui/timeline/table/timelinemodel.h"

#include <QActionGroup>
#include <QClipboard>
#include <QGuiApplication>

using namespace Qt::StringLiterals;

namespace sonde::ui {

RowMenu::RowMenu(const RowMenuContext &context, QWidget *parent)
    : QMenu(parent), m_context(context), m_session(context.session)
{
    setAttribute(Qt::WA_DeleteOnClose);
    setObjectName(u"timelineMenu"_s);
    setToolTipsVisible(true);
    if (m_context.row < 0)
        return;
    addAction(tr("Open in new window"), this, [this] {
        Q_EMIT windowRequested(m_context.row);
    })->setShortcut(Qt::Key_Return);
    if (const qsizetype partner = m_session->partnerOf(m_context.row); partner >= 0) {
        const bool asks = m_session->at(m_context.row).messageKind == Message::Kind::Request;
        addAction(asks ? tr("Go to response") : tr("Go to request"), this,
                  [this, partner] { Q_EMIT rowRequested(partner); });
    }
    addSeparator();
    addCopying();
    addSending();
    addSaving();
    addComparing();
    if (m_context.sendable >= 0)
        addAction(tr("Replay selected…"), this, &RowMenu::replayRequested);
    addAction(tr("Export selected…"), this, &RowMenu::exportRequested);
    addSeparator();
}

// Copied text is made on request: messages can be large, and the menu must open at once.
void RowMenu::addCopying()
{
    addCopy(tr("Copy as JSON"), {}, [this] { return decodedUtf8(m_session->bytes(m_context.row)); });
    if (m_context.sendable < 0)
        return;
    const qsizetype head = httpExchangeOf(*m_session, m_context.sendable).request;
    addCopy(tr("Copy as curl"), head < 0 ? tr("HTTP only") : QString(),
            [this, head] { return curlCommand(m_session->facts(head), m_session->bytes(m_context.sendable)); });
    addCopy(tr("Copy as sonde-cli command"), whyNoCliCommand(), [this, head] {
        const Message message = m_session->message(m_context.sendable);
        const QByteArray request = head < 0 ? QByteArray() : m_session->facts(head);
        const QStringList server =
            m_context.canSend ? runningServerWords(*m_session, m_context.sendable, m_context.servers.get(), request)
                              : recordedServerWords(*m_session, m_context.sendable, request);
        return cliCommand(server, message.method(), message.params().bytes());
    });
}

QString RowMenu::whyNoCliCommand() const
{
    constexpr qsizetype largest = 1024;  // a message without params is smaller
    const RecordInfo &request = m_session->at(m_context.sendable);
    if (cliCommand({}, m_session->name(request.method), "{}").isEmpty())
        return tr("tools, resources and prompts only");
    const QByteArray bytes = request.wireLength > largest ? QByteArray() : m_session->bytes(m_context.sendable);
    if (!bytes.isEmpty() && !Message::parse(bytes).params().isObject())
        return tr("params are not an object");
    if (!m_context.canSend && recordedServerWords(*m_session, m_context.sendable).isEmpty())
        return tr("launch command not recorded");
    return {};
}

// A command that cannot be made stays in the menu, disabled, with the reason.
void RowMenu::addCopy(const QString &text, const QString &whyNot, const std::function<QString()> &make)
{
    QAction *action = addAction(whyNot.isEmpty() ? text : u"%1 (%2)"_s.arg(text, whyNot), this, [this, make] {
        if (m_session)
            QGuiApplication::clipboard()->setText(make());
    });
    action->setEnabled(whyNot.isEmpty());
}

void RowMenu::addSending()
{
    if (m_context.sendable < 0)
        return;
    addSeparator();
    const auto message = [this] { return m_session ? m_session->bytes(m_context.sendable) : QByteArray(); };
    QAction *send = addAction(tr("Send again"), this, [this, message] { Q_EMIT sendRequested(message()); });
    QAction *edit = addAction(tr("Edit and send…"), this, [this, message] {
        if (m_session)
            Q_EMIT editAndSendRequested(message(), requestFactsOf(*m_session, m_context.sendable));
    });
    send->setEnabled(m_context.canSend);
    edit->setEnabled(m_context.canSend);
}

void RowMenu::addSaving()
{
    const qsizetype request = m_context.sendable;
    if (request >= 0 && m_session->name(m_session->at(request).method) == methods::CallTool)
        addAction(tr("Save as saved call…"), this, [this, request] { Q_EMIT saveCallRequested(request); });
}

void RowMenu::addComparing()
{
    addSeparator();
    if (m_context.two) {
        addAction(tr("Compare selected rows"), this,
                  [this] { Q_EMIT comparisonRequested(m_context.two->first, m_context.two->second); });
        return;
    }
    const qsizetype row = m_context.row;
    if (m_context.marked >= 0 && m_context.marked != row)
        addAction(tr("Compare with #%1").arg(m_session->numberOf(m_context.marked)), this,
                  [this, row] { Q_EMIT comparisonRequested(m_context.marked, row); });
    addAction(tr("Select for comparison"), this, [this, row] {
        Q_EMIT markRequested(row);
    })->setToolTip(plainToolTip(tr("Then choose another row, or select two rows with Ctrl.")));
}

void addTimeMenu(QMenu *menu, TimelineModel *model)
{
    using TimeFormat = TimelineModel::TimeFormat;
    QMenu *times = menu->addMenu(RowMenu::tr("Show time"));
    auto *group = new QActionGroup(times);
    const std::pair<TimeFormat, QString> formats[] = {{TimeFormat::Clock, RowMenu::tr("As clock")},
                                                      {TimeFormat::SinceStart, RowMenu::tr("Since session start")},
                                                      {TimeFormat::SincePrevious, RowMenu::tr("Since previous row")},
                                                      {TimeFormat::SinceRequest, RowMenu::tr("Since its request")}};
    for (const auto &[format, text] : formats) {
        QAction *action = times->addAction(text, model, [model, chosen = format] { model->setTimeFormat(chosen); });
        action->setCheckable(true);
        action->setChecked(model->timeFormat() == format);
        group->addAction(action);
    }
}

}  // namespace sonde::ui
