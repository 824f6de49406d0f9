// SPDX-License-Identifier: Apache-2.0
#include "app/cli/didyoumean.h"

#include "app/cli/texts.h"
#include "core/json/closestname.h"
#include "core/protocol/visibletext.h"

#include <QDirIterator>
#include <QFileInfo>

namespace sonde::cli {

QString didYouMean(const QString &word, const QStringList &names)
{
    const QString name = json::closestName(word, names);
    return name.isEmpty() ? QString() : CliText::tr("Did you mean '%1'?").arg(visibleLine(name));
}

QString didYouMeanFile(const QString &path)
{
    constexpr qsizetype maxEntries = 10'000;
    const QFileInfo file(path);
    if (path.isEmpty() || file.exists())
        return {};
    QStringList names;
    QDirIterator entries(file.path(), QDir::Files | QDir::Hidden | QDir::System);
    while (entries.hasNext() && names.size() < maxEntries) {
        entries.next();
        names.append(entries.fileName());
    }
    names.sort();  // a folder has its entries in no order
    const QString name = json::closestName(file.fileName(), names);
    if (name.isEmpty())
        return {};
    const QString folder = path.left(path.size() - file.fileName().size());  // as it was typed
    return CliText::tr("Did you mean '%1'?").arg(visibleLine(folder + name, -1));
}

QString withSuggestion(const QString &text, const QString &suggestion)
{
    return text.isEmpty() ? suggestion : suggestion.isEmpty() ? text : text + QChar(u'\n') + suggestion;
}

Error withSuggestion(Error error, const QString &suggestion)
{
    error.hint = withSuggestion(suggestion, error.hint);
    return error;
}

}  // namespace sonde::cli
