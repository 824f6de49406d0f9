// A lock that several programs take in turns.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <chrono>
#include <memory>

namespace sonde {

// Waits until it holds the lock, but no longer than `patience`, and holds it until its end. The system frees it when
// its holder dies. Implemented in unix/ and in portable/, as FileOps is. Any thread; two of one process exclude each
// other, too.
class FileLock {
public:
    // path: of a file of its own, which is made and stays.
    explicit FileLock(const QString &path, std::chrono::milliseconds patience = std::chrono::seconds(5));
    ~FileLock();
    Q_DISABLE_COPY_MOVE(FileLock)

    // After all that time. Where no lock can be made at all, nobody else can hold one: then it is false.
    bool isHeldElsewhere() const;

private:
    class Private;
    std::unique_ptr<Private> d;
};

}  // namespace sonde
