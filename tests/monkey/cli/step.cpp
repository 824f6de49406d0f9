// SPDX-License-Identifier: Apache-2.0
#include "tests/monkey/cli/step.h"

#include "core/json/builder.h"
#include "core/transport/process/commandline.h"

#include <array>

namespace sonde::monkey {

using namespace Qt::StringLiterals;

namespace {

constexpr std::array<QLatin1StringView, 4> Inputs = {"nothing"_L1, "closed"_L1, "given"_L1, "open"_L1};
constexpr std::array<QLatin1StringView, 3> Outputs = {"read"_L1, "closed"_L1, "broken"_L1};

template <typename Kind, size_t N>
Kind kindFrom(const std::array<QLatin1StringView, N> &names, const json::Value &name)
{
    const QString text = name.string();
    for (size_t i = 0; i < N; ++i) {
        if (text == names[i])
            return Kind(i);
    }
    return Kind(0);
}

}  // namespace

QByteArray CliStep::toLine() const
{
    json::Builder builder;
    builder.beginObject().key(u"words").beginArray();
    for (const QString &word : words)
        builder.string(word);
    builder.endArray();
    if (input != Input::Nothing)
        builder.member(u"in", QString(Inputs[size_t(input)]));
    if (!text.isEmpty())
        builder.member(u"text", text);
    if (output != Output::Read)
        builder.member(u"out", QString(Outputs[size_t(output)]));
    if (errors != Output::Read)
        builder.member(u"err", QString(Outputs[size_t(errors)]));
    if (signal != 0)
        builder.member(u"signal", qint64(signal)).member(u"ms", qint64(delayMs));
    if (again)
        builder.rawMember(u"again", "true");
    return builder.endObject().take();
}

std::optional<CliStep> CliStep::fromLine(const QByteArray &line)
{
    const json::Value value = json::parse(line);
    if (!value[u"words"].isArray())
        return std::nullopt;
    CliStep step;
    for (const json::Value &word : value[u"words"])
        step.words.append(word.string());
    step.input = kindFrom<Input>(Inputs, value[u"in"]);
    step.text = value[u"text"].string();
    step.output = kindFrom<Output>(Outputs, value[u"out"]);
    step.errors = kindFrom<Output>(Outputs, value[u"err"]);
    step.signal = int(value[u"signal"].toInteger().value_or(0));
    step.delayMs = int(value[u"ms"].toInteger().value_or(0));
    step.again = value[u"again"].toBool();
    return step;
}

QByteArray CliStep::toLines(const QList<CliStep> &steps)
{
    QByteArray lines;
    for (const CliStep &step : steps)
        lines += step.toLine() + '\n';
    return lines;
}

QList<CliStep> CliStep::fromLines(const QByteArray &lines)
{
    QList<CliStep> steps;
    for (const QByteArray &line : lines.split('\n')) {
        if (const std::optional<CliStep> step = fromLine(line))
            steps.append(*step);
    }
    return steps;
}

QString CliStep::commandLine() const
{
    QString line = u"sonde-cli "_s + joinCommandLine(words);
    switch (input) {
        case Input::Nothing:
            line += u" </dev/null"_s;
            break;
        case Input::Closed:
            line += u" <&-"_s;
            break;
        case Input::Given:
            line += u" < "_s + text.left(40);
            break;
        case Input::Open:
            line += u" (input stays open)"_s;
            break;
    }
    if (output != Output::Read)
        line += output == Output::Closed ? u" >&-"_s : u" | true"_s;
    if (errors != Output::Read)
        line += errors == Output::Closed ? u" 2>&-"_s : u" 2>| true"_s;
    if (signal != 0)
        line += u" (signal %1 after %2 ms%3)"_s.arg(signal).arg(delayMs).arg(again ? u", twice"_s : QString());
    return line;
}

}  // namespace sonde::monkey
