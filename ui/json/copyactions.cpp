// SPDX-License-Identifier: Apache-2.0
#include "ui/json/copyactions.h"

#include "core/json/pointer.h"
#include "ui/json/bytestext.h"

#include <QClipboard>
#include <QCoreApplication>
#include <QGuiApplication>
#include <QMenu>

namespace sonde::ui {

namespace {

struct CopyText {
    Q_DECLARE_TR_FUNCTIONS(sonde::ui::CopyActions)
};

}  // namespace

void copyJsonValue(const json::Value &value)
{
    if (value.exists())
        QGuiApplication::clipboard()->setText(value.isString() ? value.string() : decodedUtf8(value.slice()));
}

void addCopyActions(QMenu *menu, const json::Value &value)
{
    if (!value.exists())
        return;
    menu->addAction(CopyText::tr("Copy value"), menu, [value] { copyJsonValue(value); });
    menu->addAction(CopyText::tr("Copy as JSON"), menu,
                    [value] { QGuiApplication::clipboard()->setText(decodedUtf8(value.slice())); });
    menu->addAction(CopyText::tr("Copy JSON pointer"), menu,
                    [value] { QGuiApplication::clipboard()->setText(json::Pointer::to(value).toString()); });
}

json::Value innermostAt(json::Value top, qsizetype offset)
{
    while (top.isContainer()) {
        json::Value within;
        for (const json::Value &child : top) {
            const QByteArrayView key = child.keySlice();
            const qsizetype start = key.isEmpty() ? child.offset() : key.data() - child.document().text().constData();
            if (offset < start)
                break;
            if (offset < child.offset() + child.slice().size()) {
                within = child;
                break;
            }
        }
        if (!within.exists())
            break;
        top = within;
    }
    return top;
}

}  // namespace sonde::ui
