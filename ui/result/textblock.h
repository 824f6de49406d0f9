// Text in a box, with a caption and a choice of views for JSON and Markdown.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/document.h"
#include "core/json/pointer.h"
#include "ui/json/textview.h"
#include "ui/theme/widgets.h"

#include <QWidget>
#include <functional>

class QHBoxLayout;
class QMenu;
class QVBoxLayout;

namespace sonde::ui {

class FittingSegments;
class JsonTable;
class JsonTreeView;
class MarkdownView;

// The caption of a block, with its buttons, and notes below it. Hidden while it is empty. If there is no room in one
// line, the controls move to a second one.
class BlockCaption : public QWidget {
    Q_OBJECT
public:
    explicit BlockCaption(QWidget *parent = nullptr);
    void setCaption(const QString &text);
    void setHeading(const QString &text);          // a caption that the eye finds
    void setNote(const QString &text, Tone tone);  // beside the caption: what became of a button
    void setNotes(const QString &text);            // once: what else the server says about the block, in one line
    QToolButton *addButton(const QString &text, const QString &objectName, const QString &accessibleName);
    void addButton(QToolButton *button);
    void addControl(QWidget *control);  // in front of the buttons
    void reveal();                      // for a button that is added when it is filled
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void filled();  // it is not empty any more

protected:
    void resizeEvent(QResizeEvent *event) override;
    bool event(QEvent *event) override;

private:
    void arrange();
    static int widthOf(const QList<QWidget *> &widgets);

    TextLabel *m_text;
    TextLabel *m_note;
    QHBoxLayout *m_row;
    QHBoxLayout *m_secondRow;
    QList<QWidget *> m_controls;
    QList<QWidget *> m_buttons;
    bool m_isNarrow = false;
};

// As high as its text, up to a limit set by the page; beyond that it scrolls. JSON can be seen indented, as a tree, and
// as a table if there is an array of objects in it; Markdown can be rendered. Only the view that is chosen is made.
// "Copy" is in the caption, or in the corner of a short text without one.
class TextBlock : public QWidget {
    Q_OBJECT
public:
    enum class Pretty { Never, WhenJson };
    enum Segment { JsonSegment, TreeSegment, TableSegment, TextSegment, MarkdownSegment };

    explicit TextBlock(const QByteArray &text, Pretty pretty, TextView::Highlight highlight = TextView::Highlight::None,
                       QWidget *parent = nullptr);
    // A JSON string, decoded, or any other value, indented. Large values are formatted on a worker; until then the
    // block says so.
    explicit TextBlock(const json::Value &value, Pretty pretty = Pretty::Never, QWidget *parent = nullptr);
    BlockCaption *caption() const { return m_caption; }
    TextView *view() const { return m_view; }
    bool isComplete() const { return m_waiting == nullptr; }
    QByteArray text() const { return m_text; }  // as sent
    QString selectedText() const;               // in what is shown
    void setMaxHeight(int height);
    void setBytes(const QByteArray &bytes);  // shows them as a hex dump, with as many on a line as fit
    // Marks in the tree; those of the text are the caller's.
    void setTreeFindings(const QList<std::pair<json::Pointer, QString>> &findings);

Q_SIGNALS:
    void completed();  // the text has come from the worker
    // A context menu is about to be shown, with the entries of what it was opened on. Value: of the JSON there; of a
    // text that is JSON, in a document of its own. Missing: no JSON.
    void menuRequested(QMenu *menu, const sonde::json::Value &value);
    void linkActivated(const QString &address);  // of Markdown

protected:
    void resizeEvent(QResizeEvent *event) override;
    bool event(QEvent *event) override;

private:
    struct Reading {
        QByteArray indented;  // empty: the text is no JSON
        bool isContainer = false;
        bool hasTable = false;
        bool isMarkdown = false;
    };
    static Reading read(const json::Value &value);
    static Reading read(const QByteArray &text);

    TextBlock(TextView::Highlight highlight, QWidget *parent);
    void setText(const QByteArray &text, Pretty pretty);
    void setReading(const Reading &reading);
    void offerViews(const QList<Segment> &segments);
    void showSegment(int segment);
    void useJson(const std::function<void(const json::Value &)> &use);
    void showTree();
    void showTable();
    void showMarkdown();
    QWidget *frameOf(QWidget *view);
    void makeCopyButton();
    void fitBytes();
    void addJsonActions(QMenu *menu, qsizetype offset);
    void copy() const;
    void fit();

    QByteArray m_text;
    QByteArray m_bytes;  // that the text is the dump of
    int m_bytesPerLine = 0;
    QByteArray m_indented;
    json::Value m_value;  // what the tree and the table show; Missing until one of them is chosen
    QList<std::pair<json::Pointer, QString>> m_treeFindings;
    TextView::Highlight m_highlight;
    BlockCaption *m_caption;
    QVBoxLayout *m_layout;
    TextView *m_view;
    QToolButton *m_copy;
    JsonTreeView *m_tree = nullptr;
    JsonTable *m_table = nullptr;
    MarkdownView *m_markdown = nullptr;
    QWidget *m_shown;  // the frame of one of them
    FittingSegments *m_views = nullptr;
    QList<Segment> m_segments;  // of this control
    TextLabel *m_waiting = nullptr;
    int m_maxHeight = 420;
};

}  // namespace sonde::ui
