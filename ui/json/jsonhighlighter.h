// Syntax colours for any part of a JSON text, without parsing all of it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArrayView>
#include <QColor>
#include <QList>
#include <vector>

namespace sonde::ui {

class JsonHighlighter {
public:
    enum class Token : quint8 { Key, String, Number, Word };
    struct Span {
        qsizetype start = 0;  // bytes in the text
        qsizetype length = 0;
        Token token = Token::Word;
    };

    // The text must outlive this object's use.
    void setText(QByteArrayView text);
    // Tokens that touch [start, start + length), cut to it. To know whether a place is inside a string, everything
    // before it is scanned once, on the first request that far.
    QList<Span> tokens(qsizetype start, qsizetype length);

private:
    enum class State : quint8 { Outside, Inside, Escaped };
    static State step(State state, char byte);
    State stateAt(qsizetype offset);
    bool isKey(qsizetype insideString) const;

    QByteArrayView m_text;
    std::vector<State> m_states;  // at every Stride bytes
};

QColor tokenColor(JsonHighlighter::Token token);  // of the current palette

}  // namespace sonde::ui
