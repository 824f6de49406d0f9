// SPDX-License-Identifier: Apache-2.0
#include "ui/replay/replaysides.h"

#include "core/json/pointer.h"

#include <QHash>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

using Key = std::pair<int, QString>;

// The strings that contain differences, by place; for nested ones, the outermost.
QStringList textsIn(const QList<json::Difference> &differences)
{
    QStringList places;
    for (const json::Difference &difference : differences) {
        const qsizetype hash = difference.pointer.indexOf(u'#');
        if (hash >= 0 && !places.contains(difference.pointer.left(hash)))
            places.append(difference.pointer.left(hash));
    }
    return places;
}

// A key may contain a '#' too: then nothing exists at the place before it, and the root is Missing.
json::Document withEmbeddedJson(const json::Value &root, const QStringList &places)
{
    QList<json::Value> texts;
    for (const QString &place : places) {
        const auto pointer = json::Pointer::fromString(place);
        const json::Value text = pointer ? pointer->resolve(root) : json::Value();
        if (!text.isString())
            return {};
        texts.append(text);
    }
    std::sort(texts.begin(), texts.end(),
              [](const json::Value &a, const json::Value &b) { return a.offset() > b.offset(); });
    QByteArray whole = root.bytes();
    for (const json::Value &text : texts)
        whole.replace(text.offset() - root.offset(), text.slice().size(), text.string().toUtf8());
    return json::Document::parse(whole);
}

}  // namespace

ReplaySides sidesOf(const json::Value &recorded, const json::Value &now, const QList<json::Difference> &differences)
{
    const ReplaySides asTheyCame{recorded, now, differences, false};
    const QStringList places = textsIn(differences);
    if (places.isEmpty())
        return asTheyCame;
    const json::Document left = withEmbeddedJson(recorded, places);
    const json::Document right = withEmbeddedJson(now, places);
    if (!left.isValid() || !right.isValid())
        return asTheyCame;
    QHash<Key, json::Difference> found;
    for (const json::Difference &difference : json::diff(left.root(), right.root()).differences)
        found.insert({int(difference.kind), difference.pointer}, difference);
    ReplaySides sides{left.root(), right.root(), {}, true};
    for (const json::Difference &difference : differences) {
        QString pointer = difference.pointer;
        if (const qsizetype hash = pointer.indexOf(u'#'); hash >= 0)
            pointer.remove(hash, 1);
        const auto same = found.constFind({int(difference.kind), pointer});
        if (same == found.constEnd())
            return asTheyCame;
        sides.differences.append(*same);
    }
    return sides;
}

}  // namespace sonde::ui
