// Makes the pictures of the documentation, or says which of them are out of date. See docs/make-pictures.
// SPDX-License-Identifier: Apache-2.0
#include "tests/pictures/camera.h"
#include "tests/pictures/desk.h"
#include "tests/pictures/scenes.h"
#include "tests/support/files.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QDir>
#include <QProcessEnvironment>
#include <QSize>
#include <QTemporaryDir>

#include <cstdio>
#include <utility>

using namespace Qt::StringLiterals;
using namespace sonde::pictures;

namespace {

// What a picture shows as the home folder: the same wherever it is made.
constexpr auto HomeOfPictures = "/tmp/ada"_L1;

bool isOneOf(const QList<Scene> &all, const QString &name)
{
    for (const Scene &scene : all) {
        if (scene.name == name)
            return true;
    }
    return false;
}

// Files of pictures that no scene makes any more.
QStringList leftOvers(const QList<Scene> &all, const QString &folder)
{
    QStringList result;
    for (QString name : QDir(folder).entryList({u"*.png"_s, u"*.txt"_s}, QDir::Files)) {
        const QString file = name;
        name.chop(4);
        if (file.endsWith(u".png"_s))
            name.replace(u"-light"_s, QString()).replace(u"-dark"_s, QString());
        if (!isOneOf(all, name))
            result.append(u"%1/%2 belongs to no scene: delete it"_s.arg(folder, file));
    }
    return result;
}

// The usual one is smaller than the window, and dialogs keep within their screen.
constexpr QSize ScreenOfPictures(1600, 1000);

QByteArray screenIn(const QByteArray &folder, QSize size)
{
    const QByteArray path = folder + "/screen.json";
    sonde::test::writeFile(QString::fromLocal8Bit(path), R"({"screens":[{"name":"desk","x":0,"y":0,"width":)" +
                                                             QByteArray::number(size.width()) + R"(,"height":)" +
                                                             QByteArray::number(size.height()) +
                                                             R"(,"logicalDpi":96,"logicalBaseDpi":96,"dpr":1}]})");
    return path;
}

// WIDTHxHEIGHT; empty: it is something else.
QSize sizeFrom(const QString &text)
{
    const QStringList parts = text.split(u'x');
    const QSize size = parts.size() == 2 ? QSize(parts[0].toInt(), parts[1].toInt()) : QSize();
    return size.isEmpty() ? QSize() : size;
}

// The page of a server lists the names of its variables, so what is there must be the same everywhere.
void setEnvironment(const QByteArray &home, const QByteArray &temporary, QSize screen)
{
    const QStringList names = QProcessEnvironment::systemEnvironment().keys();
    for (const QString &name : names) {
        const bool isOfSystem = name.startsWith(u"LD_"_s) || name.startsWith(u"FONTCONFIG_"_s);
        if (!isOfSystem)
            qunsetenv(name.toLocal8Bit().constData());
    }
    const std::pair<const char *, QByteArray> variables[] = {
        {"HOME", home},
        {"PATH", home + "/bin:/usr/local/bin:/usr/bin:/bin"},
        {"SHELL", "/bin/sh"},
        {"USER", "ada"},
        {"LOGNAME", "ada"},
        {"LANG", "C.UTF-8"},
        {"TERM", "xterm"},
        {"TZ", "UTC"},
        {"XDG_RUNTIME_DIR", temporary},
        {"DBUS_SESSION_BUS_ADDRESS", "unix:path=" + temporary + "/no-bus"},
        {"QT_QPA_PLATFORM", "offscreen:configfile=" + screenIn(temporary, screen)},
    };
    for (const auto &[name, value] : variables)
        qputenv(name, value);
}

int refuse(const QString &reason)
{
    fprintf(stderr, "%s Try --help.\n", qUtf8Printable(reason));
    return 2;
}

}  // namespace

int main(int argc, char *argv[])
{
    QCommandLineParser options;
    options.setApplicationDescription(
        u"Plays the scenes of the documentation's pictures, and makes these or looks whether they are out of date.\n"
        "With --theme or --size it only photographs, and every screen there is."_s);
    options.addOptions({
        {u"check"_s, u"Makes no pictures; names those whose words the window no longer shows."_s},
        {u"theme"_s, u"One of %1; can be repeated. Without it, all."_s.arg(Camera::themes().join(u", "_s)), u"NAME"_s},
        {u"size"_s, u"Of the window, and of the screen it is on: 1000x700."_s, u"WIDTHxHEIGHT"_s},
        {{u"h"_s, u"help"_s}, u"Prints this help."_s},
    });
    options.addPositionalArgument(u"FOLDER"_s, u"Of the pictures; it exists."_s);
    options.addPositionalArgument(u"SCENE"_s, u"Only these."_s, u"[SCENE…]"_s);
    QStringList arguments;
    for (int i = 0; i < argc; ++i)
        arguments << QString::fromLocal8Bit(argv[i]);
    if (!options.parse(arguments))
        return refuse(options.errorText() + u'.');
    if (options.isSet(u"help"_s)) {
        fputs(qUtf8Printable(options.helpText().replace(u"<executable_name>"_s, u"sonde-pictures"_s)), stdout);
        return 0;
    }
    const bool isCheck = options.isSet(u"check"_s);
    const bool onlyLooks = options.isSet(u"theme"_s) || options.isSet(u"size"_s);
    const QStringList themes = options.isSet(u"theme"_s) ? options.values(u"theme"_s) : Camera::themes();
    const QSize size = options.isSet(u"size"_s) ? sizeFrom(options.value(u"size"_s)) : QSize(1440, 900);
    if (isCheck && onlyLooks)
        return refuse(u"--check knows the themes and the size of the documentation's pictures only."_s);
    if (size.isEmpty())
        return refuse(u"--size %1 is no size."_s.arg(options.value(u"size"_s)));
    for (const QString &name : themes) {
        if (!Camera::themes().contains(name))
            return refuse(u"There is no theme “%1”."_s.arg(name));
    }
    arguments = options.positionalArguments();
    if (arguments.isEmpty())
        return refuse(u"The folder of the pictures is missing."_s);
    const QString folder = QDir(arguments.takeFirst()).absolutePath();
    const QList<Scene> all = onlyLooks ? scenes() + furtherScenes() : scenes();
    for (const QString &name : std::as_const(arguments)) {
        if (!isOneOf(all, name))
            return refuse(u"There is no scene “%1”."_s.arg(name));
    }

    // Nothing of the user's is read or shown, and everything is the same for everybody.
    const QTemporaryDir temporary;
    const bool isMake = !isCheck && !onlyLooks;
    const QString home = isMake ? QString(HomeOfPictures) : temporary.path();
    if (isMake && !QDir().mkdir(home)) {
        fprintf(stderr, "%s is in the way, or cannot be made: remove it first.\n", qUtf8Printable(home));
        return 1;
    }
    setEnvironment(home.toUtf8(), temporary.path().toUtf8(), onlyLooks ? size : ScreenOfPictures);
    QApplication app(argc, argv);
    QCoreApplication::setApplicationName(u"sonde-pictures"_s);
    Desk::setWindowSize(size);

    Camera camera = onlyLooks ? Camera(folder, themes, u"-%1x%2"_s.arg(size.width()).arg(size.height()))
                              : Camera(isCheck ? Camera::Task::Check : Camera::Task::Make, folder);
    QStringList problems;
    for (const Scene &scene : all) {
        if (!arguments.isEmpty() && !arguments.contains(scene.name))
            continue;
        Desk::prepare();
        camera.begin(scene.name);
        if (!scene.play(camera) || !camera.hasTaken(scene.name))
            problems.append(u"The scene “%1” did not come about: see above."_s.arg(scene.name));
        else
            printf("%s: %s\n", isCheck ? "compared" : "made", qUtf8Printable(scene.name));
        fflush(stdout);
    }
    problems += camera.problems();
    if (arguments.isEmpty() && !onlyLooks)
        problems += leftOvers(all, folder);
    if (isMake)
        QDir(home).removeRecursively();
    for (const QString &problem : std::as_const(problems))
        fprintf(stderr, "%s\n", qUtf8Printable(problem));
    if (isCheck && !problems.isEmpty())
        fputs("Make them anew with docs/make-pictures [SCENE…], look at them, and commit them with the change.\n",
              stderr);
    return problems.isEmpty() ? 0 : 1;
}
