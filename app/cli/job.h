// What one start of sonde-cli does, whichever verb it is.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/arguments.h"
#include "core/connection/profile.h"

#include <QObject>
#include <memory>

namespace sonde::cli {

class Job : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    virtual void start() = 0;
    virtual void interrupt() = 0;  // Ctrl-C: end in order

Q_SIGNALS:
    void finished(int exitCode);
};

std::unique_ptr<Job> makeMock(const Arguments &arguments);
std::unique_ptr<Job> makeDiff(const Arguments &arguments, const Profile &profile);
std::unique_ptr<Job> makeLogout(const Arguments &arguments, const Profile &profile);
std::unique_ptr<Job> makeCheck(const Arguments &arguments, const Profile &profile);
std::unique_ptr<Job> makeJob(const Arguments &arguments, const Profile &profile);

}  // namespace sonde::cli
