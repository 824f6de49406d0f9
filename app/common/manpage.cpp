// SPDX-License-Identifier: Apache-2.0
#include "app/common/manpage.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <utility>

using namespace Qt::StringLiterals;

namespace sonde::app {
namespace {

constexpr qsizetype SourceColumns = 76;

struct ManPageText {
    Q_DECLARE_TR_FUNCTIONS(sonde::app)
};

// So that what is copied from the page is what was written: formatters make typography of some characters.
QString escaped(const QString &text)
{
    QString out;
    for (const QChar c : text) {
        switch (c.unicode()) {
            case u'\\':
                out += u"\\e"_s;
                break;
            case u'-':
                out += u"\\-"_s;
                break;
            case u'\'':
                out += u"\\(aq"_s;
                break;
            case u'"':
                out += u"\\(dq"_s;
                break;
            case u'`':
                out += u"\\(ga"_s;
                break;
            case u'^':
                out += u"\\(ha"_s;
                break;
            case u'~':
                out += u"\\(ti"_s;
                break;
            case u'…':
                out += u"..."_s;
                break;
            case u'–':
                out += u"\\(en"_s;
                break;
            case u'“':
                out += u"\\(lq"_s;
                break;
            case u'”':
                out += u"\\(rq"_s;
                break;
            default:
                out += c;
        }
    }
    return out;
}

// A line of text must not look like a request.
QString asLine(const QString &line)
{
    return line.startsWith(u'.') || line.startsWith(u'\'') ? u"\\&"_s + line : line;
}

QString bold(const QString &text)
{
    return u"\\fB"_s + escaped(text) + u"\\fR"_s;
}

// The words in capitals are to be replaced by the reader.
QString withPlaceholders(const QString &form)
{
    static const QRegularExpression placeholder(u"\\b[A-Z][A-Z0-9]+\\b"_s);
    QString out;
    qsizetype at = 0;
    auto matches = placeholder.globalMatch(form);
    while (matches.hasNext()) {
        const auto match = matches.next();
        out += escaped(form.mid(at, match.capturedStart() - at)) + u"\\fI"_s + match.captured() + u"\\fR"_s;
        at = match.capturedEnd();
    }
    return out + escaped(form.mid(at));
}

// "-o, --output OUT": the names bold.
QString formOf(const QString &form)
{
    static const QRegularExpression name(u"^((?:--?[\\w+-]*(?:, )?)+)(.*)$"_s);
    const auto match = name.match(form);
    return match.hasMatch() && !match.captured(1).isEmpty()
               ? bold(match.captured(1)) + withPlaceholders(match.captured(2))
               : bold(form);
}

QString withBoldOptions(const QString &word)
{
    static const QRegularExpression option(u"^([(\\[']?)(--[a-z][\\w+-]*)(.*)$"_s);
    const auto match = option.match(word);
    return match.hasMatch() ? escaped(match.captured(1)) + bold(match.captured(2)) + escaped(match.captured(3))
                            : escaped(word);
}

}  // namespace

ManPage::ManPage(const QString &program, const QString &summary, const QString &date)
    : m_page(u".TH %1 1 \"%2\" \"Sonde %3\" \"User Commands\"\n"_s.arg(escaped(program.toUpper()), date,
                                                                       QStringLiteral(SONDE_VERSION)))
{
    section(ManPageText::tr("Name"));
    m_page += escaped(program) + u" \\- "_s + escaped(summary) + u'\n';
}

void ManPage::section(const QString &title)
{
    m_page += u".SH "_s + escaped(title.toUpper()) + u'\n';
    m_isAtStart = true;
}

void ManPage::subsection(const QString &usage, const QString &program)
{
    m_page += u".SS "_s + bold(program) + withPlaceholders(usage.mid(program.size())) + u'\n';
    m_isAtStart = true;
}

void ManPage::text(const QString &text)
{
    static const QRegularExpression rowPattern(u"^ {1,3}(\\S+(?: \\S+)*)  +(.*)$"_s);
    static const QRegularExpression continuation(u"^ {4,}\\S"_s);
    QStringList paragraph;
    QStringList lines;
    bool isAfterRow = false;
    const auto flush = [&] {
        if (!paragraph.isEmpty()) {
            beginParagraph();
            isAfterRow = false;
            prose(paragraph.join(u' '));
        }
        if (!lines.isEmpty())
            literal(lines);
        paragraph.clear();
        lines.clear();
    };
    for (const QString &line : text.split(u'\n')) {
        const auto match = rowPattern.match(line);
        if (match.hasMatch() && lines.isEmpty()) {
            flush();
            row(match.captured(1), match.captured(2));
            isAfterRow = true;
        } else if (isAfterRow && continuation.match(line).hasMatch()) {
            prose(line.trimmed());
        } else if (line.startsWith(u' ')) {
            if (lines.isEmpty())
                flush();
            lines.append(line.mid(2));
        } else {
            if (line.isEmpty() || !lines.isEmpty())
                flush();
            if (!line.isEmpty())
                paragraph.append(line);
        }
    }
    flush();
}

void ManPage::rows(const OptionSection &section)
{
    for (const Option &option : section.options) {
        if (const QString help = helpTextOf(option); !help.isEmpty())
            row(option.form, help);
    }
}

void ManPage::usage(const OptionTable &table)
{
    if (!m_isAtStart)
        m_page += u".br\n"_s;
    m_isAtStart = false;
    m_page += bold(table.program) + withPlaceholders(table.usage().mid(table.program.size())) + u'\n';
}

void ManPage::examples(const OptionTable &table)
{
    if (table.examples.isEmpty())
        return;
    beginParagraph();
    prose(table.summary.left(1).toUpper() + table.summary.mid(1) + u':');
    literal(table.exampleLines());
}

void ManPage::seeAlso(const QStringList &pages)
{
    section(ManPageText::tr("See also"));
    QStringList lines;
    for (const QString &page : pages)
        lines.append(u".BR "_s + escaped(page) + u" (1)"_s);
    m_page += lines.join(u",\n"_s) + u'\n';
}

void ManPage::beginParagraph()
{
    if (!std::exchange(m_isAtStart, false))
        m_page += u".PP\n"_s;
}

void ManPage::literal(const QStringList &lines)
{
    beginParagraph();
    m_page += u".RS\n.nf\n"_s;
    for (const QString &line : lines)
        m_page += asLine(escaped(line)) + u'\n';
    m_page += u".fi\n.RE\n"_s;
}

void ManPage::row(const QString &form, const QString &text)
{
    m_isAtStart = false;
    m_page += u".TP\n"_s + formOf(form) + u'\n';
    // What is on several lines in a terminal is so on paper.
    const QStringList lines = text.split(u'\n');
    for (qsizetype i = 0; i < lines.size(); ++i) {
        if (i > 0)
            m_page += u".br\n"_s;
        const bool isTerm = lines.at(i).section(u' ', 0, 0).endsWith(u':');
        prose(i == 0 && !isTerm ? lines.at(i).left(1).toUpper() + lines.at(i).mid(1) : lines.at(i));
    }
}

void ManPage::prose(const QString &text)
{
    QString line;
    for (const QString &word : text.split(u' ', Qt::SkipEmptyParts)) {
        const QString next = withBoldOptions(word);
        if (!line.isEmpty() && line.size() + 1 + next.size() > SourceColumns)
            m_page += asLine(std::exchange(line, QString())) + u'\n';
        line += (line.isEmpty() ? QString() : u" "_s) + next;
    }
    m_page += asLine(line) + u'\n';
}

QString manPageOf(const OptionTable &table, const QString &summary, const QString &date,
                  const QList<OptionSection> &sections, const QStringList &seeAlso)
{
    ManPage page(table.program, summary, date);
    page.section(ManPageText::tr("Synopsis"));
    page.usage(table);
    page.section(ManPageText::tr("Description"));
    page.text(table.details.isEmpty() ? table.summary : table.details);
    page.rows(argumentsOf(table));
    for (const OptionSection &section : table.sections) {
        if (section.title.isEmpty())
            continue;
        page.section(section.title);
        page.rows(section);
    }
    for (const OptionSection &section : sections) {
        page.section(section.title);
        page.rows(section);
    }
    if (!table.notes.isEmpty()) {
        page.section(ManPageText::tr("Exit status"));
        page.text(table.notes);
    }
    page.section(ManPageText::tr("Examples"));
    page.examples(table);
    page.seeAlso(seeAlso);
    return page.take();
}

}  // namespace sonde::app
