// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/savedcallsbar.h"

#include "core/json/builder.h"
#include "core/protocol/visibletext.h"
#include "ui/panels/savedcallsstep.h"
#include "ui/result/outcometext.h"
#include "ui/theme/widgets.h"

#include <QDir>
#include <QHBoxLayout>
#include <QKeySequence>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

constexpr int CompareSoonMs = 100;
constexpr qsizetype MaxComparedBytes = 64 * 1024;  // longer arguments differ where their bytes do

bool isSameJson(const QByteArray &left, const QByteArray &right)
{
    if (left == right)
        return true;
    return left.size() + right.size() <= MaxComparedBytes &&
           json::compact(json::parse(left)) == json::compact(json::parse(right));
}

QByteArray argumentsOf(const SavedCall &call)
{
    return call.arguments.exists() ? call.arguments.bytes() : "{}"_ba;
}

}  // namespace

SavedCallBar::SavedCallBar(std::function<QByteArray()> arguments, QWidget *parent)
    : QWidget(parent),
      m_arguments(std::move(arguments)),
      m_file(new TextLabel),
      m_expectation(new TextLabel),
      m_said(new TextLabel),
      m_save(new FlatButton(tr("Save"))),
      m_reload(new FlatButton(tr("Read file"))),
      m_keep(new FlatButton(tr("Keep mine"))),
      m_verdict(new Banner),
      m_differences(new QPushButton(tr("Show differences"))),
      m_accept(new QPushButton(tr("Accept")))
{
    setObjectName(u"savedCallBar"_s);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(Grid / 4);
    auto *row = new QHBoxLayout;
    row->setSpacing(Grid);
    m_file->setObjectName(u"savedCallFile"_s);
    m_file->setFont(monoFont());
    m_file->setElided(true);
    m_file->setMinimumWidth(60);
    m_expectation->setObjectName(u"savedCallExpectation"_s);
    m_expectation->setDim(true);
    m_expectation->setFont(smallFont());
    m_expectation->setElided(true);
    m_expectation->setMinimumWidth(40);
    m_expectation->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    row->addWidget(m_file);
    row->addWidget(m_expectation, 1);
    m_save->setObjectName(u"savedCallSave"_s);
    m_save->setToolTip(u"%1 (%2)"_s.arg(tr("Write these arguments to the file"),
                                        QKeySequence(QKeySequence::Save).toString(QKeySequence::NativeText)));
    m_save->setFramed(true);
    m_reload->setObjectName(u"savedCallReload"_s);
    m_reload->setToolTip(tr("Replace the arguments here by those of the file; undo brings them back"));
    m_reload->setFramed(true);
    m_keep->setObjectName(u"savedCallKeep"_s);
    m_keep->setToolTip(tr("Keep the arguments here; Save writes them to the file"));
    m_keep->setFramed(true);
    row->addWidget(m_save);
    column->addLayout(row);
    m_said->setObjectName(u"savedCallSaid"_s);
    m_said->setFont(smallFont());
    m_said->setWordWrap(true);
    m_said->setMinimumWidth(40);
    column->addWidget(m_said);
    auto *choice = new QHBoxLayout;
    choice->setSpacing(Grid);
    choice->addWidget(m_keep);
    choice->addWidget(m_reload);
    choice->addStretch(1);
    column->addLayout(choice);
    say({});
    m_save->setEnabled(false);

    m_verdict->setObjectName(u"savedCallVerdict"_s);
    m_differences->setObjectName(u"savedCallShowDifferences"_s);
    m_accept->setObjectName(u"savedCallAccept"_s);
    m_accept->setToolTip(tr("What came back becomes what is expected, in the file"));
    m_verdict->addControl(m_differences);
    m_verdict->addControl(m_accept);
    m_verdict->hide();
    connect(m_save, &QToolButton::clicked, this, &SavedCallBar::saveRequested);
    connect(m_reload, &QToolButton::clicked, this, &SavedCallBar::reload);
    connect(m_keep, &QToolButton::clicked, this, &SavedCallBar::keepEdits);
    m_soon.setSingleShot(true);
    m_soon.setInterval(CompareSoonMs);
    connect(&m_soon, &QTimer::timeout, this, [this] { setEdited(!isSameJson(m_arguments(), argumentsOf(m_call))); });
    connect(m_differences, &QPushButton::clicked, this, &SavedCallBar::showDifferences);
    connect(m_accept, &QPushButton::clicked, this, [this] {
        if (const std::optional<SavedCall> call = accepted(m_step))
            setExpectation(call->expect);
    });
}

// What was typed just now is not noted yet.
bool SavedCallBar::isEdited() const
{
    return m_isEdited || !isSameJson(m_arguments(), argumentsOf(m_call));
}

// Saved secrets are read from variables, and so the file has other arguments than this.
bool SavedCallBar::isUnsaved() const
{
    return isLoaded() && (m_isEdited || (m_soon.isActive() && isEdited()));
}

void SavedCallBar::setFile(const Result<SavedCall> &file)
{
    if (!file) {
        say(isLoaded() ? tr("%1 Save writes it again.").arg(file.error().message) : file.error().message,
            Tone::ToolError);
        m_save->setEnabled(isLoaded());
        return;
    }
    const bool isMoved = file->path != m_call.path;
    if (isLoaded() && file->source.bytes() == m_call.source.bytes() && !isMoved)
        return say({});
    const bool hasOtherArguments = !isSameJson(argumentsOf(*file), argumentsOf(m_call));
    // The form may begin with more than the file has.
    const bool isFirst = !isLoaded();
    if (isFirst || !isEdited()) {
        take(*file);
        if (hasOtherArguments || isFirst)
            Q_EMIT argumentsRead(argumentsOf(*file));
    } else if (hasOtherArguments) {
        m_changed = *file;
        say(tr("Another program changed the arguments in the file. Yours are not saved."), Tone::ToolError, true);
    } else {
        take(*file);
        setEdited(true);
    }
}

void SavedCallBar::take(const SavedCall &call)
{
    const bool isOther = call.name != m_call.name;
    m_call = call;
    m_file->setServerText(call.fileName());
    m_file->setToolTip(plainToolTip(QDir::toNativeSeparators(call.path)));
    say({});
    setEdited(false);
    showExpectation();
    if (isOther)
        Q_EMIT renamed();
    if (!m_step.hasEnded())
        return;
    m_step.call.expect = call.expect;
    if (m_step.response.message.isResponse())
        sonde::judge(m_step);
    showVerdict();
}

void SavedCallBar::reload()
{
    const Result<SavedCall> file = SavedCall::load(m_call.path);
    if (!file)
        return setFile(file);
    take(*file);
    Q_EMIT argumentsRead(argumentsOf(*file));
}

void SavedCallBar::keepEdits()
{
    take(m_changed);
    setEdited(true);
}

// What else has changed in the file meanwhile stays.
bool SavedCallBar::write(const std::function<void(SavedCall &)> &change)
{
    const Result<SavedCall> now = SavedCall::load(m_call.path);
    SavedCall call = now ? *now : m_call;
    change(call);
    if (const Error error = call.save(m_call.path)) {
        say(tr("Not saved: %1").arg(error.message), Tone::ProtocolError);
        return false;
    }
    const Result<SavedCall> written = SavedCall::parse(call.toJson(), m_call.path);
    take(written ? *written : call);
    return true;
}

void SavedCallBar::onArgumentsChanged()
{
    if (isLoaded() && !m_soon.isActive())
        m_soon.start();
}

bool SavedCallBar::saveArguments(const NewSavedCall &made)
{
    if (!write([&made](SavedCall &call) { call.arguments = made.call.arguments; }))
        return false;
    m_soon.stop();  // what was typed until now is saved
    say(made.variables.isEmpty()
            ? tr("Saved.")
            : tr("Saved. Secrets are read from the environment: %1.").arg(made.variables.join(u", "_s)));
    return true;
}

void SavedCallBar::setEdited(bool edited)
{
    const bool isOther = edited != m_isEdited;
    m_isEdited = edited;
    m_save->setEnabled(edited || !m_reload->isHidden());
    if (edited && m_reload->isHidden())
        say({});
    if (isOther)
        Q_EMIT unsavedChanged();
}

void SavedCallBar::say(const QString &sentence, Tone tone, bool canReload)
{
    m_said->setServerText(sentence);
    m_said->setDim(tone == Tone::Neutral);
    m_said->setTone(tone);
    m_said->setVisible(!sentence.isEmpty());
    m_reload->setVisible(canReload);
    m_keep->setVisible(canReload);
}

void SavedCallBar::showExpectation()
{
    const CallExpectation &expect = m_call.expect;
    QStringList parts{expect.result.exists()  ? tr("expects the saved result")
                      : expect.error.exists() ? tr("expects the saved error")
                                              : tr("expects %1").arg(outcomeWords(expect.outcome))};
    if (const qsizetype rules = expect.ignore.rules().size(); rules > 0)
        parts << counted(rules, tr("1 ignore rule"), tr("%1 ignore rules"));
    if (expect.maxDurationMs)
        parts << tr("within %1 ms").arg(*expect.maxDurationMs);
    m_expectation->setText(parts.join(u" · "_s));
    m_expectation->setToolTip(m_expectation->text());
}

void SavedCallBar::send(Connection *connection, const QByteArray &arguments, const CallOptions &options)
{
    m_step = {};
    m_step.call = m_call;
    m_step.call.arguments = json::parse(arguments);
    m_verdict->hide();
    m_sender = std::make_unique<CallSender>(connection);
    // By the time that either comes, the sender has nothing more to do.
    const auto release = [this] { m_sender.release()->deleteLater(); };
    connect(m_sender.get(), &CallSender::sent, this, [this, release](Call *call) {
        release();
        Q_EMIT sent(call, m_step.call.arguments.bytes());
    });
    connect(m_sender.get(), &CallSender::notSent, this, [this, release](const Error &why, CallStep::Status status) {
        release();
        setNotSent(m_step, why, status);
        showVerdict();
        Q_EMIT notSent(why, m_step.call.arguments.bytes());
    });
    m_sender->send(m_step.call, options);
}

void SavedCallBar::cancelSending()
{
    if (!m_sender)
        return;
    m_sender->cancel();
    m_sender.reset();
    Q_EMIT notSent(Error::of(Error::Kind::Cancelled, tr("Cancelled by you.")), m_step.call.arguments.bytes());
}

void SavedCallBar::judge(const Outcome &outcome, const Session &session)
{
    if (m_step.status != CallStep::Status::Waiting)
        return;  // it was not sent
    setOutcome(m_step, outcome, session);
    showVerdict();
    if (m_window)
        m_window->showStep(m_step);
}

// Why there is no response is said where it would be.
void SavedCallBar::showVerdict()
{
    m_verdict->setVisible(m_step.response.message.isResponse());
    if (m_verdict->isHidden())
        return;
    const StepBadge badge = stepBadge(m_step);
    const bool hasPassed = m_step.status == CallStep::Status::Passed;
    const QString reasons = m_step.reasons.join(u'\n');
    // A single reason says all that a title would.
    const bool isOneReason = m_step.reasons.size() == 1;
    m_verdict->setContent(
        badge.tone,
        hasPassed ? sign(Tone::Ok) + u' ' + tr("Passed: %1, as expected").arg(outcomeWords(m_step.call.expect.outcome))
        : isOneReason ? reasons
                      : tr("Not as expected"),
        m_isLow || isOneReason ? QString() : reasons);
    m_verdict->setToolTip(m_isLow ? plainToolTip(reasons) : QString());
    m_verdict->setAccessibleDescription(reasons);
    m_differences->setVisible(!m_step.differences.isEmpty());
    m_accept->setVisible(accepted(m_step).has_value());
}

void SavedCallBar::setLow(bool isLow)
{
    if (isLow == m_isLow)
        return;
    m_isLow = isLow;
    if (!m_verdict->isHidden())
        showVerdict();
}

void SavedCallBar::showDifferences()
{
    if (!m_window) {
        m_window = new CallStepWindow(this);
        connect(m_window, &CallStepWindow::expectationChanged, this, &SavedCallBar::setExpectation);
    }
    m_window->showStep(m_step);
    m_window->show();
    m_window->raise();
}

void SavedCallBar::setExpectation(const CallExpectation &expectation)
{
    const bool wasEdited = m_isEdited;
    if (!write([&expectation](SavedCall &call) { call.expect = expectation; }))
        return;
    setEdited(wasEdited);
    if (m_window)
        m_window->showStep(m_step);
}

}  // namespace sonde::ui
