// The scroll area of a form.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QPointer>
#include <QScrollArea>
#include <QTimer>

namespace sonde::ui {

// Its widget is as wide as the area and as high as it then needs. A field in sight that has the focus stays in sight.
// The stock scroll area lays out the whole form at a dozen widths after each change.
class FormArea : public QScrollArea {
    Q_OBJECT
public:
    explicit FormArea(QWidget *parent);
    void fit();
    // Scrolls to the widget, and stays there while the fields around it are created.
    void keepInView(QWidget *widget);
    void release();  // once the form is laid out
    // Scrolls to a field; where there is no room for all of it, to its input rather than to what is above that. Never
    // sideways: names are at the left edge.
    void showField(QWidget *field, int margin);
    static FormArea *around(const QWidget *widget);  // null: it is in none

Q_SIGNALS:
    void heightChanged();  // of its widget

protected:
    bool focusNextPrevChild(bool next) override;
    void resizeEvent(QResizeEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    QPointer<QWidget> m_kept;
    QSize m_room;      // at the last fit
    QTimer m_settled;  // ends once nothing more is to be laid out
    bool m_isReleased = true;
    bool m_isFitting = false;
};

}  // namespace sonde::ui
