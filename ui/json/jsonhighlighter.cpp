// SPDX-License-Identifier: Apache-2.0
#include "ui/json/jsonhighlighter.h"

#include "ui/theme/theme.h"

#include <cstring>

namespace sonde::ui {

namespace {

constexpr qsizetype Stride = 4096;
constexpr qsizetype LookAhead = 4096;

bool isWordByte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '+' ||
           c == '.';
}

}  // namespace

QColor tokenColor(JsonHighlighter::Token token)
{
    switch (token) {
        case JsonHighlighter::Token::Key:
            return colors().accent;
        case JsonHighlighter::Token::String:
            return colors().ok;
        case JsonHighlighter::Token::Number:
            return colors().asks;
        case JsonHighlighter::Token::Word:
            return colors().toolError;
    }
    return colors().text;
}

void JsonHighlighter::setText(QByteArrayView text)
{
    m_text = text;
    m_states = {State::Outside};
}

JsonHighlighter::State JsonHighlighter::step(State state, char byte)
{
    if (state == State::Escaped)
        return State::Inside;
    if (byte == '"')
        return state == State::Inside ? State::Outside : State::Inside;
    return state == State::Inside && byte == '\\' ? State::Escaped : state;
}

JsonHighlighter::State JsonHighlighter::stateAt(qsizetype offset)
{
    if (m_states.empty())
        m_states.push_back(State::Outside);
    const qsizetype wanted = offset / Stride;
    while (qsizetype(m_states.size()) <= wanted) {
        State state = m_states.back();
        const qsizetype from = qsizetype(m_states.size() - 1) * Stride;
        for (qsizetype i = from; i < from + Stride; ++i)
            state = step(state, m_text[i]);
        m_states.push_back(state);
    }
    State state = m_states[size_t(wanted)];
    for (qsizetype i = wanted * Stride; i < offset; ++i)
        state = step(state, m_text[i]);
    return state;
}

bool JsonHighlighter::isKey(qsizetype insideString) const
{
    const qsizetype limit = qMin(m_text.size(), insideString + LookAhead);
    State state = State::Inside;
    qsizetype i = insideString;
    for (; i < limit && state != State::Outside; ++i)
        state = step(state, m_text[i]);
    while (i < limit && std::strchr(" \t\r\n", m_text[i]) && m_text[i])
        ++i;
    return i < limit && m_text[i] == ':';
}

QList<JsonHighlighter::Span> JsonHighlighter::tokens(qsizetype start, qsizetype length)
{
    QList<Span> spans;
    const qsizetype end = qMin(m_text.size(), start + length);
    State state = stateAt(qMin(start, m_text.size()));
    for (qsizetype i = start; i < end;) {
        const qsizetype from = i;
        if (state == State::Outside && m_text[i] != '"') {
            if (!isWordByte(m_text[i])) {
                ++i;
                continue;
            }
            while (i < end && isWordByte(m_text[i]))
                ++i;
            const bool number = m_text[from] == '-' || (m_text[from] >= '0' && m_text[from] <= '9');
            spans.append({from, i - from, number ? Token::Number : Token::Word});
            continue;
        }
        if (state == State::Outside)
            state = step(state, m_text[i++]);
        const qsizetype inside = i;
        const bool escaped = state == State::Escaped;
        while (i < end && state != State::Outside)
            state = step(state, m_text[i++]);
        // After a backslash one byte belongs to the escape, whatever it is.
        const bool key = isKey(escaped ? inside + 1 : inside);
        spans.append({from, i - from, key ? Token::Key : Token::String});
    }
    return spans;
}

}  // namespace sonde::ui
