// A manual page, made from tables of options and plain text.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/common/optiontable.h"

namespace sonde::app {

// In the language of man(7). Whatever is added is plain text, escaped here; names of options in it become bold.
class ManPage {
public:
    // date: of this version.
    ManPage(const QString &program, const QString &summary, const QString &date);

    void section(const QString &title);  // in capitals, as manual pages have them
    // A usage is set bold up to the end of its program.
    void subsection(const QString &usage, const QString &program);
    // Paragraphs, and rows as wrapped() takes them. Other lines that begin with a blank stay as they are.
    void text(const QString &text);
    void rows(const OptionSection &section);
    void usage(const OptionTable &table);     // a line of the synopsis
    void examples(const OptionTable &table);  // nothing for a table without
    void seeAlso(const QStringList &pages);   // of section 1

    QString take() { return std::move(m_page); }

private:
    void beginParagraph();
    void literal(const QStringList &lines);
    void row(const QString &form, const QString &text);
    void prose(const QString &text);

    QString m_page;
    bool m_isAtStart = true;  // of a section
};

// The page of a program that one table describes, but for its sections without a title. sections: what the table does
// not say.
QString manPageOf(const OptionTable &table, const QString &summary, const QString &date,
                  const QList<OptionSection> &sections, const QStringList &seeAlso);

}  // namespace sonde::app
