// SPDX-License-Identifier: Apache-2.0
#include "ui/dialogs/preferencesdialog.h"

#include "core/protocol/numbertext.h"
#include "core/protocol/visibletext.h"
#include "ui/dialogs/shortcuteditor.h"
#include "ui/result/outcometext.h"
#include "ui/theme/lineinput.h"
#include "ui/theme/translations.h"
#include "ui/theme/widgets.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QListWidget>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

constexpr int PagesWidth = 180;
constexpr int ChoiceWidth = 160;
constexpr int NumberWidth = 13 * Grid;
constexpr int RangeWidth = 110;  // the same for what stands beside a number
constexpr int NoteWidth = 260;   // at least; wraps in more

using Mode = ThemeController::Mode;

TextLabel *makeNote(const QString &text)
{
    auto *note = new TextLabel(text);
    note->setDim(true);
    note->setWordWrap(true);
    note->setMinimumWidth(NoteWidth);
    return note;
}

QString numberText(double number, const QString &unit)
{
    return (number == std::floor(number) ? grouped(qint64(number)) : QLocale().toString(number)) + unit;
}

}  // namespace

PreferencesDialog::PreferencesDialog(const Preferences &preferences, const Storage &storage, ShortcutEditor *keys,
                                     QWidget *parent)
    : QDialog(parent), m_preferences(preferences), m_pages(new QListWidget), m_stack(new QStackedWidget), m_keys(keys)
{
    setObjectName(u"preferencesDialog"_s);
    setWindowTitle(tr("Preferences"));
    resize(840, 560);
    m_pages->setObjectName(u"preferencePages"_s);
    m_pages->setAccessibleName(tr("Pages"));
    m_stack->setObjectName(u"preferenceStack"_s);
    makeGeneral();
    makeAppearance();
    makeLimits();
    makeRecording(storage);
    makePrivacy();
    m_pages->addItem(tr("Keyboard shortcuts"));
    m_stack->addWidget(m_keys);
    m_reset.append({[this] { m_keys->resetAll(); }});

    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    QPushButton *usual = buttons->addButton(tr("Reset page"), QDialogButtonBox::ResetRole);
    usual->setObjectName(u"resetPage"_s);
    usual->setToolTip(tr("Set everything on this page to its default"));
    usual->setAutoDefault(false);
    auto *row = new QHBoxLayout;
    row->setSpacing(2 * Grid);
    row->addWidget(m_pages);
    row->addWidget(m_stack, 1);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(2 * Grid, 2 * Grid, 2 * Grid, 2 * Grid);
    column->setSpacing(2 * Grid);
    column->addLayout(row, 1);
    column->addWidget(buttons);
    connect(m_pages, &QListWidget::currentRowChanged, m_stack, &QStackedWidget::setCurrentIndex);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(usual, &QPushButton::clicked, this, &PreferencesDialog::reset);
    followFont(m_pages, [this] {
        m_pages->setFixedWidth(scaled(PagesWidth));
        for (int i = 0; i < m_pages->count(); ++i)
            m_pages->item(i)->setSizeHint(QSize(0, rowHeight() + Grid / 2));
    });
    show(preferences);
    m_pages->setCurrentRow(0);
    m_pages->setFocus();
}

void PreferencesDialog::showPage(Page page)
{
    m_pages->setCurrentRow(int(page));
    if (page == Page::Keys)
        m_keys->focusFilter();
    if (page == Page::Recording) {
        auto *limit = findChild<QDoubleSpinBox *>(u"recordingLimit"_s);
        limit->setFocus();
        limit->selectAll();
    }
}

void PreferencesDialog::show(const Preferences &preferences)
{
    m_preferences = preferences;
    for (const auto &fill : std::as_const(m_fill))
        fill();
}

void PreferencesDialog::reset()
{
    const Preferences before = m_preferences;
    for (const auto &makeUsual : std::as_const(m_reset[m_stack->currentIndex()]))
        makeUsual();
    show(Preferences(m_preferences));
    if (m_preferences != before)
        Q_EMIT changed(m_preferences);
}

QFormLayout *PreferencesDialog::addPage(const QString &title)
{
    auto *page = new QWidget;
    auto *form = new QFormLayout(page);
    form->setContentsMargins(0, 0, 0, 0);
    form->setHorizontalSpacing(2 * Grid);
    form->setVerticalSpacing(Grid);
    form->setFieldGrowthPolicy(QFormLayout::ExpandingFieldsGrow);
    auto *heading = new TextLabel(title);
    heading->setFont(headingFont());
    form->addRow(heading);
    m_pages->addItem(title);
    m_stack->addWidget(page);
    m_reset.append(QList<std::function<void()>>());
    return form;
}

void PreferencesDialog::addNote(QFormLayout *form, const QString &text)
{
    TextLabel *note = makeNote(text);
    note->setContentsMargins(0, 0, 0, Grid);  // nearer to what it explains than to what follows
    form->addRow(note);
}

void PreferencesDialog::addSwitch(QFormLayout *form, const QString &text, const QString &name, bool Preferences::*value,
                                  const QString &explanation)
{
    auto *box = new QCheckBox(text);
    box->setObjectName(name);
    auto *column = new QVBoxLayout;
    column->setSpacing(0);
    column->addWidget(box);
    if (!explanation.isEmpty()) {
        TextLabel *note = makeNote(explanation);
        const int indent = style()->pixelMetric(QStyle::PM_IndicatorWidth, nullptr, box) +
                           style()->pixelMetric(QStyle::PM_CheckBoxLabelSpacing, nullptr, box);
        note->setContentsMargins(indent, 0, 0, Grid);
        column->addWidget(note);
    }
    form->addRow(column);
    connect(box, &QCheckBox::toggled, this, [this, value](bool isOn) {
        m_preferences.*value = isOn;
        Q_EMIT changed(m_preferences);
    });
    m_fill.append([this, box, value] {
        const QSignalBlocker quiet(box);
        box->setChecked(m_preferences.*value);
    });
    m_reset.last().append([this, value] { m_preferences.*value = Preferences().*value; });
}

void PreferencesDialog::addNumber(QFormLayout *form, const QString &text, const QString &name,
                                  double Preferences::*value, const NumberRange &range, const QString &unit)
{
    auto *spin = new QDoubleSpinBox;
    spin->setObjectName(name);
    spin->setAccessibleName(text);
    spin->setRange(range.least, range.most);
    spin->setDecimals(range.least == std::floor(range.least) ? 0 : 1);
    spin->setSingleStep(range.most > 1000 && range.least == 0 ? 10 : range.most > 1000 && range.least < 1 ? 0.5 : 1);
    spin->setSuffix(unit);
    spin->setMinimumWidth(scaled(NumberWidth));  // as wide as the others, and their ranges in line
    spin->setKeyboardTracking(false);            // 3 is not meant while 30 is typed
    const QString none = tr("No limit");
    if (range.least == 0)
        spin->setSpecialValueText(none);
    const QString bounds = range.usual == 0 ? tr("Default: no limit · at most %1").arg(numberText(range.most, unit))
                                            : tr("Default: %1 · from %2 to %3")
                                                      .arg(numberText(range.usual, unit),
                                                           numberText(range.least == 0 ? 1 : range.least, unit),
                                                           numberText(range.most, unit)) +
                                                  (range.least == 0 ? tr(", or no limit") : QString());
    spin->setAccessibleDescription(bounds);
    auto *note = new TextLabel(bounds);
    note->setDim(true);
    note->setFont(smallFont());
    note->setWordWrap(true);
    note->setMinimumWidth(RangeWidth);
    auto *row = new QHBoxLayout;
    row->setSpacing(Grid);
    row->addWidget(spin);
    row->addWidget(note, 1);
    form->addRow(text, row);
    connect(spin, &QDoubleSpinBox::valueChanged, this, [this, value](double number) {
        m_preferences.*value = number;
        Q_EMIT changed(m_preferences);
    });
    m_fill.append([this, spin, value] {
        const QSignalBlocker quiet(spin);
        spin->setValue(m_preferences.*value);
    });
    m_reset.last().append([this, value] { m_preferences.*value = Preferences().*value; });
}

template <typename T>
void PreferencesDialog::addChoice(QFormLayout *form, const QString &text, const QString &name, T Preferences::*value,
                                  const QList<std::pair<QString, T>> &choices)
{
    auto *combo = new QComboBox;
    combo->setMinimumWidth(ChoiceWidth);
    combo->setObjectName(name);
    combo->setAccessibleName(text);
    for (const auto &[label, choice] : choices)
        combo->addItem(label, QVariant::fromValue(choice));
    form->addRow(text, combo);
    connect(combo, &QComboBox::currentIndexChanged, this, [this, combo, value] {
        m_preferences.*value = combo->currentData().value<T>();
        Q_EMIT changed(m_preferences);
    });
    m_fill.append([this, combo, value] {
        const QSignalBlocker quiet(combo);
        combo->setCurrentIndex(std::max(0, combo->findData(QVariant::fromValue(m_preferences.*value))));
    });
    m_reset.last().append([this, value] { m_preferences.*value = Preferences().*value; });
}

void PreferencesDialog::addLanguages(QFormLayout *form)
{
    QList<std::pair<QString, QString>> languages{{tr("Match system"), QString()}};
    for (const Language &language : Translations::all())
        languages.append({language.name, language.code});
    addChoice<QString>(form, tr("Language"), u"languageChoice"_s, &Preferences::language, languages);
    addNote(form, tr("The window changes its language when this dialog is closed and no call is running. The command "
                     "line and the manual are in English."));
}

void PreferencesDialog::makeGeneral()
{
    QFormLayout *form = addPage(tr("General"));
    addLanguages(form);
    addSwitch(form, tr("Show the menu bar"), u"showsMenuBar"_s, &Preferences::showsMenuBar,
              tr("While it is hidden, Alt or F10 opens it."));
    addSwitch(form, tr("Reopen the tabs that were open"), u"reopens"_s, &Preferences::reopens,
              tr("Restores tabs with their unsent input, opened sessions and filters at the next start. Servers are "
                 "not started, and detected secrets are not saved."));
    addSwitch(form, tr("Notify me when a server is waiting for me"), u"notifies"_s, &Preferences::notifies,
              tr("Only while another window is in front."));
}

void PreferencesDialog::makeAppearance()
{
    QFormLayout *form = addPage(tr("Appearance"));
    addChoice<Mode>(form, tr("Theme"), u"themeChoice"_s, &Preferences::theme,
                    {{tr("Match system"), Mode::System},
                     {tr("Light"), Mode::Light},
                     {tr("Dark"), Mode::Dark},
                     {tr("High contrast"), Mode::HighContrast}});
    addNumber(form, tr("Font size"), u"fontSize"_s, &Preferences::fontSize, ranges::FontSize, tr(" pt"));
    addChoice<Density>(form, tr("Density"), u"densityChoice"_s, &Preferences::density,
                       {{tr("Comfortable"), Density::Comfortable}, {tr("Compact"), Density::Compact}});
    addSwitch(form, tr("Reduce motion"), u"reducesMotion"_s, &Preferences::reducesMotion,
              tr("Busy indicators do not move, text cursors do not blink, and times count in whole seconds. "
                 "Always on if the desktop asks for it."));
}

void PreferencesDialog::makeLimits()
{
    QFormLayout *form = addPage(tr("Timeouts and limits"));
    const QString seconds = tr(" s");
    addNumber(form, tr("Request timeout"), u"requestTimeout"_s, &Preferences::requestTimeout, ranges::RequestTimeout,
              seconds);
    addNote(form, tr("A request without a response or progress for this long ends with “No response”, and the "
                     "server is notified."));
    addNumber(form, tr("Total timeout"), u"totalTimeout"_s, &Preferences::totalTimeout, ranges::TotalTimeout, seconds);
    addNote(form, tr("A request ends after this time even if it reports progress. Time waiting for you or for a "
                     "sign-in does not count."));
    addNumber(form, tr("Connection timeout"), u"connectTimeout"_s, &Preferences::connectTimeout, ranges::ConnectTimeout,
              seconds);
    addNote(form, tr("For opening the connection, and for each request of the handshake."));
    addNote(form, tr("Request timeouts apply to the next request, the connection timeout to the next start of a "
                     "server."));
}

void PreferencesDialog::makeRecording(const Storage &storage)
{
    QFormLayout *form = addPage(tr("Recording and retention"));
    addNumber(form, tr("Session size limit"), u"recordingLimit"_s, &Preferences::sessionLimit, ranges::SessionLimit,
              tr(" GB"));
    addNote(form, tr("Beyond the limit, calls are still recorded. Notifications, standard error and other unsolicited "
                     "output of the server are counted, not stored. Sessions that are being recorded get the new limit "
                     "at once."));
    addNote(form, storage.freeBytes < 0 ? tr("A session uses at most a tenth of the free disk space.")
                                        : tr("A session uses at most a tenth of the free disk space, currently %1.")
                                              .arg(sizeText(storage.freeBytes / 10)));
    auto *folder = new LineInput(storage.folder.isEmpty() ? tr("In memory only") : storage.folder);
    folder->setObjectName(u"sessionFolder"_s);
    folder->setReadOnly(true);
    folder->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    folder->setAccessibleName(tr("Folder of sessions"));
    auto *open = new QPushButton(tr("Open folder"));
    open->setObjectName(u"openSessionFolder"_s);
    open->setAutoDefault(false);
    open->setEnabled(storage.sessions > 0);
    connect(open, &QPushButton::clicked, this, &PreferencesDialog::folderRequested);
    form->addRow(tr("Folder"), folder);
    form->addRow(tr("Stored"),
                 new TextLabel(tr("%1, %2").arg(counted(storage.sessions, tr("1 session"), tr("%1 sessions")),
                                                sizeText(storage.bytes))));
    form->addRow(QString(), open);
    addNumber(form, tr("Keep sessions for"), u"keptDays"_s, &Preferences::keptDays, ranges::KeptDays, tr(" days"));
    addNumber(form, tr("Total size of sessions"), u"keptGigabytes"_s, &Preferences::keptGigabytes,
              ranges::KeptGigabytes, tr(" GB"));
    addNumber(form, tr("Number of sessions"), u"keptSessions"_s, &Preferences::keptSessions, ranges::KeptSessions, {});
    addNote(form,
            tr("Sonde never deletes a session by itself. Sessions beyond these limits are proposed for deletion in "
               "the list of recorded sessions. Pinned and open sessions are kept."));
}

void PreferencesDialog::makePrivacy()
{
    QFormLayout *form = addPage(tr("Privacy and approval"));
    addSwitch(form, tr("Ask before calling tools without annotations"), u"asksUnmarked"_s, &Preferences::asksUnmarked,
              tr("A tool without annotations may be destructive. Sonde always asks before calling a tool that is "
                 "annotated as destructive."));
    addSwitch(form, tr("Add opened sessions to the desktop's list of recent files"), u"listsRecentFiles"_s,
              &Preferences::listsRecentFiles);
    m_arguments = new TextLabel;
    m_arguments->setObjectName(u"rememberedArguments"_s);
    m_forget = new QPushButton(tr("Forget all…"));
    m_forget->setObjectName(u"forgetArguments"_s);
    m_forget->setAutoDefault(false);
    connect(m_forget, &QPushButton::clicked, this, &PreferencesDialog::forgetArgumentsRequested);
    form->addRow(tr("Remembered arguments"), m_arguments);
    form->addRow(QString(), m_forget);
    addNote(form, tr("The arguments of your last calls fill the forms at the next start. Detected secrets are not "
                     "remembered."));
    setRememberedArguments(0);
}

void PreferencesDialog::setRememberedArguments(qsizetype tools)
{
    m_arguments->setText(tools == 0 ? tr("None") : counted(tools, tr("Of 1 tool"), tr("Of %1 tools")));
    m_forget->setEnabled(tools > 0);
}

}  // namespace sonde::ui
