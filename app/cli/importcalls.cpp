// sonde-cli import-calls: saved calls out of what other programs export.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/fileverb.h"
#include "app/cli/input.h"
#include "app/cli/output.h"
#include "app/cli/verbs.h"

#include "core/json/builder.h"
#include "core/protocol/visibletext.h"
#include "core/savedcalls/callimport.h"

#include <QFileInfo>

using namespace Qt::StringLiterals;

namespace sonde::cli {
namespace {

class ImportCalls final : public FileVerb {
public:
    void declare(app::OptionTable &table) override
    {
        table.summary = tr("make saved calls of calls in a Postman collection or an MCP Inspector history");
        table.details =
            tr("Reads a collection of Postman (2.1, or a YAML file of a request), Insomnia (JSON) or Hoppscotch whose "
               "requests are JSON-RPC, or the history or network page that MCP Inspector exports, and writes each call "
               "of a tool as a saved call (NAME.call.json). No file is replaced. What could not be imported is listed "
               "with the reason.");
        table.operands = {
            {u"FILE"_s, tr("an export"), &m_path, tr("a file, or - for standard input"), app::Completion::files()},
            {u"FOLDER"_s, tr("a folder"), &m_folder, tr("an existing folder for the saved calls"),
             app::Completion::folders()}};
        table.examples = {u"import-calls server.postman_collection.json calls"_s,
                          u"import-calls history.json calls --json"_s};
        table.notes = exitCodesText({{ExitCode::Ok, tr("at least one call was imported")},
                                     {ExitCode::ToolError, tr("FILE has no tool calls")},
                                     {ExitCode::ProtocolError, {}},
                                     {ExitCode::NoResponse, tr("a file could not be written")},
                                     {ExitCode::WrongUse, tr("usage error, or FILE cannot be read")}});
    }

private:
    ExitCode run(const Profile &) override
    {
        if (!QFileInfo(m_folder).isDir())
            return wrongUse(Error::local(tr("Folder %1 does not exist.").arg(visibleLine(m_folder))));
        const Result<QByteArray> text = readInput(m_path);
        if (!text)
            return wrongUse(text.error());
        const Result<ImportedCalls> imported = importCalls(*text, m_path == "-"_L1 ? tr("Standard input") : m_path);
        if (!imported)
            return wrongUse(imported.error());
        const auto &[saved, problem] = saveImported(imported->calls, m_folder);
        if (output().isJson() && !problem)
            printForMachines(saved, imported->notes);
        else if (!output().isJson())
            printForPeople(saved, imported->notes);
        if (problem)
            return cannotWrite(problem);
        return saved.isEmpty() ? ExitCode::ToolError : ExitCode::Ok;
    }

    void printForPeople(const QList<SavedCall> &saved, const QStringList &notes)
    {
        for (const SavedCall &call : saved)
            output().line(visibleLine(call.path, -1));
        for (const QString &note : notes)
            output().note(visibleLine(note, -1));
        if (saved.isEmpty())
            output().note(tr("No tool calls were found."));
    }

    void printForMachines(const QList<SavedCall> &saved, const QStringList &notes)
    {
        json::Builder builder;
        builder.beginObject().key(u"calls").beginArray();
        for (const SavedCall &call : saved)
            builder.beginObject()
                .member(u"name", call.name)
                .member(u"file", call.path)
                .member(u"tool", call.tool)
                .endObject();
        builder.endArray().key(u"notes").beginArray();
        for (const QString &note : notes)
            builder.string(note);
        output().result(builder.endArray().endObject().take());
    }

    QString m_path;
    QString m_folder;
};

}  // namespace

std::unique_ptr<Verb> makeImportCalls()
{
    return std::make_unique<ImportCalls>();
}

}  // namespace sonde::cli
