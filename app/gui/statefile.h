// The file that a window keeps its state in, for the next start.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/gui/windowstate.h"
#include "core/files/filelock.h"

#include <memory>

namespace sonde::app {

// Each window that is open has a file of its own, window-NUMBER.json in the person's folder of data, and holds a lock
// on it until its end, however that comes. So the file of a window that was killed can be told from that of one that is
// open in another program. What cannot be read is moved out of the way, never overwritten. GUI thread.
class StateFile {
public:
    // Takes the first number that is free.
    StateFile();

    struct Found {
        WindowState state;  // nothing, where the file was of a second window that was closed
        bool hasCrashed = false;
        Error problem;  // why there is nothing
    };
    Found read();
    // Writes only what differs from the last time, without the longest drafts where all are too much. At the end it
    // becomes the file of the first window, if that was closed before. An Error: why it is not kept.
    Error save(const WindowState &state);

    QString path() const { return m_path; }  // empty: nothing is kept

private:
    static QString pathOf(int number);
    Error moveAside(const QString &reason);
    std::unique_ptr<FileLock> takeFirst();  // and so becomes the file of the first window; null: that is not free

    int m_number = 0;
    QString m_path;
    std::unique_ptr<FileLock> m_lock;
    QByteArray m_saved;  // digest of the whole state, of which the file may have less
};

}  // namespace sonde::app
