// Text in a box, with its caption and a switch between as it came and laid out where it is JSON.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/document.h"
#include "ui/json/textview.h"
#include "ui/theme/widgets.h"

#include <QWidget>

class QHBoxLayout;

namespace sonde::ui {

// The line above a block: what it is, and what can be done with it. Hidden while it has nothing to say.
class BlockCaption : public QWidget {
    Q_OBJECT
public:
    explicit BlockCaption(QWidget *parent = nullptr);
    void setCaption(const QString &text);
    void setNote(const QString &text, Tone tone);
    QToolButton *addButton(const QString &text, const QString &objectName, const QString &accessibleName);
    void addControl(QWidget *control);

private:
    TextLabel *m_text;
    TextLabel *m_note;
    QHBoxLayout *m_layout;
};

// As high as its text, up to a limit given by the page around it; from there on it scrolls within itself.
class TextBlock : public QWidget {
    Q_OBJECT
public:
    enum class Pretty { Never, WhenJson };

    explicit TextBlock(const QByteArray &text, Pretty pretty, TextView::Highlight highlight = TextView::Highlight::None,
                       QWidget *parent = nullptr);
    // A string of JSON, decoded, or any other value, indented. Of a large one the text comes from a worker; until then
    // the block says so.
    explicit TextBlock(const json::Value &value, Pretty pretty = Pretty::Never, QWidget *parent = nullptr);
    BlockCaption *caption() const { return m_caption; }
    TextView *view() const { return m_view; }
    bool isComplete() const { return m_waiting == nullptr; }
    QByteArray text() const { return m_text; }  // as sent
    void setMaxHeight(int height);

Q_SIGNALS:
    void completed();  // the text has come from the worker

protected:
    void resizeEvent(QResizeEvent *event) override;
    bool event(QEvent *event) override;

private:
    TextBlock(TextView::Highlight highlight, QWidget *parent);
    void setText(const QByteArray &text, Pretty pretty);
    void offerPretty(const QByteArray &indented);
    void fit();
    QByteArray m_text;
    TextView::Highlight m_highlight;
    BlockCaption *m_caption;
    TextView *m_view;
    TextLabel *m_waiting = nullptr;
    int m_maxHeight = 420;
};

}  // namespace sonde::ui
