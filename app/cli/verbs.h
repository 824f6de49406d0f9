// All verbs of sonde-cli, and what their tables say together.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/verb.h"

#include <memory>

namespace sonde::cli {

struct VerbEntry {
    QString name;
    std::unique_ptr<Verb> (*make)();
    QString group;  // the heading that it stands below
};

const QList<VerbEntry> &verbs();   // in the order of the help
QList<app::Choice> verbChoices();  // their names, for completion
QStringList verbNames();
const VerbEntry *verbNamed(const QString &name);
QString programOf(const QString &verb);  // "sonde-cli call"

// What asks for a text instead of a deed.
struct HelpRequest {
    bool wantsHelp = false;
    bool wantsVersion = false;

    app::OptionSection section();
};

// Its own options, those that it shares, and the request's.
app::OptionTable tableOf(Verb &verb, const QString &name, HelpRequest *request);

struct OptionTaker {
    QString verb;
    QString value;  // as app::Option::value()
};

// The verbs that take this option.
QList<OptionTaker> takersOf(const QString &option);

// Where the verb stands among words that may begin with options of any verb; -1: there is none.
qsizetype verbPosition(const QStringList &words);

// With the verbs that do take an option that this one does not.
QString misuseText(const app::Misuse &misuse);

}  // namespace sonde::cli
