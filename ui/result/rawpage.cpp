// SPDX-License-Identifier: Apache-2.0
#include "ui/result/rawpage.h"

#include "ui/json/bytestext.h"
#include "ui/json/textview.h"
#include "ui/result/outcometext.h"
#include "ui/result/savebytes.h"
#include "ui/result/textblock.h"
#include "ui/theme/roundedframe.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QMenu>
#include <QVBoxLayout>

namespace sonde::ui {

RawPage::RawPage(QWidget *parent) : QWidget(parent), m_caption(new BlockCaption(this)), m_text(new TextView(this))
{
    m_text->setObjectName(QStringLiteral("rawText"));
    m_text->setAccessibleName(tr("Message exactly as received"));
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(Grid / 2);
    column->addWidget(m_caption);
    column->addWidget(framedData(m_text), 1);
    connect(m_text, &TextView::menuRequested, this, &RawPage::menuRequested);
    QToolButton *copy = m_caption->addButton(tr("Copy"), QStringLiteral("copyRaw"), tr("Copy message"));
    connect(copy, &QToolButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(decodedUtf8(m_raw)); });
    QToolButton *save =
        m_caption->addButton(tr("Save as…"), QStringLiteral("saveRaw"), tr("Save the message as a file"));
    connect(save, &QToolButton::clicked, this, [this] {
        saveBytesAs(this, QStringLiteral("message.json"), m_raw, [this](const QString &said, bool saved) {
            m_caption->setNote(said, saved ? Tone::Ok : Tone::ProtocolError);
        });
    });
}

void RawPage::setMessage(const QByteArray &raw)
{
    m_raw = raw;
    m_isLaidOut = false;
    m_text->setText({});
    m_caption->setNote({}, Tone::Neutral);
    if (isVisible())
        layOut();
}

QString RawPage::selectedText() const
{
    return m_text->selectedText();
}

void RawPage::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    if (!m_isLaidOut)
        layOut();
}

void RawPage::layOut()
{
    m_isLaidOut = true;
    m_caption->setCaption(tr("%1, exactly as received").arg(sizeText(m_raw.size())));
    m_text->setText(m_raw, TextView::Highlight::Json);
}

}  // namespace sonde::ui
