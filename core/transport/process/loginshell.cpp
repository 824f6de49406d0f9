// SPDX-License-Identifier: Apache-2.0
#include "core/transport/process/loginshell.h"

#include "core/transport/process/briefrun.h"

#include <QCoreApplication>
#include <QPointer>
#include <optional>
#include <utility>

namespace sonde {

using namespace Qt::StringLiterals;

namespace {

struct LoginShellText {
    Q_DECLARE_TR_FUNCTIONS(sonde::LoginShell)
};

// What start files print comes before it. Every shell writes lists its own way, env always the same.
constexpr auto Begin = "sonde-environment-begin";
constexpr QStringView Script = u"echo sonde-environment-begin; /usr/bin/env";

struct Memory {
    std::optional<LoginShell::Path> path;
    QPointer<BriefRun> run;
    QList<std::pair<QPointer<QObject>, std::function<void(const LoginShell::Path &)>>> waiting;
};

Memory &memory()
{
    static Memory memory;
    return memory;
}

LoginShell::Path pathFrom(const BriefRun::Result &result, const QString &shell)
{
    LoginShell::Path path;
    path.shell = shell;
    path.ms = result.ms;
    bool hasBegun = false;
    for (const QByteArray &line : result.output) {
        if (line.endsWith(Begin))
            hasBegun = true;
        else if (hasBegun && path.path.isEmpty() && line.startsWith("PATH="))
            path.path = QString::fromLocal8Bit(line.mid(5));
    }
    if (!path.path.isEmpty())
        return path;
    path.error = result.error
                     ? result.error
                     : Error::local(LoginShellText::tr("The login shell %1 did not report its PATH.").arg(shell));
    path.error.hint = LoginShellText::tr("Add the folder to PATH in this server's environment instead.");
    return path;
}

void finish(const LoginShell::Path &path)
{
    memory().path = path;
    for (const auto &[context, then] : std::exchange(memory().waiting, {})) {
        if (context)
            then(path);
    }
}

}  // namespace

LoginShell::Path LoginShell::known()
{
    return memory().path.value_or(Path());
}

bool LoginShell::wasAsked()
{
    return memory().path.has_value();
}

void LoginShell::ask(QObject *context, const std::function<void(const Path &)> &then)
{
    if (memory().path) {
        QMetaObject::invokeMethod(
            context, [then, path = *memory().path] { then(path); }, Qt::QueuedConnection);
        return;
    }
    memory().waiting.append({context, then});
    if (memory().run)
        return;
    StdioOptions options;
    options.program = qEnvironmentVariable("SHELL", u"/bin/sh"_s);
    options.arguments = QStringList{u"-l"_s, u"-i"_s, u"-c"_s, Script.toString()};
    auto *run = new BriefRun(options, MaxMs, QCoreApplication::instance());
    memory().run = run;
    QObject::connect(run, &BriefRun::finished, run, [run, shell = options.program](const BriefRun::Result &result) {
        memory().run = nullptr;
        run->deleteLater();
        finish(pathFrom(result, shell));
    });
}

void LoginShell::forget()
{
    memory().path.reset();
}

}  // namespace sonde
