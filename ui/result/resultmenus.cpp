// SPDX-License-Identifier: Apache-2.0
#include "ui/result/resultmenus.h"

#include "core/json/pointer.h"
#include "ui/json/bytestext.h"
#include "ui/json/pagefind.h"
#include "ui/result/timelinefilter.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QMenu>
#include <algorithm>
#include <functional>

namespace sonde::ui {

namespace {

constexpr qsizetype MaxDecoded = 1000;  // bytes

QString shortText(const json::Value &value)
{
    return value.slice().size() <= MaxDecoded ? value.string() : QString();
}

}  // namespace

ResultMenus::ResultMenus(QWidget *result) : QObject(result), m_result(result) {}

void ResultMenus::complete(QMenu *menu, const MenuPlace &place)
{
    menu->addSeparator();
    if (const QString pointer = pointerInResult(place); !pointer.isEmpty())
        Q_EMIT valueMenuRequested(menu, place.value, pointer);
    addFilters(menu, place);
    menu->addSeparator();
    const QByteArray raw = m_outcome.message.raw();
    if (!raw.isEmpty())
        menu->addAction(tr("Copy message as JSON"), this,
                        [raw] { QGuiApplication::clipboard()->setText(decodedUtf8(raw)); });
    PageFind *find = PageFind::around(m_result);
    const QList<QAction *> actions = menu->actions();
    const bool canFind = std::any_of(actions.cbegin(), actions.cend(),
                                     [](const QAction *action) { return action->shortcut() == QKeySequence::Find; });
    if (find && !canFind)
        menu->addAction(tr("Find…"), find, &PageFind::open)->setShortcut(QKeySequence::Find);
}

// A filter is made when it is chosen: to find the place of a value can take a while.
void ResultMenus::addFilters(QMenu *menu, const MenuPlace &place)
{
    const auto add = [&](const QString &text, const std::function<QString()> &filter) {
        menu->addAction(text, this, [this, filter] {
            if (const QString made = filter(); !made.isEmpty())
                Q_EMIT timelineFilterRequested(made);
        });
    };
    if (isOfMessage(place.value))
        add(tr("Filter timeline by this value"), [value = place.value] { return filterForValue(value); });
    else if (const QString words = shortText(place.value); !filterForWords(words).isEmpty())
        add(tr("Filter timeline by this value"), [words] { return filterForWords(words); });
    if (const QString words = filterForWords(place.words); !words.isEmpty())
        add(tr("Filter timeline by selected text"), [words] { return words; });
    if (const QString resource = filterForResource(place.uri); !resource.isEmpty())
        add(tr("Filter timeline by this resource"), [resource] { return resource; });
    if (const QString call = filterForCall(m_outcome); !call.isEmpty())
        add(tr("Filter timeline by this call"), [call] { return call; });
}

bool ResultMenus::isOfMessage(const json::Value &value) const
{
    return value.exists() && m_outcome.message.isParsed() &&
           value.document().text().constData() == m_outcome.message.document().text().constData();
}

QString ResultMenus::pointerInResult(const MenuPlace &place) const
{
    const bool isInText = !isOfMessage(place.value);
    const json::Value &inMessage = isInText ? place.text : place.value;
    if (!place.value.exists() || !isOfMessage(inMessage))
        return {};
    const QStringList tokens = json::Pointer::to(inMessage).tokens();
    if (tokens.value(0) != QLatin1String("result"))
        return {};
    const QString pointer = json::Pointer(tokens.mid(1)).toString();
    return isInText ? pointer + u'#' + json::Pointer::to(place.value).toString() : pointer;
}

}  // namespace sonde::ui
