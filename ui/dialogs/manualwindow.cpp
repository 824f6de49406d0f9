// SPDX-License-Identifier: Apache-2.0
#include "ui/dialogs/manualwindow.h"

#include "ui/theme/lineinput.h"
#include "ui/theme/theme.h"
#include "ui/theme/widgets.h"

#include <QDir>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QListWidget>
#include <QRegularExpression>
#include <QResource>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextDocument>
#include <QTextTable>
#include <QVBoxLayout>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

constexpr int ManualListWidth = 220;
constexpr int PageMargin = 2 * Grid;

// The order in which they are read; what is not named here comes after.
const QStringList &readingOrder()
{
    static const QStringList order{u"tour"_s,
                                   u"servers"_s,
                                   u"authorization"_s,
                                   u"forms"_s,
                                   u"calls"_s,
                                   u"filter-language"_s,
                                   u"server-requests"_s,
                                   u"sending"_s,
                                   u"saved-calls"_s,
                                   u"replay"_s,
                                   u"export"_s,
                                   u"cli"_s,
                                   u"ci"_s,
                                   u"json"_s,
                                   u"limits"_s,
                                   u"robustness"_s,
                                   u"session-format"_s};
    return order;
}

QString withoutPictures(QString text)
{
    static const QRegularExpression pictures(u"<picture>.*?</picture>|!\\[[^\\]]*\\]\\([^)]*\\)|<!--.*?-->"_s,
                                             QRegularExpression::DotMatchesEverythingOption);
    return text.remove(pictures);
}

QStringList wordsOf(const QLineEdit *line)
{
    return line->text().split(u' ', Qt::SkipEmptyParts);
}

// What GitHub makes of a heading, as links name it.
QString anchorOf(const QString &heading)
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

void formatTables(QTextDocument *document)
{
    const QList<QTextFrame *> frames = document->rootFrame()->childFrames();
    for (QTextFrame *frame : frames) {
        auto *table = qobject_cast<QTextTable *>(frame);
        if (!table)
            continue;
        QTextTableFormat format = table->format();
        format.setBorderCollapse(true);
        format.setCellSpacing(0);
        format.setCellPadding(Grid / 2.0);
        format.setBorderBrush(colors().line);
        table->setFormat(format);
    }
}

}  // namespace

ManualWindow::ManualWindow(const QString &folder, QWidget *parent)
    : QDialog(parent, Qt::Window),
      m_line(new LineInput),
      m_list(new QListWidget),
      m_browser(new QTextBrowser),
      m_message(new TextLabel)
{
    setObjectName(u"manual"_s);
    setWindowTitle(tr("Sonde manual"));
    resize(980, 680);
    m_line->setObjectName(u"manualSearch"_s);
    m_line->setPlaceholderText(tr("Search the manual"));
    m_line->setAccessibleName(tr("Search the manual"));
    m_line->setClearButtonEnabled(true);
    m_list->setObjectName(u"manualPages"_s);
    m_list->setAccessibleName(tr("Pages of the manual"));
    m_list->setFixedWidth(ManualListWidth);
    m_line->setFixedWidth(ManualListWidth);
    m_browser->setObjectName(u"manualPage"_s);
    m_browser->setAccessibleName(tr("Page"));
    m_browser->setOpenLinks(false);
    m_message->setElided(true);
    m_message->setDim(true);
    m_message->setObjectName(u"manualMessage"_s);
    m_message->hide();
    auto *side = new QVBoxLayout;
    side->setSpacing(Grid);
    side->addWidget(m_line);
    side->addWidget(m_list, 1);
    auto *content = new QVBoxLayout;
    content->setSpacing(Grid);
    content->addWidget(m_browser, 1);
    content->addWidget(m_message);
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(Grid, Grid, Grid, Grid);
    row->setSpacing(Grid);
    row->addLayout(side);
    row->addLayout(content, 1);
    readPages(folder);
    connect(m_line, &QLineEdit::textChanged, this, &ManualWindow::filter);
    connect(m_line, &QLineEdit::returnPressed, this, &ManualWindow::findNext);
    connect(m_list, &QListWidget::currentRowChanged, this, &ManualWindow::showCurrent);
    connect(m_browser, &QTextBrowser::anchorClicked, this, &ManualWindow::follow);
    filter();
    m_line->setFocus();
}

void ManualWindow::readPages(const QString &folder)
{
    const QStringList files = QDir(folder).entryList({u"*.md"_s}, QDir::Files, QDir::Name);
    for (const QString &file : files) {
        const QResource page(folder + u'/' + file);
        if (!page.isValid())
            continue;
        const QString text = withoutPictures(QString::fromUtf8(page.uncompressedData()));
        m_pages.append({file.chopped(3), text.section(u'\n', 0, 0).remove(u"# "_s), text});
    }
    const auto place = [](const Page &page) {
        const qsizetype at = readingOrder().indexOf(page.name);
        return at < 0 ? readingOrder().size() : at;
    };
    std::stable_sort(m_pages.begin(), m_pages.end(),
                     [place](const Page &left, const Page &right) { return place(left) < place(right); });
    for (const Page &page : std::as_const(m_pages))
        m_list->addItem(page.title);
}

void ManualWindow::showPage(const QString &name)
{
    m_line->clear();
    const auto page =
        std::find_if(m_pages.cbegin(), m_pages.cend(), [&name](const Page &other) { return other.name == name; });
    m_list->setCurrentRow(page == m_pages.cend() ? 0 : int(page - m_pages.cbegin()));
}

// The pages that have all the words.
void ManualWindow::filter()
{
    const QStringList words = wordsOf(m_line);
    int first = -1;
    for (int i = 0; i < m_list->count(); ++i) {
        const bool matches = std::all_of(words.begin(), words.end(), [this, i](const QString &word) {
            return m_pages[i].text.contains(word, Qt::CaseInsensitive);
        });
        m_list->item(i)->setHidden(!matches);
        if (matches && first < 0)
            first = i;
    }
    m_message->setVisible(first < 0);
    m_message->setText(tr("No page has these words."));
    const QListWidgetItem *current = m_list->currentItem();
    if (first >= 0 && (!current || current->isHidden()))
        m_list->setCurrentRow(first);
    else
        showCurrent();
}

void ManualWindow::showCurrent()
{
    const int row = m_list->currentRow();
    if (row < 0)
        return;
    if (row != m_shown) {
        m_shown = row;
        showText(m_pages[row].text);
    }
    m_browser->moveCursor(QTextCursor::Start);
    if (!m_line->text().trimmed().isEmpty())
        findNext();
}

// Made while nothing shows it: else it would be laid out after each cell of its tables.
void ManualWindow::showText(const QString &markdown)
{
    QTextDocument *former = m_browser->document();
    auto *page = new QTextDocument(m_browser);
    page->setDefaultFont(former->defaultFont());
    page->setDocumentMargin(PageMargin);
    page->setMarkdown(markdown);
    formatTables(page);
    const bool isOurs = former->parent() == m_browser;  // the browser deletes its first one itself
    m_browser->setDocument(page);
    if (isOurs)
        delete former;
}

void ManualWindow::findNext()
{
    const QString word = wordsOf(m_line).value(0);
    if (word.isEmpty() || m_browser->find(word))
        return;
    m_browser->moveCursor(QTextCursor::Start);
    m_browser->find(word);
}

void ManualWindow::follow(const QUrl &link)
{
    const QString name = link.fileName().endsWith(u".md") ? link.fileName().chopped(3) : QString();
    const bool isPage =
        std::any_of(m_pages.cbegin(), m_pages.cend(), [&name](const Page &page) { return page.name == name; });
    const bool isHere = link.scheme().isEmpty() && link.path().isEmpty();
    m_message->setVisible(!isPage && !isHere);
    m_message->setText(tr("Not in this manual: %1").arg(link.toString()));
    if (isPage)
        showPage(name);
    if ((!isPage && !isHere) || link.fragment().isEmpty())
        return;
    for (QTextBlock block = m_browser->document()->begin(); block.isValid(); block = block.next()) {
        if (block.blockFormat().headingLevel() == 0 || anchorOf(block.text()) != link.fragment())
            continue;
        m_browser->moveCursor(QTextCursor::End);  // so that the heading is at the top afterwards
        m_browser->setTextCursor(QTextCursor(block));
        return;
    }
}

}  // namespace sonde::ui
