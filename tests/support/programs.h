// The programs that were built beside the tests, and how they were built. Asked when a test runs, not when it is
// compiled: so the tests are compiled alike, and once, for a build with sanitizers and one without.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QCoreApplication>
#include <QString>

extern "C" __attribute__((weak)) void __asan_init();

namespace sonde::test {

// The folder of all of them, the running one among them; needs a QCoreApplication.
inline QString programFolder()
{
    return QCoreApplication::applicationDirPath();
}

inline QString builtProgram(const QString &name)
{
    return programFolder() + u'/' + name;
}

// Programs with sanitizers are larger and slower, and keep what they free for a while.
inline bool isSanitized()
{
    return &__asan_init != nullptr;
}

}  // namespace sonde::test
