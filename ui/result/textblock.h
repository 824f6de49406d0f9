// Text in a box, with a caption and, for JSON, a switch between original and formatted.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/document.h"
#include "ui/json/textview.h"
#include "ui/theme/widgets.h"

#include <QWidget>

class QHBoxLayout;

namespace sonde::ui {

// The caption of a block, with its buttons. Hidden while it is empty.
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

// As high as its text, up to a limit set by the page; beyond that it scrolls.
class TextBlock : public QWidget {
    Q_OBJECT
public:
    enum class Pretty { Never, WhenJson };

    explicit TextBlock(const QByteArray &text, Pretty pretty, TextView::Highlight highlight = TextView::Highlight::None,
                       QWidget *parent = nullptr);
    // A JSON string, decoded, or any other value, indented. Large values are formatted on a worker; until then the
    // block says so.
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
