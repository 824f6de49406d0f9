// The demo server with what the official conformance suite asks a server for, in place of its own offer.
// SPDX-License-Identifier: Apache-2.0
#include "app/demo/program.h"
#include "tests/tools/conformance-server/conformanceoffer.h"

#include <QCoreApplication>

int main(int argc, char *argv[])
{
    const QCoreApplication app(argc, argv);
    return sonde::demo::run(QCoreApplication::arguments().mid(1), sonde::demo::conformanceOffer());
}
