// Registration of test classes, so that one executable can hold a folder's worth of them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QList>
#include <QObject>
#include <functional>
#include <memory>

namespace sonde::test {

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
