// sonde-cli help: the help of one verb or topic.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/fileverb.h"
#include "app/cli/helptopics.h"
#include "app/cli/standardoutput.h"
#include "app/cli/verbs.h"
#include "core/protocol/visibletext.h"

using namespace Qt::StringLiterals;

namespace sonde::cli {
namespace {

// Empty: there is neither a verb nor a topic of this name.
QString helpAbout(const QString &name)
{
    if (const VerbEntry *entry = verbNamed(name)) {
        const std::unique_ptr<Verb> verb = entry->make();
        HelpRequest request;
        return tableOf(*verb, name, &request).help();
    }
    for (const HelpTopic &topic : helpTopics()) {
        if (topic.name == name)
            return topic.help();
    }
    return {};
}

class Help final : public FileVerb {
public:
    void declare(app::OptionTable &table) override
    {
        const auto names = [](const QStringList &) {
            QList<app::Choice> choices = verbChoices();
            for (const HelpTopic &topic : helpTopics())
                choices.append({topic.name, topic.summary});
            return choices;
        };
        table.summary = tr("explain a verb or a topic");
        table.details = tr("Explains a verb or a topic. Without either, lists all verbs and topics.");
        table.operands = {{u"[VERB | TOPIC]"_s, {}, &m_name, {}, app::Completion::of(names)}};
        // For the build, which makes the manual page with it.
        table.sections = {{{}, {{u"--man DATE"_s, {}, &m_manualDate}}}};
        table.examples = {u"help call"_s, u"help server-options"_s};
        table.notes = exitCodes();
    }

    // Texts for people.
    void declareShared(app::OptionTable &) override {}

    QString problem() const override
    {
        constexpr int maxShown = 60;
        return m_name.isEmpty() || !helpAbout(m_name).isEmpty()
                   ? QString()
                   : tr("there is no verb or topic '%1'").arg(visibleLine(m_name, maxShown));
    }

private:
    ExitCode run(const Profile &) override
    {
        standardoutput::writeText(!m_manualDate.isEmpty() ? manualPage(m_manualDate)
                                  : m_name.isEmpty()      ? overviewText()
                                                          : helpAbout(m_name));
        return ExitCode::Ok;
    }

    QString m_name;
    QString m_manualDate;
};

}  // namespace

std::unique_ptr<Verb> makeHelp()
{
    return std::make_unique<Help>();
}

}  // namespace sonde::cli
