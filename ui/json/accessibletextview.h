// What assistive tools get of a TextView.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/json/textviewprivate.h"

#include <QAccessible>
#include <QAccessibleWidget>

namespace sonde::ui {

// The text itself, without the marks and captions that are drawn, its selection and where its characters are. Of a
// large text they get the start: they ask for all of it at once. Private to ui/json; belongs to Qt.
class TextView::Accessible final : public QAccessibleWidget, public QAccessibleTextInterface {
public:
    static constexpr qsizetype MaxBytes = 100'000;

    static QAccessibleInterface *make(const QString &className, QObject *object);
    // After the selection has changed.
    static void announceSelection(TextView *view);

    void *interface_cast(QAccessible::InterfaceType type) override;
    QAccessible::State state() const override;
    QString text(QAccessible::Text kind) const override;

    void selection(int index, int *start, int *end) const override;
    int selectionCount() const override;
    void addSelection(int start, int end) override;
    void removeSelection(int index) override;
    void setSelection(int index, int start, int end) override;
    int cursorPosition() const override;
    void setCursorPosition(int position) override;
    QString text(int start, int end) const override;
    int characterCount() const override;
    QRect characterRect(int offset) const override;
    int offsetAtPoint(const QPoint &point) const override;
    void scrollToSubstring(int start, int end) override;
    QString attributes(int offset, int *start, int *end) const override;

private:
    explicit Accessible(TextView *view) : QAccessibleWidget(view, QAccessible::EditableText) {}
    TextView *view() const { return static_cast<TextView *>(widget()); }
    TextView::Private *lines() const { return view()->d.get(); }
    QString spoken() const;
    int unitOf(qsizetype byte) const;
    qsizetype byteOf(int unit) const;
};

}  // namespace sonde::ui
