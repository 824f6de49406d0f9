// The lines in which two texts differ, as one text.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QList>

namespace sonde::ui {

class TextView;

// Lines that only the older text has are followed by those of the newer one that take their place. Of long stretches of
// equal lines only the ends are kept, with a line in between that counts the others.
struct LineDifference {
    struct Change {
        qsizetype offset = 0;  // bytes of `text`
        qsizetype length = 0;
        bool isAdded = false;  // to the newer text; otherwise removed from the older one
    };
    QByteArray text;
    QList<Change> changes;
    qsizetype added = 0;  // lines
    qsizetype removed = 0;
    bool isEmpty() const { return changes.isEmpty(); }
};

// Time and memory have a limit: texts with very many differences are compared more coarsely, and everything between
// the first and the last one may count as changed. Above a few kilobytes, call it on a worker.
LineDifference differenceOfLines(const QByteArray &older, const QByteArray &newer);

void showLineDifference(TextView *view, const LineDifference &difference);

}  // namespace sonde::ui
