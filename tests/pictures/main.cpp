// Makes the pictures of the documentation, or says which of them are out of date. See docs/make-pictures.
// SPDX-License-Identifier: Apache-2.0
#include "tests/pictures/camera.h"
#include "tests/pictures/scenes.h"

#include <QApplication>
#include <QDir>
#include <QProcessEnvironment>
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

// The page of a server lists the names of its variables, so what is there must be the same everywhere.
void setEnvironment(const QByteArray &home, const QByteArray &temporary)
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
        {"QT_QPA_PLATFORM", "offscreen"},
    };
    for (const auto &[name, value] : variables)
        qputenv(name, value);
}

int usage()
{
    fputs("Usage: sonde-pictures [--check] FOLDER [SCENE…]\n", stderr);
    return 2;
}

}  // namespace

int main(int argc, char *argv[])
{
    bool isCheck = false;
    for (int i = 1; i < argc; ++i)
        isCheck = isCheck || qstrcmp(argv[i], "--check") == 0;
    // Nothing of the user's is read or shown, and everything is the same for everybody.
    const QTemporaryDir temporary;
    const QString home = isCheck ? temporary.path() : QString(HomeOfPictures);
    if (!isCheck && !QDir().mkdir(home)) {
        fprintf(stderr, "%s is in the way, or cannot be made: remove it first.\n", qUtf8Printable(home));
        return 1;
    }
    setEnvironment(home.toUtf8(), temporary.path().toUtf8());
    QApplication app(argc, argv);
    QCoreApplication::setApplicationName(u"sonde-pictures"_s);

    QStringList arguments = QApplication::arguments().mid(1);
    arguments.removeAll(u"--check"_s);
    if (arguments.isEmpty())
        return usage();
    const QString folder = QDir(arguments.takeFirst()).absolutePath();
    const QList<Scene> all = scenes();
    for (const QString &name : std::as_const(arguments)) {
        if (!isOneOf(all, name)) {
            fprintf(stderr, "There is no scene \"%s\".\n", qUtf8Printable(name));
            return usage();
        }
    }

    Camera camera(isCheck ? Camera::Task::Check : Camera::Task::Make, folder);
    QStringList problems;
    for (const Scene &scene : all) {
        if (!arguments.isEmpty() && !arguments.contains(scene.name))
            continue;
        prepareScene();
        camera.begin(scene.name);
        if (!scene.play(camera) || !camera.hasTaken(scene.name))
            problems.append(u"The scene “%1” did not come about: see above."_s.arg(scene.name));
        else
            printf("%s: %s\n", isCheck ? "compared" : "made", qUtf8Printable(scene.name));
        fflush(stdout);
    }
    problems += camera.problems();
    if (arguments.isEmpty())
        problems += leftOvers(all, folder);
    if (!isCheck)
        QDir(home).removeRecursively();
    for (const QString &problem : std::as_const(problems))
        fprintf(stderr, "%s\n", qUtf8Printable(problem));
    if (isCheck && !problems.isEmpty())
        fputs("Make them anew with docs/make-pictures [SCENE…], look at them, and commit them with the change.\n",
              stderr);
    return problems.isEmpty() ? 0 : 1;
}
