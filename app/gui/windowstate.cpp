// SPDX-License-Identifier: Apache-2.0
#include "app/gui/windowstate.h"

#include "app/gui/workspace.h"
#include "core/json/texts.h"

#include <QCoreApplication>
#include <algorithm>
#include <array>
#include <optional>

using namespace Qt::StringLiterals;

namespace sonde::app {

namespace {

constexpr qint64 StateVersion = 1;
constexpr qint64 MaxNumber = 1'000'000;  // of entries with one name
constexpr std::array TabKinds{"welcome"_L1, "page"_L1,       "call"_L1,   "recordedCall"_L1,
                              "tasks"_L1,   "savedCalls"_L1, "replay"_L1, "comparison"_L1};
constexpr std::array OfferKinds{""_L1, "tool"_L1, "resource"_L1, "template"_L1, "prompt"_L1};

class WindowStateText {
    Q_DECLARE_TR_FUNCTIONS(sonde::app::WindowState)
};

template <typename Names>
std::optional<int> indexIn(const Names &names, const QString &name)
{
    const auto *found = std::find(names.cbegin(), names.cend(), name);
    return found == names.cend() ? std::nullopt : std::optional(int(found - names.cbegin()));
}

void addMember(json::Builder &to, QStringView name, const QString &text)
{
    if (!text.isEmpty())
        to.member(name, text);
}

void addIfTrue(json::Builder &to, QStringView name, bool isSo)
{
    if (isSo)
        to.member(name, true);
}

void addPlace(json::Builder &to, const Place &place)
{
    addMember(to, u"server", place.server);
    addIfTrue(to, u"isBuiltIn", place.isBuiltIn);
    addMember(to, u"session", place.session);
}

Place placeIn(const json::Value &value)
{
    return {value[u"server"].string(), value[u"isBuiltIn"].toBool(), value[u"session"].string()};
}

bool isCall(const TabState &tab)
{
    return tab.kind == TabState::Kind::Call || tab.kind == TabState::Kind::RecordedCall;
}

void addReplay(json::Builder &to, const ReplayState &replay)
{
    to.key(u"replay").beginObject().member(u"recording", replay.session);
    addPlace(to, replay.server);
    addMember(to, u"name", replay.name);
    addMember(to, u"entry", QString::fromUtf8(replay.entry));
    addMember(to, u"calls", replay.calls);
    if (!replay.rows.isEmpty()) {
        to.key(u"rows").beginArray();
        for (const qint64 row : replay.rows)
            to.number(row);
        to.endArray();
    }
    addMember(to, u"filter", replay.filter);
    addMember(to, u"destructive", replay.destructive);
    to.endObject();
}

ReplayState replayIn(const json::Value &value)
{
    ReplayState replay;
    replay.session = value[u"recording"].string();
    replay.server = placeIn(value);
    replay.name = value[u"name"].string();
    replay.entry = value[u"entry"].string().toUtf8();
    replay.calls = value[u"calls"].string();
    for (const json::Value &row : value[u"rows"])
        replay.rows.append(row.toInteger().value_or(-1));
    replay.filter = value[u"filter"].string();
    replay.destructive = value[u"destructive"].string();
    return replay;
}

void addSides(json::Builder &to, const std::array<SideState, 2> &sides)
{
    to.key(u"sides").beginArray();
    for (const SideState &side : sides) {
        to.beginObject();
        addPlace(to, side.place);
        addMember(to, u"name", side.name);
        to.endObject();
    }
    to.endArray();
}

std::optional<std::array<SideState, 2>> sidesIn(const json::Value &value)
{
    QList<SideState> sides;
    for (const json::Value &side : value)
        sides.append({placeIn(side), side[u"name"].string()});
    return sides.size() == 2 ? std::optional(std::array{sides[0], sides[1]}) : std::nullopt;
}

void addTab(json::Builder &to, const TabState &tab)
{
    to.beginObject().member(u"kind", QString(TabKinds.at(size_t(tab.kind))));
    addPlace(to, tab.place);
    if (isCall(tab)) {
        to.member(u"offer", QString(OfferKinds.at(size_t(tab.ref.kind)))).member(u"name", tab.ref.key);
        addMember(to, u"savedCall", tab.ref.savedCall);
        if (tab.ref.number > 0)
            to.member(u"number", qint64(tab.ref.number));
        addMember(to, u"title", tab.title);
        addMember(to, u"mode", tab.draft.mode);
        addMember(to, u"arguments", QString::fromUtf8(tab.draft.text));
        addIfTrue(to, u"hasLeftOut", tab.hasLeftOut);
    }
    if (tab.row >= 0)
        to.member(u"row", tab.row);
    addMember(to, u"task", tab.task);
    addMember(to, u"folder", tab.folder);
    if (tab.kind == TabState::Kind::Replay)
        addReplay(to, tab.replay);
    if (tab.kind == TabState::Kind::Comparison)
        addSides(to, tab.sides);
    addIfTrue(to, u"isPinned", tab.isPinned);
    addIfTrue(to, u"isPreview", tab.isPreview);
    to.endObject();
}

std::optional<TabState> tabIn(const json::Value &value)
{
    const std::optional<int> kind = indexIn(TabKinds, value[u"kind"].string());
    if (!kind)
        return std::nullopt;
    TabState tab;
    tab.kind = TabState::Kind(*kind);
    tab.place = placeIn(value);
    tab.isPinned = value[u"isPinned"].toBool();
    tab.isPreview = value[u"isPreview"].toBool() && !tab.isPinned;
    tab.row = value[u"row"].toInteger().value_or(-1);
    tab.task = value[u"task"].string();
    tab.folder = value[u"folder"].string();
    if (tab.kind == TabState::Kind::Replay)
        tab.replay = replayIn(value[u"replay"]);
    if (tab.kind == TabState::Kind::Comparison) {
        const auto sides = sidesIn(value[u"sides"]);
        if (!sides)
            return std::nullopt;
        tab.sides = *sides;
    }
    if (!isCall(tab))
        return tab;
    const std::optional<int> offer = indexIn(OfferKinds, value[u"offer"].string());
    if (!offer || *offer == 0)
        return std::nullopt;
    tab.ref = {ui::OfferRef::Kind(*offer), value[u"name"].string(), value[u"savedCall"].string(),
               int(qBound(qint64(0), value[u"number"].toInteger().value_or(0), MaxNumber))};
    tab.title = value[u"title"].string();
    tab.draft = {value[u"arguments"].string().toUtf8(), value[u"mode"].string()};
    tab.hasLeftOut = value[u"hasLeftOut"].toBool();
    return tab;
}

}  // namespace

Place Place::of(const WorkspaceItem &item)
{
    if (item.session)
        return {{}, false, item.session->path()};
    return {item.spec.name, item.isBuiltIn, {}};
}

WorkspaceItem *Place::in(const Workspace &workspace) const
{
    if (isBuiltIn)
        return workspace.demo();
    const Workspace::Items &items = workspace.items();
    const auto found = std::find_if(items.begin(), items.end(),
                                    [this](const auto &item) { return !item->isBuiltIn && of(*item) == *this; });
    return found == items.end() ? nullptr : found->get();
}

void WindowState::leaveOutDrafts(qsizetype bytes)
{
    while (bytes > 0) {
        const auto longest =
            std::max_element(tabs.begin(), tabs.end(), [](const TabState &left, const TabState &right) {
                return left.draft.text.size() < right.draft.text.size();
            });
        if (longest == tabs.end() || longest->draft.text.isEmpty())
            return;
        bytes -= longest->draft.text.size();
        longest->draft.text.clear();
        longest->hasLeftOut = true;
    }
}

QByteArray WindowState::toJson() const
{
    json::Builder to;
    to.beginObject().member(u"version", StateVersion).member(u"hasEnded", hasEnded);
    to.key(u"tabs").beginArray();
    for (const TabState &tab : tabs)
        addTab(to, tab);
    to.endArray().member(u"currentTab", qint64(currentTab));
    to.key(u"current").beginObject();
    addPlace(to, current);
    to.endObject().key(u"connected").beginArray();
    for (const Place &place : connected) {
        to.beginObject();
        addPlace(to, place);
        to.endObject();
    }
    to.endArray();
    addTexts(to, u"sessions", sessions);
    addTexts(to, u"recordings", recordings);
    to.key(u"timeline").beginArray();
    for (const LookState &look : looks) {
        to.beginObject();
        addPlace(to, look.place);
        addMember(to, u"filter", look.filter);
        to.member(u"view", qint64(look.view)).endObject();
    }
    return to.endArray().endObject().take();
}

Result<WindowState> WindowState::fromJson(const QByteArray &json)
{
    const json::Document document = json::Document::parse(json);
    const json::Value root = document.root();
    const std::optional<qint64> version = root[u"version"].toInteger();
    if (!document.isValid() || !root.isObject() || !version)
        return Error::local(WindowStateText::tr("it is damaged"));
    if (*version > StateVersion)
        return Error::local(WindowStateText::tr("it was written by a newer version of Sonde"));
    WindowState state;
    state.hasEnded = root[u"hasEnded"].toBool();
    for (const json::Value &value : root[u"tabs"]) {
        if (const std::optional<TabState> tab = tabIn(value); tab && state.tabs.size() < MaxTabs)
            state.tabs.append(*tab);
    }
    state.currentTab = int(root[u"currentTab"].toInteger().value_or(-1));
    state.current = placeIn(root[u"current"]);
    for (const json::Value &value : root[u"connected"])
        state.connected.append(placeIn(value));
    state.sessions = textsIn(root[u"sessions"]);
    state.recordings = textsIn(root[u"recordings"]);
    for (const json::Value &value : root[u"timeline"])
        state.looks.append({placeIn(value), value[u"filter"].string(), int(value[u"view"].toInteger().value_or(0))});
    return state;
}

}  // namespace sonde::app
