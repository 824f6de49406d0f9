// sonde-cli export: a session in a form that others read, with its secrets redacted.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/fileverb.h"
#include "app/cli/sessionfile.h"
#include "app/cli/standardoutput.h"
#include "app/cli/verbs.h"

#include "core/export/exporter.h"
#include "core/files/savefile.h"
#include "core/filter/filtermatcher.h"
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
        const QString length = secret.length > 0 ? FileVerb::tr(", %1 bytes").arg(secret.length) : QString();
        lines += FileVerb::tr("%1  %2 times, first in record %3: %4%5")
                     .arg(visibleLine(secret.mark))
                     .arg(secret.occurrences)
                     .arg(secret.firstNumber)
                     .arg(visibleLine(secret.where), length) +
                 u'\n';
    }
    return lines;
}

class Export final : public FileVerb {
public:
    void declare(app::OptionTable &table) override
    {
        const auto takeFormat = [this](const QString &name) {
            m_options.format = exportFormat(name);
            return m_options.format ? QString() : tr("unknown format '%1'").arg(name);
        };
        const auto takeSecret = [this](const QString &word) {
            if (word.size() < 4)
                return tr("a secret word must have at least four characters");
            m_options.secrets.append(word);
            return QString();
        };
        table.summary = tr("export a session as jsonl, har, markdown or html");
        table.operands = {sessionOperand(&m_options.path)};
        table.sections = {
            {tr("Options"),
             {{u"--format FORMAT"_s,
               tr("jsonl: JSON Lines, one message per line\nhar: HTTP exchanges as a HAR file\nmarkdown: for an issue "
                  "or "
                  "a chat\nhtml: a single page for a bug report, without scripts or external files"),
               takeFormat, app::Completion::of(QStringList{u"jsonl"_s, u"har"_s, u"markdown"_s, u"html"_s})},
              {u"-o, --output OUT"_s, tr("write to this file, replacing it (default: standard output)"),
               &m_options.output, app::Completion::files()},
              {u"--secret WORD"_s, tr("also redact this word"), {takeSecret, app::OptionTarget::Repeat::Yes}},
              {u"--preview"_s, tr("write nothing; list the redacted values on standard output"), &m_options.isPreview},
              {u"--filter FILTER"_s, tr("only matching records, such as 'tool == search and ms > 500'"),
               filterInto(&m_options.filter)}}}};
        table.examples = {u"export session.mcpsession --format har -o session.har"_s,
                          u"export session.mcpsession --format html --preview --secret 'Ada Lovelace'"_s};
        table.notes = exitCodes();
    }

    QString problem() const override
    {
        return m_options.format ? QString() : tr("expected --format jsonl, har, markdown or html");
    }

private:
    ExitCode run(const Profile &) override
    {
        const Result<std::unique_ptr<Session>> session = openSession(m_options.path);
        if (!session)
            return failed(session.error());
        ExportOptions options;
        options.format = *m_options.format;
        options.secrets = m_options.secrets;
        if (m_options.filter && !m_options.filter->matchesAll())
            options.rows = matchingRows(**session);
        Exporter exporter(session->get(), options);
        if (m_options.isPreview) {
            standardoutput::writeText(maskedLines(exporter.preview()));
            return ExitCode::Ok;
        }
        if (const Error error = write(exporter))
            return failed(error);
        if (exporter.count() == 0 && options.format == ExportFormat::Har)
            say(options.rows ? tr("No HTTP exchanges match the filter.")
                             : tr("The session contains no HTTP exchanges."));
        std::fputs(maskedLines(exporter.masked()).toUtf8().constData(), stderr);
        return ExitCode::Ok;
    }

    Error write(Exporter &exporter) const
    {
        const QString &path = m_options.output;
        if (path.isEmpty() || path == "-"_L1) {
            QFile out;
            if (!out.open(stdout, QIODevice::WriteOnly))
                return Error::local(tr("Standard output cannot be written."));
            const Error error = exporter.write(&out);
            return error || out.flush() ? error : Error::local(tr("Not written: %1").arg(out.errorString()));
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
