// SPDX-License-Identifier: Apache-2.0
#include "tests/monkey/step.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <array>

using namespace Qt::StringLiterals;

namespace sonde::monkey {

namespace {

// In the order of Step::Kind.
constexpr std::array KindNames{"click", "double-click", "right-click", "drag",   "wheel", "key",  "type",
                               "drop",  "choose-file",  "resize",      "server", "wait",  "close"};

}  // namespace

QByteArray Step::toLine() const
{
    QJsonObject object{{u"do"_s, QLatin1StringView(KindNames[size_t(kind)])}};
    if (!target.isEmpty())
        object.insert(u"at"_s, target);
    if (!place.isNull()) {
        object.insert(u"x"_s, place.x());
        object.insert(u"y"_s, place.y());
    }
    if (!text.isEmpty())
        object.insert(u"text"_s, text);
    if (number != 0)
        object.insert(u"number"_s, number);
    return QJsonDocument(object).toJson(QJsonDocument::Compact);
}

std::optional<Step> Step::fromLine(const QByteArray &line)
{
    const QJsonObject object = QJsonDocument::fromJson(line).object();
    const QByteArray name = object.value(u"do"_s).toString().toLatin1();
    for (size_t kind = 0; kind < KindNames.size(); ++kind) {
        if (name == KindNames[kind])
            return Step{Kind(kind), object.value(u"at"_s).toString(),
                        QPointF(object.value(u"x"_s).toDouble(), object.value(u"y"_s).toDouble()),
                        object.value(u"text"_s).toString(), object.value(u"number"_s).toInt()};
    }
    return std::nullopt;
}

QByteArray Step::toLines(const QList<Step> &steps)
{
    QByteArray lines;
    for (const Step &step : steps)
        lines += step.toLine() + '\n';
    return lines;
}

QList<Step> Step::fromLines(const QByteArray &lines)
{
    QList<Step> steps;
    for (const QByteArray &line : lines.split('\n')) {
        if (const std::optional<Step> step = fromLine(line))
            steps << *step;
    }
    return steps;
}

}  // namespace sonde::monkey
