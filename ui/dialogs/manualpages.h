// The pages of the manual: which there are, how they are linked, and where words are in them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QList>
#include <QString>
#include <QUrl>
#include <memory>

class QTextDocument;

namespace sonde::ui {

struct ManualPage {
    QString path;     // "manual/forms.md"
    QString title;    // its first heading
    QString chapter;  // "Using Sonde"
    QString markdown;
};

// Where something is in the manual, as a link names it: a page, and a heading or nothing.
struct ManualPlace {
    QString path;
    QString anchor;
    bool operator==(const ManualPlace &) const = default;
};

struct ManualHit {
    QString path;
    QString heading;   // the nearest above
    QString line;      // the paragraph, list item or cell
    int position = 0;  // of the paragraph, in the page's document
    bool operator==(const ManualHit &) const = default;
};

// GUI thread. Everything is a resource; nothing else is read. Pages are listed in the order of the index, README.md in
// the folder, whose headings are the chapters: what it does not link is no page.
class ManualPages {
public:
    explicit ManualPages(const QString &folder);

    const QString &folder() const { return m_folder; }
    const QList<ManualPage> &all() const { return m_pages; }
    const ManualPage *page(const QString &path) const;  // null: there is none
    // A link of that page; with an empty path: it leads out of the manual.
    ManualPlace target(const QString &path, const QUrl &link) const;
    // The paragraphs that have all the words; in a section that has them in different paragraphs, the first with one.
    QList<ManualHit> find(const QStringList &words);

    // Without tables drawn and without a layout: made the same each time, so positions stay.
    static std::unique_ptr<QTextDocument> documentOf(const ManualPage &page);
    // What GitHub makes of a heading, as links name it.
    static QString anchorOf(const QString &heading);

private:
    struct Section {
        qsizetype page;
        QString heading;
        QString text;            // of all lines
        QList<ManualHit> lines;  // the heading first
    };
    void readSections();

    QString m_folder;
    QList<ManualPage> m_pages;
    QList<Section> m_sections;  // read by the first search
};

}  // namespace sonde::ui
