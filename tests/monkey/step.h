// One thing that a person or a server does.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QList>
#include <QPointF>
#include <QString>
#include <optional>

namespace sonde::monkey {

// Names its target by what it is, not by where it is in memory, so that it can be done again in another process.
struct Step {
    enum class Kind {
        Click,
        DoubleClick,
        RightClick,
        Drag,        // from place by text "DX DY", in pixels
        Wheel,       // number: in eighths of a degree
        Key,         // text: "Ctrl+W"
        Type,        // text, into what has the focus
        Drop,        // text: files (NAME, of the world) or plain text
        ChooseFile,  // in a dialog for files; text: a file of the world, empty: cancels
        Resize,      // text: "900x560"
        Server,      // number: which one; text: what it does
        Wait,        // number: ms
        Close,       // the window, as its own button or Ctrl+C in the terminal does
    };

    Kind kind = Kind::Wait;
    QString target;  // see Screen::nameOf(); empty: what has the focus, or the window
    QPointF place;   // in the target, 0 to 1 in both directions
    QString text;
    int number = 0;

    QByteArray toLine() const;  // JSON, without a line end
    static std::optional<Step> fromLine(const QByteArray &line);

    static QByteArray toLines(const QList<Step> &steps);
    static QList<Step> fromLines(const QByteArray &lines);  // lines that are no steps are left out
};

}  // namespace sonde::monkey
