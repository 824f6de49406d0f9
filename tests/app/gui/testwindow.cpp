// SPDX-License-Identifier: Apache-2.0
#include "tests/app/gui/testwindow.h"

#include "tests/support/programs.h"
#include "ui/json/textview.h"
#include "ui/panels/offertree.h"
#include "ui/panels/serverlist.h"
#include "ui/panels/serverpanel.h"
#include "ui/result/resultview.h"
#include "ui/result/textblock.h"
#include "ui/theme/widgets.h"
#include "ui/timeline/table/timelinemodel.h"
#include "ui/timeline/timelinepanel.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAction>
#include <QContextMenuEvent>
#include <QDir>
#include <QMenu>
#include <QPointer>
#include <QScrollArea>
#include <QStandardPaths>
#include <QTabWidget>
#include <QTreeView>

using namespace Qt::StringLiterals;

namespace sonde::test {

namespace {

constexpr int PollMs = 10;

// As a person scrolls before a click.
void scrollTo(QWidget *widget)
{
    for (QWidget *at = widget->parentWidget(); at; at = at->parentWidget()) {
        if (auto *area = qobject_cast<QScrollArea *>(at))
            area->ensureWidgetVisible(widget);
    }
}

QString configFolder()
{
    return QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation) + u"/sonde"_s;
}

}  // namespace

TestWindow::TestWindow()
    : m_theme(std::make_unique<ui::ThemeController>(qApp)),
      m_settings(std::make_unique<app::Settings>()),
      m_host(std::make_unique<app::WindowHost>(m_theme.get(), m_settings.get(), Profile::ofUser())),
      m_window(&m_host->window())
{
    QApplication::setQuitOnLastWindowClosed(false);
    QObject::connect(m_host.get(), &app::WindowHost::finished, m_host.get(), [this] { m_finished = true; });
    QObject::connect(m_host.get(), &app::WindowHost::windowReplaced, m_host.get(),
                     [this] { m_window = &m_host->window(); });
    // A person who knows the servers of the list. See asksForApproval().
    const auto approveAll = [this] {
        for (const auto &item : workspace().items()) {
            const bool isOwn = item->isServer() && !item->isBuiltIn;
            if (!isOwn || m_asksForApproval || m_approved.value(item->spec.name) == item->spec)
                continue;
            m_approved.insert(item->spec.name, item->spec);
            workspace().approve(item->spec);
        }
    };
    QObject::connect(&workspace(), &app::Workspace::listChanged, m_host.get(), approveAll);
    approveAll();
    // Tests are about records, unless they choose another view.
    m_window->timeline->findChild<ui::SegmentedControl *>(u"timelineViews"_s)->setCurrent(3);
    m_window->show();
    m_window->activateWindow();
    if (!QTest::qWaitForWindowActive(m_window, Patience))
        qWarning("the window does not become active");
}

TestWindow::~TestWindow() = default;

void TestWindow::clear()
{
    QDir(configFolder()).removeRecursively();
    QDir(QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) + u"/sonde"_s).removeRecursively();
}

QString TestWindow::configPath(const QString &name)
{
    return configFolder() + u'/' + name;
}

QString TestWindow::dataPath(const QString &name)
{
    return QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) + u"/sonde/"_s + name;
}

bool TestWindow::openDemo()
{
    servers().startDemo();
    return isConnected(app::Workspace::demoSpec().name) &&
           QTest::qWaitFor([this] { return panel() && !offered().isEmpty() && isListed(); }, Patience);
}

QString TestWindow::add(const QString &line)
{
    QStringList before;
    for (const ui::ServerItem &item : m_window->servers->items())
        before << item.name;
    servers().connectLine(line);
    for (const ui::ServerItem &item : m_window->servers->items()) {
        if (!before.contains(item.name))
            return isConnected(item.name) &&
                           QTest::qWaitFor([this] { return offered().contains(u"echo"_s) && isListed(); }, Patience)
                       ? item.name
                       : QString();
    }
    qWarning("no server was added");
    return {};
}

bool TestWindow::isConnected(const QString &name)
{
    using Row = ui::ServerListModel;
    const auto data = [this, &name](int role) { return m_window->servers->index(serverRow(name)).data(role); };
    const bool settled = QTest::qWaitFor(
        [&] {
            return serverRow(name) >= 0 && (data(Row::FailureRole).toBool() || data(Row::CanStopRole).toBool()) &&
                   data(Row::ToneRole).value<ui::Tone>() != ui::Tone::Accent;
        },
        Patience);
    if (settled && data(Row::ToneRole).value<ui::Tone>() == ui::Tone::Ok)
        return true;
    qWarning("%s is not connected: %s", qUtf8Printable(name), qUtf8Printable(serverDetail(name)));
    return false;
}

bool TestWindow::isListed() const
{
    const auto *page = qobject_cast<ui::ServerPanel *>(m_window->tabs->currentWidget());
    const Connection *connection = panel() ? panel()->connection() : page ? page->connection() : nullptr;
    return connection && !connection->catalog()->isLoading();
}

int TestWindow::serverRow(const QString &name) const
{
    const QList<ui::ServerItem> &items = m_window->servers->items();
    for (int row = 0; row < items.size(); ++row) {
        if (items[row].name == name)
            return row;
    }
    return -1;
}

QString TestWindow::serverDetail(const QString &name) const
{
    return m_window->servers->index(serverRow(name)).data(ui::ServerListModel::DetailRole).toString();
}

bool TestWindow::clickServer(const QString &name)
{
    return clickRow(m_window->serverList, m_window->servers->index(serverRow(name)));
}

bool TestWindow::chooseInServerMenu(int row, const QString &entry)
{
    ui::ServerListView *list = m_window->serverList;
    const QPoint place = list->visualRect(m_window->servers->index(row)).topLeft() + QPoint(40, 10);
    bool chosen = false;
    WhenMenu menu([&](QMenu *shown) { chosen = chooseInMenu(shown, entry); });
    QContextMenuEvent event(QContextMenuEvent::Mouse, place, list->viewport()->mapToGlobal(place));
    QApplication::sendEvent(list->viewport(), &event);
    return chosen;
}

QStringList TestWindow::offered() const
{
    const ui::OfferModel *model = m_window->offers->model();
    QStringList result;
    for (int group = 0; group < model->rowCount(); ++group) {
        const QModelIndex parent = model->index(group, 0);
        for (int row = 0; row < model->rowCount(parent); ++row) {
            const QModelIndex index = model->index(row, 0, parent);
            if (!index.data(ui::OfferModel::IsActionRole).toBool())
                result << index.data().toString();
        }
    }
    return result;
}

ui::CallPanel *TestWindow::open(const QString &offer)
{
    if (!preview(offer))
        return nullptr;
    auto *tree = find<QTreeView>(u"offerTree"_s);
    QTest::mouseDClick(tree->viewport(), Qt::LeftButton, {}, tree->visualRect(tree->currentIndex()).center());
    return panel();
}

ui::CallPanel *TestWindow::preview(const QString &offer)
{
    auto *tree = find<QTreeView>(u"offerTree"_s);
    const auto found = [&offer, model = tree->model()] {
        for (int group = 0; group < model->rowCount(); ++group) {
            const QModelIndex parent = model->index(group, 0);
            for (int row = 0; row < model->rowCount(parent); ++row) {
                const QModelIndex index = model->index(row, 0, parent);
                if (index.data().toString() == offer)
                    return index;
            }
        }
        return QModelIndex();
    };
    // A list comes after the connection, and again when the server says that it has changed.
    if (QTest::qWaitFor([&found] { return found().isValid(); }, Patience))
        return clickRow(tree, found()) ? panel() : nullptr;
    qWarning("%s is not offered", qUtf8Printable(offer));
    return nullptr;
}

ui::CallPanel *TestWindow::panel() const
{
    return qobject_cast<ui::CallPanel *>(m_window->tabs->currentWidget());
}

bool TestWindow::enter(const QString &field, const QString &text)
{
    QWidget *control = panel() ? panel()->findChild<QWidget *>(u"field:"_s + field) : nullptr;
    if (!control || !control->isVisible()) {
        qWarning("there is no field %s to be seen", qUtf8Printable(field));
        return false;
    }
    const auto clickThere = [control] {
        scrollTo(control);
        const auto *area = qobject_cast<QAbstractScrollArea *>(control);
        QTest::mouseClick(area ? area->viewport() : control, Qt::LeftButton);
        const QWidget *now = QApplication::focusWidget();
        return now && (now == control || now == control->focusProxy() || control->isAncestorOf(now));
    };
    // A new tab is laid out in the next turn of the event loop: until then the click lands beside it.
    if (!QTest::qWaitFor(clickThere, Patience)) {
        qWarning("a click into %s does not bring the focus there", qUtf8Printable(field));
        return false;
    }
    press(Qt::Key_A, Qt::ControlModifier);
    type(text);
    return true;
}

bool TestWindow::click(const QString &objectName)
{
    QAbstractButton *button = nullptr;
    const auto canBePressed = [&] {
        QWidget *page = m_window->tabs->currentWidget();
        button = page ? page->findChild<QAbstractButton *>(objectName) : nullptr;
        return button && button->isVisible() && button->isEnabled();
    };
    if (!QTest::qWaitFor(canBePressed, Patience)) {
        qWarning("there is no button %s to press", qUtf8Printable(objectName));
        return false;
    }
    QCoreApplication::processEvents();  // what was done before may have moved or replaced it
    if (!canBePressed()) {
        qWarning("the button %s went as it was about to be pressed", qUtf8Printable(objectName));
        return false;
    }
    scrollTo(button);
    QTest::mouseClick(button, Qt::LeftButton);
    return true;
}

void TestWindow::press(Qt::Key key, Qt::KeyboardModifiers modifiers)
{
    QTest::keyClick(focus(), key, modifiers);
}

void TestWindow::type(const QString &text)
{
    QTest::keyClicks(focus(), text);
}

QWidget *TestWindow::focus()
{
    // Without a window manager nobody activates the window again when a dialog is gone.
    if (!QApplication::activeWindow()) {
        m_window->activateWindow();
        if (!QTest::qWaitForWindowActive(m_window, Patience))
            qWarning("the window does not become active again");
    }
    QWidget *widget = QApplication::focusWidget();
    return widget ? widget : m_window;
}

bool TestWindow::call(const QString &expected)
{
    press(Qt::Key_Return, Qt::ControlModifier);
    return endsWith(expected);
}

bool TestWindow::endsWith(const QString &expected)
{
    ui::CallPanel *shown = panel();
    if (!shown || !QTest::qWaitFor([shown] { return !shown->isRunning(); }, Patience)) {
        qWarning("the call does not end");
        return false;
    }
    // The response is laid out afterwards: a large one by a worker, and each widget is shown by an event of its own.
    const auto *page = shown->findChild<QWidget *>(u"resultPage"_s);
    const bool isShown = QTest::qWaitFor([&] { return page->isVisible() && badge() == expected; }, Patience);
    QCoreApplication::sendPostedEvents();
    if (isShown)
        return true;
    qWarning("the badge says \"%s\", the banner \"%s\", the text \"%s\"", qUtf8Printable(badge()),
             qUtf8Printable(bannerTitle()), qUtf8Printable(resultText().left(500)));
    return false;
}

QString TestWindow::badge() const
{
    const auto *badge = panel() ? panel()->findChild<ui::Badge *>(u"outcomeBadge"_s) : nullptr;
    return badge && badge->isVisible() ? badge->text() : QString();
}

QString TestWindow::bannerTitle() const
{
    const auto *banner = panel() ? panel()->findChild<ui::Banner *>(u"outcomeBanner"_s) : nullptr;
    if (!banner || !banner->isVisible())
        return {};
    return banner->findChildren<ui::TextLabel *>().value(0)->text();
}

QString TestWindow::facts() const
{
    const auto *label = panel() ? panel()->findChild<QLabel *>(u"outcomeFacts"_s) : nullptr;
    return label ? label->text() : QString();
}

QString TestWindow::resultText() const
{
    QStringList texts;
    const auto *result = panel() ? panel()->findChild<ui::ResultView *>(u"result"_s) : nullptr;
    if (!result)
        return {};
    for (const ui::TextView *view : result->findChildren<ui::TextView *>(u"text"_s)) {
        if (view->isVisible())
            texts << QString::fromUtf8(view->text());
    }
    return texts.join(u'\n');
}

Session *TestWindow::session() const
{
    return timelineModel()->session();
}

ui::TimelineModel *TestWindow::timelineModel() const
{
    return m_window->timeline->findChild<ui::TimelineModel *>();
}

int TestWindow::countOf(const QString &method, Direction direction) const
{
    const Session *shown = session();
    int count = 0;
    for (qsizetype row = 0; shown && row < shown->size(); ++row) {
        const RecordInfo &record = shown->at(row);
        if (record.kind == WireEvent::Kind::Message && record.direction == direction &&
            shown->name(record.method) == method)
            ++count;
    }
    return count;
}

bool TestWindow::close()
{
    // Calls may still run.
    const WhenDialog question([](QDialog *shown) { clickButton(shown, u"Quit"_s); });
    m_window->close();
    if (QTest::qWaitFor([this] { return m_finished; }, Patience))
        return true;
    qWarning("the window was closed and the workspace does not finish");
    return false;
}

WhenDialog::WhenDialog(std::function<void(QDialog *)> action) : m_action(std::move(action))
{
    const QPointer<QWidget> opener = QApplication::activeModalWidget();
    QObject::connect(&m_timer, &QTimer::timeout, &m_timer, [this, opener] {
        auto *dialog = qobject_cast<QDialog *>(QApplication::activeModalWidget());
        if (!dialog || dialog == opener || !dialog->isVisible())
            return;
        m_timer.stop();
        m_hasRun = true;
        const QPointer<QDialog> guard = dialog;
        m_action(dialog);
        if (guard && guard->isVisible()) {
            qWarning("the dialog \"%s\" is still open", qUtf8Printable(guard->windowTitle()));
            guard->reject();
        }
    });
    m_timer.start(PollMs);
}

WhenMenu::WhenMenu(std::function<void(QMenu *)> action)
{
    QObject::connect(&m_timer, &QTimer::timeout, &m_timer, [this, action = std::move(action)] {
        auto *menu = qobject_cast<QMenu *>(QApplication::activePopupWidget());
        if (!menu)
            return;
        m_timer.stop();
        m_hasRun = true;
        const QPointer<QMenu> guard = menu;
        action(menu);
        if (guard && guard->isVisible())
            guard->close();
    });
    m_timer.start(PollMs);
}

bool clickButton(QWidget *within, const QString &text)
{
    QStringList others;
    for (QAbstractButton *button : within->findChildren<QAbstractButton *>()) {
        if (!button->isVisible())
            continue;
        const QString says = button->text().remove(u'&');
        if (says == text && button->isEnabled()) {
            QTest::mouseClick(button, Qt::LeftButton);
            return true;
        }
        others << says;
    }
    qWarning("there is no button \"%s\" among %s", qUtf8Printable(text), qUtf8Printable(others.join(u", "_s)));
    return false;
}

bool clickRow(QAbstractItemView *view, const QModelIndex &index)
{
    if (!index.isValid() || !view->isVisible()) {
        qWarning("there is no such row in %s", qUtf8Printable(view->objectName()));
        return false;
    }
    view->scrollTo(index);
    const QRect place = view->visualRect(index);
    QTest::mouseClick(view->viewport(), Qt::LeftButton, {}, QPoint(place.left() + 40, place.center().y()));
    return true;
}

bool chooseInMenu(QMenu *menu, const QString &entry)
{
    for (QAction *action : menu->actions()) {
        if (!QString(action->text()).remove(u'&').startsWith(entry) || !action->isEnabled())
            continue;
        menu->setActiveAction(action);
        QTest::keyClick(menu, Qt::Key_Return);
        return true;
    }
    qWarning("the menu has no entry %s", qUtf8Printable(entry));
    return false;
}

QString unsafeIn(const QString &text)
{
    for (qsizetype i = 0; i < text.size(); ++i) {
        const char16_t c = text[i].unicode();
        const bool pair = QChar::isHighSurrogate(c) && i + 1 < text.size() && text[i + 1].isLowSurrogate();
        const bool control = (c < 0x20 && c != u'\n' && c != u'\t') || (c >= 0x7f && c <= 0x9f);
        const bool bidi = (c >= 0x200b && c <= 0x200f) || (c >= 0x202a && c <= 0x202e) ||
                          (c >= 0x2066 && c <= 0x2069) || c == 0x61c || c == 0xfeff;
        if (control || bidi || (QChar::isSurrogate(c) && !pair))
            return u"U+%1 at %2 of \"%3\""_s.arg(c, 4, 16, QChar(u'0')).arg(i).arg(text);
        if (pair)
            ++i;
    }
    return {};
}

QString demoProgram()
{
    return test::builtProgram(QStringLiteral("sonde-demo-server"));
}

}  // namespace sonde::test
