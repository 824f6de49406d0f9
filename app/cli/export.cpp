// sonde-cli export: a session in a form that others read, with its secrets redacted.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commonoptions.h"
#include "app/cli/fileverb.h"
#include "app/cli/sessionfile.h"
#include "app/cli/standardoutput.h"
#include "app/cli/verbs.h"

#include "core/export/exporter.h"
#include "core/files/savefile.h"
#include "core/filter/filtermatcher.h"
#include "core/json/builder.h"
#include "core/protocol/numbertext.h"
#include "core/protocol/visibletext.h"

#include <QFile>
#include <QSaveFile>
#include <cstdio>

using namespace Qt::StringLiterals;

namespace sonde::cli {
namespace {

QString maskedLines(const QList<MaskedSecret> &masked)
{
    QString lines;
    for (const MaskedSecret &secret : masked) {
        const QString length = secret.length > 0
                                   ? u", "_s + counted(secret.length, FileVerb::tr("1 byte"), FileVerb::tr("%1 bytes"))
                                   : QString();
        lines += FileVerb::tr("%1  %2, first in record %3: %4%5")
                     .arg(visibleLine(secret.mark),
                          counted(secret.occurrences, FileVerb::tr("once"), FileVerb::tr("%1 times")))
                     .arg(secret.firstNumber)
                     .arg(visibleLine(secret.where), length) +
                 u'\n';
    }
    return lines;
}

QByteArray maskedForMachines(const QList<MaskedSecret> &masked)
{
    json::Builder builder;
    builder.beginObject().key(u"redacted").beginArray();
    for (const MaskedSecret &secret : masked) {
        builder.beginObject().member(u"mark", secret.mark).member(u"occurrences", qint64(secret.occurrences));
        builder.member(u"record", qint64(secret.firstNumber)).member(u"place", secret.where).endObject();
    }
    return builder.endArray().endObject().take();
}

class Export final : public FileVerb {
public:
    void declare(app::OptionTable &table) override
    {
        const auto takeFormat = [this](const QString &name) {
            m_options.format = exportFormat(name);
            return m_options.format ? QString() : tr("unknown format '%1'; use jsonl, har, markdown or html").arg(name);
        };
        const auto takeSecret = [this](const QString &word) {
            if (word.size() < 4)
                return tr("--secret needs a word of at least four characters");
            m_options.secrets.append(word);
            return QString();
        };
        table.summary = tr("export a session as JSON Lines, HAR, Markdown or HTML");
        table.details =
            tr("Writes a recorded session in another format. Secrets are redacted. Review the file before you "
               "share it.");
        table.operands = {sessionOperand(&m_options.path)};
        table.sections = {
            {tr("Options"),
             {{u"--format FORMAT"_s,
               tr("jsonl: JSON Lines, one message per line\nhar: HTTP exchanges as a HAR file\nmarkdown: for an issue "
                  "or a chat\nhtml: one page for a bug report, without scripts or external files"),
               takeFormat, app::Completion::of(QStringList{u"jsonl"_s, u"har"_s, u"markdown"_s, u"html"_s})},
              {u"-o, --output OUT"_s, tr("write to this file, replacing it (default: standard output)"),
               &m_options.output, app::Completion::files()},
              {u"--secret WORD"_s,
               tr("also redact this word of at least four characters"),
               {takeSecret, app::OptionTarget::Repeat::Yes}},
              {u"--preview"_s, tr("write nothing; list the redacted values on standard output"), &m_options.isPreview},
              {u"--filter FILTER"_s, tr("export only matching records, such as 'tool == search and ms > 500'"),
               filterInto(&m_options.filter)}}}};
        table.examples = {u"export session.mcpsession --format har -o session.har"_s,
                          u"export session.mcpsession --format html --preview --secret 'Ada Lovelace'"_s};
        table.notes = exitCodes();
    }

    QString problem() const override
    {
        if (!m_options.format)
            return tr("expected --format jsonl, har, markdown or html");
        if (output().isJson() && isToStandardOutput() && !m_options.isPreview)
            return tr("--json needs --output OUT or --preview; otherwise the export goes to standard output");
        return problemOfFolderOf(m_options.output);
    }

private:
    bool isToStandardOutput() const { return m_options.output.isEmpty() || m_options.output == "-"_L1; }

    ExitCode run(const Profile &) override
    {
        const Result<std::unique_ptr<Session>> session = openSession(m_options.path, output());
        if (!session)
            return wrongUse(session.error());
        ExportOptions options;
        options.format = *m_options.format;
        options.secrets = m_options.secrets;
        if (m_options.filter && !m_options.filter->matchesAll())
            options.rows = matchingRows(**session);
        if ((*session)->isRecordedIn(m_options.output))
            return wrongUse(
                Error::local(tr("%1 is the session itself; export it to another file.").arg(m_options.output)));
        Exporter exporter(session->get(), options);
        if (m_options.isPreview) {
            const QList<MaskedSecret> masked = exporter.preview();
            output().result(maskedForMachines(masked));
            if (!output().isJson())
                standardoutput::writeText(maskedLines(masked));
            return ExitCode::Ok;
        }
        const Error error = write(exporter);
        if (standardoutput::hasFailed())
            return ExitCode::NoResponse;  // which is said at the end
        if (error)
            return cannotWrite(error);
        if (exporter.count() == 0 && options.format == ExportFormat::Har)
            output().note(options.rows ? tr("No HTTP exchanges match the filter.")
                                       : tr("The session contains no HTTP exchanges."));
        output().result(maskedForMachines(exporter.masked()));
        if (!output().isJson())
            std::fputs(maskedLines(exporter.masked()).toUtf8().constData(), stderr);
        return ExitCode::Ok;
    }

    Error write(Exporter &exporter) const
    {
        const QString &path = m_options.output;
        if (isToStandardOutput()) {
            standardoutput::Device out;
            return exporter.write(&out);
        }
        QSaveFile out(path);  // whole or not at all
        if (!out.open(QIODevice::WriteOnly))
            return Error::local(tr("%1 cannot be written: %2").arg(path, out.errorString()));
        out.setPermissions(QFile::ReadOwner | QFile::WriteOwner);
        if (const Error error = exporter.write(&out))
            return error;
        const QString problem = commitFile(out);
        return problem.isEmpty() ? Error() : Error::local(tr("%1 cannot be written: %2").arg(path, problem));
    }

    std::vector<qsizetype> matchingRows(const Session &session) const
    {
        FilterMatcher matcher(*m_options.filter, &session);
        std::vector<qsizetype> rows;
        for (qsizetype row = 0; row < session.size(); ++row) {
            if (matcher.matches(row))
                rows.push_back(row);
        }
        return rows;
    }

    struct {
        QString path;
        std::optional<ExportFormat> format;
        QString output;
        QStringList secrets;
        std::optional<Filter> filter;
        bool isPreview = false;
    } m_options;
};

}  // namespace

std::unique_ptr<Verb> makeExport()
{
    return std::make_unique<Export>();
}

}  // namespace sonde::cli
