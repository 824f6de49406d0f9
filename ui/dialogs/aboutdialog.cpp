// SPDX-License-Identifier: Apache-2.0
#include "ui/dialogs/aboutdialog.h"

#include "ui/theme/widgets.h"

#include <QApplication>
#include <QClipboard>
#include <QDialogButtonBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QPushButton>
#include <QSysInfo>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

struct UsedLibrary {
    QString name;
    QString licence;
};

QList<UsedLibrary> usedLibraries()
{
    return {{u"Qt "_s + QString::fromLatin1(qVersion()), u"LGPL-3.0-only"_s},
            {u"OpenSSL"_s, u"Apache-2.0"_s},
            {u"libdeflate"_s, u"MIT"_s},
            {u"QtKeychain"_s, u"BSD-2-Clause"_s},
            {u"toml++"_s, u"MIT"_s}};
}

}  // namespace

QString AboutDialog::versions()
{
    return QStringList{u"Sonde "_s + QStringLiteral(SONDE_VERSION),
                       u"Qt %1 (built with %2)"_s.arg(QString::fromLatin1(qVersion()), QStringLiteral(QT_VERSION_STR)),
                       QSysInfo::prettyProductName() + u", "_s + QSysInfo::currentCpuArchitecture() + u", "_s +
                           QGuiApplication::platformName()}
        .join(u'\n');
}

AboutDialog::AboutDialog(QWidget *parent) : QDialog(parent)
{
    setObjectName(u"aboutDialog"_s);
    setWindowTitle(tr("About Sonde"));
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(3 * Grid, 3 * Grid, 3 * Grid, 2 * Grid);
    column->setSpacing(2 * Grid);
    auto *head = new QHBoxLayout;
    head->setSpacing(2 * Grid);
    auto *mark = new QLabel;
    mark->setPixmap(QIcon(u":/icons/sonde.svg"_s).pixmap(QSize(48, 48)));
    head->addWidget(mark);
    auto *names = new QVBoxLayout;
    names->setSpacing(2);
    auto *name = new TextLabel(u"Sonde"_s);
    name->setFont(headingFont());
    names->addWidget(name);
    names->addWidget(new TextLabel(tr("Native explorer for Model Context Protocol servers")));
    head->addLayout(names, 1);
    column->addLayout(head);

    const auto selectable = [](const QString &text) {
        auto *label = new TextLabel(text);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
        return label;
    };
    auto *text = selectable(versions());
    text->setObjectName(u"versions"_s);
    text->setAccessibleName(tr("Versions"));
    column->addWidget(text);
    auto *licence =
        selectable(tr("© 2026 The Sonde developers. Sonde is free software under the Apache License, Version "
                      "2.0: https://www.apache.org/licenses/LICENSE-2.0"));
    licence->setWordWrap(true);
    licence->setObjectName(u"licence"_s);
    column->addWidget(licence);

    auto *table = new QGridLayout;
    table->setHorizontalSpacing(3 * Grid);
    table->setVerticalSpacing(Grid / 2);
    auto *caption = new TextLabel(tr("Libraries"));
    caption->setStrong();
    table->addWidget(caption, 0, 0);
    auto *licences = new TextLabel(tr("Licence"));
    licences->setStrong();
    table->addWidget(licences, 0, 1);
    int row = 1;
    const QList<UsedLibrary> libraries = usedLibraries();
    for (const UsedLibrary &library : libraries) {
        table->addWidget(new TextLabel(library.name), row, 0);
        auto *under = new TextLabel(library.licence);
        under->setDim(true);
        table->addWidget(under, row, 1);
        ++row;
    }
    table->setColumnStretch(1, 1);
    column->addLayout(table);

    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    QPushButton *copy = buttons->addButton(tr("Copy versions"), QDialogButtonBox::ActionRole);
    copy->setObjectName(u"copyVersions"_s);
    copy->setAutoDefault(false);
    connect(copy, &QPushButton::clicked, this, [] { QGuiApplication::clipboard()->setText(versions()); });
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    column->addWidget(buttons);
    resize(480, column->totalHeightForWidth(480));
}

}  // namespace sonde::ui
