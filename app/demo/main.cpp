// SPDX-License-Identifier: Apache-2.0
#include "app/demo/program.h"

#include <QCoreApplication>

int main(int argc, char *argv[])
{
    const QCoreApplication app(argc, argv);
    return sonde::demo::run(QCoreApplication::arguments().mid(1), sonde::demo::friendlyOffer());
}
