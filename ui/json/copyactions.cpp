// SPDX-License-Identifier: Apache-2.0
#include "ui/json/copyactions.h"

#include "core/json/pointer.h"
#include "ui/json/bytestext.h"
#include "ui/theme/keys.h"

#include <QAction>
#include <QClipboard>
#include <QCoreApplication>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QMenu>
#include <algorithm>
#include <utility>

namespace sonde::ui {

namespace {

struct CopyText {
    Q_DECLARE_TR_FUNCTIONS(sonde::ui::CopyActions)
};

void copyText(const QString &text)
{
    QGuiApplication::clipboard()->setText(text);
}

}  // namespace

void copyJsonValue(const json::Value &value)
{
    if (value.exists())
        copyText(value.isString() ? value.string() : decodedUtf8(value.slice()));
}

QString pointerWithin(const json::Value &shown, const json::Value &value)
{
    const QStringList above = json::Pointer::to(shown).tokens();
    return json::Pointer(json::Pointer::to(value).tokens().mid(above.size())).toString();
}

void addCopyActions(QMenu *menu, const json::Value &value, const json::Value &shown)
{
    if (!value.exists())
        return;
    // In a text, the keys copy what is selected there, or all of it.
    const QList<QAction *> before = menu->actions();
    const bool isText = std::any_of(before.begin(), before.end(),
                                    [](const QAction *action) { return action->shortcut() == QKeySequence::Copy; });
    QAction *copy = menu->addAction(CopyText::tr("Copy value"), menu, [value] { copyJsonValue(value); });
    menu->addAction(CopyText::tr("Copy as JSON"), menu, [value] { copyText(decodedUtf8(value.slice())); });
    QAction *copyPointer = menu->addAction(CopyText::tr("Copy JSON pointer"), menu,
                                           [value, shown] { copyText(pointerWithin(shown, value)); });
    if (!isText) {
        copy->setShortcut(QKeySequence::Copy);
        copyPointer->setShortcut(keys::CopyPointer);
    }
    if (!value.keySlice().isEmpty())
        menu->addAction(CopyText::tr("Copy name"), menu, [value] { copyText(value.key()); });
}

bool copyOnKey(const QKeyEvent *event, const json::Value &value, const json::Value &shown)
{
    if (event->matches(QKeySequence::Copy))
        copyJsonValue(value);
    else if (event->keyCombination() != keys::CopyPointer)
        return false;
    else if (value.exists())
        copyText(pointerWithin(shown, value));
    return true;
}

json::Value innermostAt(json::Value laidOut, qsizetype offset, json::Value original)
{
    while (laidOut.isContainer()) {
        json::Value within;
        auto twin = original.begin();
        for (const json::Value &child : std::as_const(laidOut)) {
            const QByteArrayView key = child.keySlice();
            const qsizetype start = key.isEmpty() ? child.offset() : key.data() - child.document().text().constData();
            if (offset < start || twin == original.end())
                break;
            if (offset < child.offset() + child.slice().size()) {
                within = child;
                break;
            }
            ++twin;
        }
        if (!within.exists())
            break;
        laidOut = within;
        original = *twin;
    }
    return original;
}

}  // namespace sonde::ui
