// SPDX-License-Identifier: Apache-2.0
#include "ui/dialogs/timeoutsdialog.h"

#include "ui/dialogs/preferencesdialog.h"
#include "ui/theme/lineinput.h"
#include "ui/theme/widgets.h"

#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

using Timeout = ServerTimeouts::Timeout;

constexpr int TimeoutWidth = 200;

// As in the preferences, where they are explained.
QString labelOf(const ServerTimeouts::Member &member)
{
    return member.place == &ServerTimeouts::request ? PreferencesDialog::tr("Request timeout")
           : member.place == &ServerTimeouts::total ? PreferencesDialog::tr("Total timeout")
                                                    : PreferencesDialog::tr("Connection timeout");
}

QString typedText(std::chrono::milliseconds timeout)
{
    QLocale locale;
    locale.setNumberOptions(QLocale::OmitGroupSeparator);
    return locale.toString(double(timeout.count()) / 1000, 'g', QLocale::FloatingPointShortest);
}

// With the decimal point of the person's language, or that of all others. None: it cannot be used.
Timeout timeoutFrom(const QString &typed, const ServerTimeouts::Member &member)
{
    bool isNumber = false;
    double seconds = QLocale().toDouble(typed, &isNumber);
    if (!isNumber)
        seconds = QLocale::c().toDouble(typed, &isNumber);
    return isNumber ? member.fromSeconds(seconds) : std::nullopt;
}

}  // namespace

TimeoutsDialog::TimeoutsDialog(const ServerTimeouts &timeouts, const ServerTimeouts &general, const QString &server,
                               QWidget *parent)
    : FormDialog(u"timeouts"_s, tr("Use these settings"), parent)
{
    setObjectName(u"timeoutsDialog"_s);
    setWindowTitle(server.isEmpty() ? tr("Timeouts") : tr("Timeouts of %1").arg(server));
    QFormLayout *form = makeForm();
    m_column->addLayout(form);
    for (const ServerTimeouts::Member &member : ServerTimeouts::members()) {
        const QString label = labelOf(member);
        auto *line = new LineInput;
        line->setObjectName(u"timeout:"_s + member.name.toString());
        line->setAccessibleName(label);
        line->setFixedWidth(scaled(TimeoutWidth));
        if (const Timeout usual = general.*member.place)
            line->setPlaceholderText(tr("Preferences: %1").arg(ServerTimeouts::text(*usual)));
        if (const Timeout own = timeouts.*member.place)
            line->setText(typedText(*own));
        const QString unit = member.min.count() == 0 ? tr("seconds; 0 for no limit")
                                                     : tr("seconds, at least %1").arg(member.min.count());
        line->setAccessibleDescription(unit);
        auto *note = new TextLabel(unit);
        note->setDim(true);
        auto *row = new QHBoxLayout;
        row->setSpacing(Grid);
        row->addWidget(line);
        row->addWidget(note, 1);
        auto *caption = new QLabel(label);
        caption->setBuddy(line);
        form->addRow(caption, row);
        connect(line, &QLineEdit::textChanged, this, &TimeoutsDialog::updateState);
        m_fields.append({member, line});
    }
    m_message->setDim(true);
    addMessageAndButtons();
    updateState();
    fitHeight();
}

ServerTimeouts TimeoutsDialog::timeouts() const
{
    ServerTimeouts timeouts;
    for (const auto &[member, line] : m_fields)
        timeouts.*member.place = timeoutFrom(line->text().trimmed(), member);
    return timeouts;
}

QString TimeoutsDialog::problem() const
{
    for (const auto &[member, line] : m_fields) {
        const QString typed = line->text().trimmed();
        if (!typed.isEmpty() && !timeoutFrom(typed, member))
            return tr("%1: enter a number of seconds from %2 to %3.")
                .arg(labelOf(member))
                .arg(member.min.count())
                .arg(member.max.count());
    }
    return {};
}

void TimeoutsDialog::updateState()
{
    const QString wrong = problem();
    m_ok->setEnabled(wrong.isEmpty());
    m_message->setTone(wrong.isEmpty() ? Tone::Neutral : Tone::ProtocolError);
    m_message->setText(wrong.isEmpty() ? tr("Leave a field empty to use the preference. The connection timeout applies "
                                            "to the next start, the others to the next request.")
                                       : wrong);
}

}  // namespace sonde::ui
