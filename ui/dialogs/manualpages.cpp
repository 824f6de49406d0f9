// SPDX-License-Identifier: Apache-2.0
#include "ui/dialogs/manualpages.h"

#include <QRegularExpression>
#include <QResource>
#include <QTextBlock>
#include <QTextDocument>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

// Qt's own would look for files by the names of pictures.
class ManualDocument final : public QTextDocument {
protected:
    QVariant loadResource(int, const QUrl &) override { return {}; }
};

QString textOf(const QString &name)
{
    const QResource resource(name);
    return resource.isValid() ? QString::fromUtf8(resource.uncompressedData()) : QString();
}

// A picture in two themes is HTML on the host; here it is one, of which the browser shows either.
QString withPlainPictures(QString markdown)
{
    static const QRegularExpression comment(u"<!--.*?-->"_s, QRegularExpression::DotMatchesEverythingOption);
    static const QRegularExpression picture(
        u"<picture>.*?<img\\s+alt=\"([^\"]*)\"\\s+src=\"([^\"]*)\"\\s*/?>\\s*</picture>"_s,
        QRegularExpression::DotMatchesEverythingOption);
    return markdown.remove(comment).replace(picture, u"![\\1](\\2)"_s);
}

bool hasAll(const QString &text, const QStringList &words)
{
    return std::all_of(words.begin(), words.end(),
                       [&text](const QString &word) { return text.contains(word, Qt::CaseInsensitive); });
}

bool hasAny(const QString &text, const QStringList &words)
{
    return std::any_of(words.begin(), words.end(),
                       [&text](const QString &word) { return text.contains(word, Qt::CaseInsensitive); });
}

}  // namespace

ManualPages::ManualPages(const QString &folder) : m_folder(folder)
{
    static const QRegularExpression link(u"\\]\\(([^)#:]+\\.md)\\)"_s);
    QString chapter;
    const QString index = textOf(folder + u"/README.md"_s);
    for (const QString &line : index.split(u'\n')) {
        if (line.startsWith(u"## "))
            chapter = line.mid(3);
        auto links = link.globalMatch(line);
        while (links.hasNext()) {
            const QString path = links.next().captured(1);
            const QString text = textOf(folder + u'/' + path);
            if (!text.isEmpty() && !page(path))
                m_pages.append({path, text.section(u'\n', 0, 0).remove(u"# "_s), chapter, withPlainPictures(text)});
        }
    }
}

const ManualPage *ManualPages::page(const QString &path) const
{
    const auto found =
        std::find_if(m_pages.cbegin(), m_pages.cend(), [&path](const ManualPage &page) { return page.path == path; });
    return found == m_pages.cend() ? nullptr : &*found;
}

ManualPlace ManualPages::target(const QString &path, const QUrl &link) const
{
    const QUrl resolved = QUrl(u"qrc:/"_s + path).resolved(link);
    const QString target = resolved.path().mid(1);
    if (resolved.scheme() != "qrc"_L1 || !page(target))
        return {};
    return {target, resolved.fragment()};
}

QList<ManualHit> ManualPages::find(const QStringList &words)
{
    if (words.isEmpty())
        return {};
    if (m_sections.isEmpty())
        readSections();
    QList<ManualHit> headings;
    QList<ManualHit> lines;
    for (const Section &section : std::as_const(m_sections)) {
        if (!hasAll(section.text, words))
            continue;
        const qsizetype before = headings.size() + lines.size();
        for (const ManualHit &line : section.lines) {
            if (hasAll(line.line, words))
                (line.line == section.heading ? headings : lines).append(line);
        }
        if (headings.size() + lines.size() > before)
            continue;
        const auto first = std::find_if(section.lines.cbegin(), section.lines.cend(),
                                        [&words](const ManualHit &line) { return hasAny(line.line, words); });
        if (first != section.lines.cend())
            lines.append(*first);
    }
    return headings + lines;
}

void ManualPages::readSections()
{
    for (qsizetype i = 0; i < m_pages.size(); ++i) {
        const std::unique_ptr<QTextDocument> document = documentOf(m_pages[i]);
        for (QTextBlock block = document->begin(); block.isValid(); block = block.next()) {
            const QString text = block.text().remove(QChar::ObjectReplacementCharacter).simplified();
            if (text.isEmpty())
                continue;
            if (block.blockFormat().headingLevel() > 0 || m_sections.isEmpty() || m_sections.last().page != i)
                m_sections.append({i, text, {}, {}});
            Section &section = m_sections.last();
            section.text += text + u'\n';
            section.lines.append({m_pages[i].path, section.heading, text, block.position()});
        }
    }
}

std::unique_ptr<QTextDocument> ManualPages::documentOf(const ManualPage &page)
{
    auto document = std::make_unique<ManualDocument>();
    document->setUndoRedoEnabled(false);
    document->setMarkdown(page.markdown);
    return document;
}

QString ManualPages::anchorOf(const QString &heading)
{
    QString anchor;
    const QString lower = heading.toLower();
    for (const QChar c : lower) {
        if (c.isLetterOrNumber() || c == u'-' || c == u'_')
            anchor += c;
        else if (c == u' ')
            anchor += u'-';
    }
    return anchor;
}

}  // namespace sonde::ui
