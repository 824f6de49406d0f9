// The latest records on their way to become lines of the file. Where there are many, another thread writes the first
// while the next are still being recorded.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/error.h"
#include "core/session/recordline.h"

#include <QByteArray>
#include <deque>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace sonde {

class SessionFile;

// Used on one thread. While it is not empty nobody else may write to the file.
class LineBatch {
public:
    LineBatch();
    ~LineBatch();
    Q_DISABLE_COPY_MOVE(LineBatch)

    // file: what the lines are to be appended to; null: nothing.
    void add(const RecordLine &record, const QList<RedactionMark> &marks, const std::shared_ptr<SessionFile> &file);
    qsizetype size() const { return m_size; }  // bytes; an estimate of what the lines take
    // Whether the other thread has been given something since this was asked last.
    bool takeShared() { return std::exchange(m_isShared, false); }

    // Some hundred lines.
    struct Lines {
        struct Line {
            qsizetype length = 0;
            bool isText = true;  // see appendRecordLine()
        };
        void append(SessionFile &file);

        QByteArray text;
        std::vector<Line> lines;
        bool isAppended = false;  // to the file, as far as that went
        qint64 offset = 0;        // in the file, where they begin
        qint64 written = 0;       // bytes of them
        Error problem;
    };
    using Take = std::function<void(Lines &lines)>;
    // What the other thread is done with, in order.
    void takeWritten(const Take &take);
    // Everything. At worst it waits until the other thread is done with what it has begun.
    void takeAll(const Take &take);

private:
    class Piece;
    class Writer;
    void takeFirst(const Take &take);

    std::deque<std::shared_ptr<Piece>> m_pieces;  // all but the last are full
    std::vector<std::shared_ptr<Piece>> m_spare;  // their memory is used again
    std::shared_ptr<Writer> m_writer;
    qsizetype m_size = 0;
    bool m_isShared = false;
};

}  // namespace sonde
