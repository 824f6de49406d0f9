// The help that belongs to no single verb: the overview, the topics that several verbs share, and the manual page.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/common/optiontable.h"

namespace sonde::cli {

// What "sonde-cli help NAME" explains. The manual page has it as a section of that title.
struct HelpTopic {
    QString name;
    QString title;
    QString summary;  // one line
    QString text;     // paragraphs, and rows as app::wrapped() takes them
    QList<app::OptionSection> sections = {};

    QString help() const;
};

QList<HelpTopic> helpTopics();  // in the order of the overview

QString overviewText();  // of sonde-cli --help

// In the language of man(7). date: when this version was released.
QString manualPage(const QString &date);

}  // namespace sonde::cli
