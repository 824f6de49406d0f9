// SPDX-License-Identifier: Apache-2.0
#include "ui/result/audioplayer.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QPluginLoader>
#include <optional>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

std::optional<AudioModule *> &chosenModule()
{
    static std::optional<AudioModule *> module;
    return module;
}

// Beside the program in a build, in the folder of libraries when it is installed. Never from the current folder.
AudioModule *loadedModule()
{
    const QDir programs(QCoreApplication::applicationDirPath());
    for (const QString &folder : {u"."_s, QStringLiteral(SONDE_MODULE_FOLDER)}) {
        const QString path = programs.absoluteFilePath(folder + u"/libsonde-audio.so"_s);
        if (!QFileInfo::exists(path))
            continue;
        QPluginLoader loader(path);
        if (auto *module = qobject_cast<AudioModule *>(loader.instance()))
            return module;
    }
    return nullptr;
}

}  // namespace

AudioModule *audioModule()
{
    if (!chosenModule())
        chosenModule() = loadedModule();
    return *chosenModule();
}

void setAudioModule(AudioModule *module)
{
    chosenModule() = module;
}

}  // namespace sonde::ui
