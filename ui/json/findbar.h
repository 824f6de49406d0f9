// The line in which a word to be found is typed.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QFrame>

class QAbstractScrollArea;
class QLineEdit;

namespace sonde::ui {

class FlatButton;
class TextLabel;

// Enter and Shift+Enter ask for the next and the previous match. PageFind searches, and handles all other keys.
class FindBar : public QFrame {
    Q_OBJECT
public:
    explicit FindBar(QWidget *parent);
    void pinTo(QAbstractScrollArea *area);  // to its upper right corner, if it is in no layout
    void begin();                           // shows it, with the focus and its text selected
    QString text() const;
    void setText(const QString &text);
    void setCount(const QString &text, bool isMissing);
    // Where it finds something other than words in a page.
    void setTexts(const QString &name, const QString &tip);
    void addControl(QWidget *control);  // beside the text
    void setStepsVisible(bool visible);
    void setCloseVisible(bool visible);

Q_SIGNALS:
    void textChanged();
    void stepRequested(bool isForward);
    void closeRequested();

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
    void showEvent(QShowEvent *event) override;

private:
    FlatButton *addButton(const QString &name, const QString &iconName, const QString &tip);

    void place();

    QAbstractScrollArea *m_area = nullptr;  // it is pinned to
    QLineEdit *m_edit;
    TextLabel *m_count;
    FlatButton *m_previous;
    FlatButton *m_next;
    FlatButton *m_close;
};

}  // namespace sonde::ui
