// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/schemawindow.h"

#include "core/json/builder.h"
#include "core/protocol/visibletext.h"
#include "ui/json/textview.h"
#include "ui/theme/theme.h"

#include <QDialogButtonBox>
#include <QKeyEvent>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace sonde::ui {

SchemaWindow::SchemaWindow(const QString &tool, QWidget *parent)
    : QWidget(parent, Qt::Dialog | Qt::WindowMinMaxButtonsHint | Qt::WindowCloseButtonHint), m_text(new TextView)
{
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Schema of %1").arg(visibleLine(tool, 60)));
    resize(560, 640);
    m_text->setObjectName(u"schemaText"_s);
    m_text->setAccessibleName(windowTitle());
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(2 * Grid, 2 * Grid, 2 * Grid, 2 * Grid);
    column->setSpacing(Grid);
    column->addWidget(m_text);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    connect(buttons, &QDialogButtonBox::rejected, this, &QWidget::close);
    column->addWidget(buttons);
    setFocusProxy(m_text);
}

void SchemaWindow::setSchema(const json::Value &schema)
{
    m_text->setText(json::indented(schema), TextView::Highlight::Json);
}

void SchemaWindow::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Escape)
        close();
    else
        QWidget::keyPressEvent(event);
}

}  // namespace sonde::ui
