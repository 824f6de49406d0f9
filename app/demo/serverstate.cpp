// SPDX-License-Identifier: Apache-2.0
#include "app/demo/serverstate.h"

#include "app/demo/offer.h"
#include "app/demo/task.h"

#include <QCryptographicHash>
#include <QMessageAuthenticationCode>
#include <QUuid>

namespace sonde::demo {

ServerState::ServerState(const Options &options, const Offer &offer, QObject *parent)
    : QObject(parent),
      m_options(options),
      m_offer(offer),
      m_tasks(std::make_unique<TaskStore>()),
      m_key(QUuid::createUuid().toRfc4122())
{}

ServerState::~ServerState() = default;

void ServerState::setExtraTool(bool on)
{
    m_extraTool = on;
    Q_EMIT toolsChanged();
}

int ServerState::touchResource(const QString &uri)
{
    int heard = 0;
    Q_EMIT resourceUpdated(uri, &heard);
    return heard;
}

QString ServerState::sealed(const QByteArray &text) const
{
    const QByteArray mark = QMessageAuthenticationCode::hash(text, m_key, QCryptographicHash::Sha256);
    return QString::fromLatin1(mark.toHex() + '.' + text.toBase64());
}

QByteArray ServerState::opened(const QString &sealed) const
{
    const QByteArray text = QByteArray::fromBase64(sealed.section(u'.', 1).toLatin1());
    return this->sealed(text) == sealed ? text : QByteArray();
}

}  // namespace sonde::demo
