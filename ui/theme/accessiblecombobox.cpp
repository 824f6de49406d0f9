// SPDX-License-Identifier: Apache-2.0
#include "ui/theme/accessiblecombobox.h"

#include <QAbstractItemView>
#include <QAccessible>
#include <QAccessibleWidget>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <algorithm>
#include <utility>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

using Relations = QList<std::pair<QAccessibleInterface *, QAccessible::Relation>>;

// As Qt's own, which cannot be derived from, with the label.
class AccessibleComboBox final : public QAccessibleWidget {
public:
    explicit AccessibleComboBox(QComboBox *box) : QAccessibleWidget(box, QAccessible::ComboBox) {}

    int childCount() const override { return box()->isEditable() ? 2 : 1; }
    QAccessibleInterface *child(int index) const override
    {
        if (index == 0)
            return QAccessible::queryAccessibleInterface(box()->view());
        return index == 1 && box()->isEditable() ? QAccessible::queryAccessibleInterface(box()->lineEdit()) : nullptr;
    }
    int indexOfChild(const QAccessibleInterface *child) const override
    {
        const QObject *object = child ? child->object() : nullptr;
        return object == box()->view() ? 0 : object && object == box()->lineEdit() ? 1 : -1;
    }
    QAccessibleInterface *childAt(int x, int y) const override
    {
        const bool isHit =
            box()->isEditable() && box()->lineEdit()->rect().contains(box()->lineEdit()->mapFromGlobal(QPoint(x, y)));
        return isHit ? child(1) : nullptr;
    }

    QAccessible::State state() const override
    {
        QAccessible::State state = QAccessibleWidget::state();
        state.expandable = true;
        state.expanded = box()->view()->isVisible();
        state.editable = box()->isEditable();
        return state;
    }
    QString text(QAccessible::Text kind) const override
    {
        const bool isValue = kind == QAccessible::Name || kind == QAccessible::Value;
        const QString value = isValue ? box()->currentText() : QString();
        return value.isEmpty() ? QAccessibleWidget::text(kind) : value;
    }
    Relations relations(QAccessible::Relation match) const override
    {
        Relations all = QAccessibleWidget::relations(match);
        const bool isLabelled =
            std::any_of(all.cbegin(), all.cend(), [](const auto &each) { return each.second == QAccessible::Label; });
        if (match.testFlag(QAccessible::Label) && !isLabelled && !box()->accessibleName().isEmpty())
            all.append({label(), QAccessible::Label});
        return all;
    }

    QStringList actionNames() const override
    {
        return QStringList{showMenuAction(), pressAction()} + QAccessibleWidget::actionNames();
    }
    void doAction(const QString &name) override
    {
        if (name != showMenuAction() && name != pressAction())
            QAccessibleWidget::doAction(name);
        else if (box()->view()->isVisible())
            box()->hidePopup();
        else
            box()->showPopup();
    }

private:
    QComboBox *box() const { return static_cast<QComboBox *>(widget()); }
    // Never seen, and no child for assistive tools.
    QAccessibleInterface *label() const
    {
        auto *label = box()->findChild<QLabel *>(u"spokenLabel"_s, Qt::FindDirectChildrenOnly);
        if (!label) {
            label = new QLabel(box());
            label->setObjectName(u"spokenLabel"_s);
            label->hide();
        }
        label->setAccessibleName(box()->accessibleName());
        return QAccessible::queryAccessibleInterface(label);
    }
};

QAccessibleInterface *makeAccessibleComboBox(const QString &className, QObject *object)
{
    Q_UNUSED(className)
    auto *box = qobject_cast<QComboBox *>(object);
    return box ? new AccessibleComboBox(box) : nullptr;
}

}  // namespace

void makeComboBoxesAccessible()
{
    static const bool isInstalled = (QAccessible::installFactory(makeAccessibleComboBox), true);
    Q_UNUSED(isInstalled)
}

}  // namespace sonde::ui
