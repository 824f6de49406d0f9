// Registration of test classes, so that one executable can hold a folder's worth of them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QList>
#include <QObject>
#include <QTest>
#include <functional>
#include <memory>

namespace sonde::test {

// ms; only ever spent by a test that fails. Under the sanitizers, on a machine that does other things too, a process
// needs seconds to start.
constexpr int Patience = 20'000;

struct Registration {
    QByteArray name;  // the file's base name, as CTest calls it
    std::function<std::unique_ptr<QObject>()> create;
};

QList<Registration> &registry();

struct Registrar {
    Registrar(const char *file, std::function<std::unique_ptr<QObject>()> create);
};

}  // namespace sonde::test

#define SONDE_TEST(Class) \
    static const sonde::test::Registrar registrar_##Class(__FILE__, [] { return std::unique_ptr<QObject>(new Class); });

// Qt waits 5 s, which is not enough there.
#undef QTRY_VERIFY
#undef QTRY_VERIFY2
#undef QTRY_COMPARE
#define QTRY_VERIFY(expression) QTRY_VERIFY_WITH_TIMEOUT(expression, sonde::test::Patience)
#define QTRY_VERIFY2(expression, message) QTRY_VERIFY2_WITH_TIMEOUT(expression, message, sonde::test::Patience)
#define QTRY_COMPARE(actual, expected) QTRY_COMPARE_WITH_TIMEOUT(actual, expected, sonde::test::Patience)
