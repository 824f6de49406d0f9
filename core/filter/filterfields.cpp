// SPDX-License-Identifier: Apache-2.0
#include "core/filter/filterfields.h"

#include <QCoreApplication>
#include <array>

namespace sonde {

namespace {

using enum FilterField;

constexpr std::array Fields = {
    FilterFieldInfo{Method, FilterType::Text, "method",
                    QT_TRANSLATE_NOOP("sonde::Filter", "Method of the message, or of its request")},
    FilterFieldInfo{Tool, FilterType::Text, "tool",
                    QT_TRANSLATE_NOOP("sonde::Filter", "Name of the called tool, also on responses")},
    FilterFieldInfo{Prompt, FilterType::Text, "prompt",
                    QT_TRANSLATE_NOOP("sonde::Filter", "Name of the requested prompt, also on responses")},
    FilterFieldInfo{Uri, FilterType::Text, "uri",
                    QT_TRANSLATE_NOOP("sonde::Filter", "URI of the resource, also on responses")},
    FilterFieldInfo{Id, FilterType::Json, "id", QT_TRANSLATE_NOOP("sonde::Filter", "ID of the request or response")},
    FilterFieldInfo{Dir, FilterType::Choice, "dir",
                    QT_TRANSLATE_NOOP("sonde::Filter", "Direction: out to the server, in from the server, or local")},
    FilterFieldInfo{Kind, FilterType::Choice, "kind", QT_TRANSLATE_NOOP("sonde::Filter", "Kind of record or message")},
    FilterFieldInfo{Outcome, FilterType::Choice, "outcome",
                    QT_TRANSLATE_NOOP("sonde::Filter", "Outcome of the request")},
    FilterFieldInfo{Ms, FilterType::Number, "ms",
                    QT_TRANSLATE_NOOP("sonde::Filter", "Milliseconds from request to response")},
    FilterFieldInfo{Size, FilterType::Number, "size", QT_TRANSLATE_NOOP("sonde::Filter", "Bytes on the wire")},
    FilterFieldInfo{Status, FilterType::Number, "status", QT_TRANSLATE_NOOP("sonde::Filter", "HTTP status")},
    FilterFieldInfo{Revision, FilterType::Text, "revision",
                    QT_TRANSLATE_NOOP("sonde::Filter", "Protocol revision in use")},
    FilterFieldInfo{Server, FilterType::Text, "server", QT_TRANSLATE_NOOP("sonde::Filter", "Name of the server")},
    FilterFieldInfo{Finding, FilterType::Text, "finding",
                    QT_TRANSLATE_NOOP("sonde::Filter", "Findings about the record as text; true or false"), "problem"},
    FilterFieldInfo{Time, FilterType::Time, "time",
                    QT_TRANSLATE_NOOP("sonde::Filter", "Seconds since the start, a time of day, or a date and time")},
    FilterFieldInfo{Pointer, FilterType::Json, "", QT_TRANSLATE_NOOP("sonde::Filter", "JSON pointer into the message")},
};

constexpr int MessageKinds = 20;  // Message::Kind follows WireEvent::Kind

constexpr int of(WireEvent::Kind kind)
{
    return int(kind);
}
constexpr int of(Message::Kind kind)
{
    return MessageKinds + int(kind);
}

constexpr std::array Kinds = {
    FilterChoice{of(Message::Kind::Request), "request"},
    FilterChoice{of(Message::Kind::Notification), "notification"},
    FilterChoice{of(Message::Kind::Result), "result"},
    FilterChoice{of(Message::Kind::Error), "error"},
    FilterChoice{of(Message::Kind::Batch), "batch"},
    FilterChoice{of(Message::Kind::Invalid), "invalid"},
    FilterChoice{of(Message::Kind::Request), "msg"},
    FilterChoice{of(Message::Kind::Notification), "msg"},
    FilterChoice{of(Message::Kind::Result), "msg"},
    FilterChoice{of(Message::Kind::Error), "msg"},
    FilterChoice{of(Message::Kind::Batch), "msg"},
    FilterChoice{of(Message::Kind::Invalid), "msg"},
    FilterChoice{of(WireEvent::Kind::Open), "open"},
    FilterChoice{of(WireEvent::Kind::Partial), "partial"},
    FilterChoice{of(WireEvent::Kind::Junk), "junk"},
    FilterChoice{of(WireEvent::Kind::Stderr), "stderr"},
    FilterChoice{of(WireEvent::Kind::HttpRequest), "http-req"},
    FilterChoice{of(WireEvent::Kind::HttpResponse), "http-res"},
    FilterChoice{of(WireEvent::Kind::Sse), "sse"},
    FilterChoice{of(WireEvent::Kind::State), "state"},
    FilterChoice{of(WireEvent::Kind::User), "user"},
    FilterChoice{of(WireEvent::Kind::Note), "note"},
    FilterChoice{of(WireEvent::Kind::Redact), "redact"},
    FilterChoice{of(WireEvent::Kind::End), "end"},
};
static_assert(int(WireEvent::Kind::End) < MessageKinds && MessageKinds + int(Message::Kind::Batch) < 32);

constexpr std::array Directions = {
    FilterChoice{int(Direction::ToServer), "out"},
    FilterChoice{int(Direction::FromServer), "in"},
    FilterChoice{int(Direction::Local), "local"},
};

constexpr std::array Outcomes = {
    FilterChoice{int(RowOutcome::Ok), "ok"},
    FilterChoice{int(RowOutcome::InputRequired), "input-required"},
    FilterChoice{int(RowOutcome::ToolError), "tool-error"},
    FilterChoice{int(RowOutcome::ProtocolError), "protocol-error"},
    FilterChoice{int(RowOutcome::NoResponse), "no-response"},
    FilterChoice{int(RowOutcome::NoResponse), "no-answer", true},
    FilterChoice{int(RowOutcome::NotSupported), "not-supported"},
    FilterChoice{int(RowOutcome::Pending), "pending"},
    FilterChoice{int(RowOutcome::None), "none"},
};

}  // namespace

std::span<const FilterFieldInfo> filterFields()
{
    return std::span(Fields).first(Fields.size() - 1);
}

const FilterFieldInfo *filterFieldNamed(QStringView name)
{
    for (const FilterFieldInfo &info : filterFields()) {
        if (name == QLatin1StringView(info.name) || (info.formerName && name == QLatin1StringView(info.formerName)))
            return &info;
    }
    return nullptr;
}

const FilterFieldInfo &filterFieldInfo(FilterField field)
{
    return Fields[size_t(field)];
}

std::span<const FilterChoice> filterChoices(FilterField field)
{
    switch (field) {
        case Dir:
            return Directions;
        case Kind:
            return Kinds;
        case Outcome:
            return Outcomes;
        default:
            return {};
    }
}

int filterChoiceOf(FilterField field, const RecordInfo &record)
{
    switch (field) {
        case Dir:
            return int(record.direction);
        case Outcome:
            return int(record.outcome);
        default:
            return record.kind == WireEvent::Kind::Message ? of(record.messageKind) : of(record.kind);
    }
}

QString filterWordOf(FilterField field, const RecordInfo &record)
{
    return filterWordOf(field, filterChoiceOf(field, record));
}

QString filterWordOf(FilterField field, int choice)
{
    for (const FilterChoice &each : filterChoices(field)) {
        if (each.number == choice)
            return QString::fromLatin1(each.word);
    }
    return {};
}

QStringList filterWords(FilterField field)
{
    QStringList words;
    for (const FilterChoice &choice : filterChoices(field)) {
        const QString word = QString::fromLatin1(choice.word);
        if (!choice.isFormer && !words.contains(word))
            words.append(word);
    }
    return words;
}

}  // namespace sonde
