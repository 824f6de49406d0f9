// A lock that several programs take in turns.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <memory>

namespace sonde {

// Waits until it holds the lock, and holds it until its end. The system frees it when its holder dies. Implemented in
// unix/ and in portable/, as FileOps is.
class FileLock {
public:
    explicit FileLock(const QString &path);  // a file of its own, which is made and stays
    ~FileLock();
    Q_DISABLE_COPY_MOVE(FileLock)

private:
    class Private;
    std::unique_ptr<Private> d;
};

}  // namespace sonde
