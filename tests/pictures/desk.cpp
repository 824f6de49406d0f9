// SPDX-License-Identifier: Apache-2.0
#include "tests/pictures/desk.h"

#include "core/connection/connection.h"
#include "tests/pictures/camera.h"
#include "tests/support/files.h"
#include "ui/theme/fittingsegments.h"
#include "ui/theme/widgets.h"

#include <QAbstractItemModel>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QPushButton>
#include <QTabWidget>
#include <QTableView>

using namespace Qt::StringLiterals;

namespace sonde::pictures {
namespace {

using test::Patience;

constexpr int CallsSegment = 0;

QSize windowSize(1440, 900);

// A program of that name in ~/bin: the demo server.
QString program(const QString &name)
{
    const QString path = QDir::homePath() + u"/bin/"_s + name;
    if (!QFileInfo::exists(path)) {
        QDir().mkpath(QFileInfo(path).path());
        QFile::copy(test::demoProgram(), path);  // a link would be shown with what it leads to
    }
    return path;
}

QByteArray entry(const QByteArray &name, const QString &program, const QByteArray &arguments)
{
    return '"' + name + "\":{\"command\":\"" + program.toUtf8() + "\",\"args\":[" + arguments + "]}";
}

}  // namespace

Desk::Desk()
{
    window().resize(windowSize);
    find<ui::SegmentedControl>(u"timelineViews"_s)->setCurrent(CallsSegment);
}

void Desk::setWindowSize(QSize size)
{
    windowSize = size;
}

void Desk::prepare()
{
    clear();
    const QString server = program(u"weather-server"_s);
    QDir().mkpath(QFileInfo(configPath({})).path());
    test::writeFile(configPath(u"servers.json"_s),
                    "{\"mcpServers\":{" + entry("weather", server, {}) + ',' +
                        entry("weather-next", server, "\"--revision\",\"2025-11-25\"") + ',' +
                        entry("notes", program(u"notes-server"_s), "\"--stderr-then-exit\"") + "}}");
}

bool Desk::connectTo(const QString &name)
{
    servers().connectServer(name);
    return isConnected(name) &&
           QTest::qWaitFor([this] { return !offered().isEmpty() && currentConnectionIsListed(); }, Patience);
}

bool Desk::work()
{
    return open(u"add"_s) && enter(u"/a"_s, u"0.1"_s) && enter(u"/b"_s, u"0.2"_s) && call(u"✓ OK"_s) &&
           open(u"fail"_s) && call(u"▲ Tool error"_s) && open(u"protocol-error"_s) && call(u"✕ -32603"_s) &&
           open(u"progress"_s) && enter(u"/steps"_s, u"4"_s) && call(u"✓ OK"_s) && open(u"clock"_s) &&
           endsWith(u"✓ OK"_s) && open(u"structured-report"_s) && enter(u"/station"_s, u"Oslo"_s) && call(u"✓ OK"_s);
}

bool Desk::showPage()
{
    Q_EMIT servers().pageRequested(workspace().current());
    return isVisible(u"serverTitle"_s);
}

bool Desk::isVisible(const QString &objectName)
{
    const auto shown = [&] {
        for (const QWidget *widget : window().findChildren<QWidget *>(objectName)) {
            if (widget->isVisible())
                return true;
        }
        return false;
    };
    if (QTest::qWaitFor(shown, Patience))
        return true;
    qWarning("%s is not to be seen", qUtf8Printable(objectName));
    return false;
}

bool Desk::pressButton(const QString &objectName)
{
    auto *found = find<QPushButton>(objectName);
    if (found)
        QTest::mouseClick(found, Qt::LeftButton);
    return found;
}

bool Desk::choose(const QString &objectName, const QString &segment)
{
    const auto isShown = [](const QWidget *control) {
        const auto *fitting = qobject_cast<const ui::FittingSegments *>(control->parentWidget());
        return fitting ? fitting->isVisible() : control->isVisible();
    };
    const auto button = [&]() -> QAbstractButton * {
        for (const auto *control : window().tabs->currentWidget()->findChildren<ui::SegmentedControl *>(objectName)) {
            for (QAbstractButton *each : control->findChildren<QAbstractButton *>()) {
                if (isShown(control) && each->text() == segment)
                    return each;
            }
        }
        return nullptr;
    };
    if (!QTest::qWaitFor([&] { return button() != nullptr; }, Patience)) {
        qWarning("%s has no %s", qUtf8Printable(objectName), qUtf8Printable(segment));
        return false;
    }
    button()->click();
    return true;
}

int Desk::rowOf(QStringView target)
{
    const QAbstractItemModel *model = find<QTableView>(u"timelineTable"_s)->model();
    int found = -1;
    const auto look = [&] {
        for (int row = 0; found < 0 && row < model->rowCount(); ++row) {
            for (int column = 0; column < model->columnCount(); ++column) {
                if (model->index(row, column).data(Qt::AccessibleTextRole).toString().contains(target))
                    found = row;
            }
        }
        return found >= 0;
    };
    (void)QTest::qWaitFor(look, Patience);
    return found;
}

bool Desk::takeDialog(Camera &camera, QAction *opening, const QString &part)
{
    const test::WhenDialog dialog([&](QDialog *shown) {
        camera.take(shown, theme(), part);
        shown->reject();
    });
    opening->trigger();
    // Some dialogs do not block who opens them.
    if (QTest::qWaitFor([&dialog] { return dialog.hasRun(); }, Patience))
        return true;
    qWarning("%s opens no dialog", qUtf8Printable(opening->objectName()));
    return false;
}

bool Desk::currentConnectionIsListed()
{
    const Connection *connection = workspace().currentConnection();
    return connection && !connection->catalog()->isLoading();
}

}  // namespace sonde::pictures
