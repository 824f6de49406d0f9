// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/offericons.h"

#include "ui/json/background.h"
#include "ui/theme/theme.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QEvent>
#include <QImageReader>
#include <QPointer>

namespace sonde::ui {

namespace {

constexpr int MaxIconSide = 1024;  // px, as it comes
constexpr int IconChangeMs = 20;
constexpr int KeptIconSide = 64;    // px, as it is kept
constexpr qsizetype MaxKept = 500;  // pictures

QByteArray formatOfIcon(const QByteArray &bytes)
{
    if (bytes.startsWith("\x89PNG\r\n\x1a\n"))
        return "png";
    if (bytes.startsWith("\xff\xd8\xff"))
        return "jpeg";
    return bytes.startsWith("GIF8") ? "gif" : QByteArray();
}

}  // namespace

OfferIcons::OfferIcons(QObject *parent) : QObject(parent)
{
    m_change.setSingleShot(true);
    m_change.setInterval(IconChangeMs);
    connect(&m_change, &QTimer::timeout, this, &OfferIcons::changed);
}

OfferIcons *OfferIcons::shared()
{
    static QPointer<OfferIcons> icons;
    if (!icons)
        icons = new OfferIcons(QCoreApplication::instance());
    return icons;
}

bool OfferIcons::isShown(const json::Value &icons, const QString &server) const
{
    const std::optional<Icon> icon = choose(icons, server);
    return icon && (!m_pixmaps.contains(icon->key) || !m_pixmaps.value(icon->key).isNull());
}

QPixmap OfferIcons::pixmap(const json::Value &icons, const QString &server)
{
    if (!icons.isArray())
        return {};
    const std::optional<Icon> icon = choose(icons, server);
    if (!icon)
        return {};
    if (const auto known = m_pixmaps.constFind(icon->key); known != m_pixmaps.cend())
        return *known;
    if (m_pixmaps.size() >= MaxKept)
        m_pixmaps.clear();
    m_pixmaps.insert(icon->key, {});
    if (icon->isRemote()) {
        m_fetched.insert(icon->url, icon->key);
        Q_EMIT wanted(icon->url, server);
    } else {
        decode(icon->key, icon->bytes);
    }
    return {};
}

std::optional<Icon> OfferIcons::choose(const json::Value &icons, const QString &server) const
{
    return chooseIcon(icons, isDark(), [&](const QString &host) { return isRemoteAllowed(server, host); });
}

bool OfferIcons::isRemoteAllowed(const QString &server, const QString &host) const
{
    const auto hosts = m_allowed.constFind(server);
    return hosts != m_allowed.cend() && hosts->contains(host);
}

void OfferIcons::setRemoteAllowed(const QString &server, const QSet<QString> &hosts)
{
    if (hosts == m_allowed.value(server))
        return;
    if (hosts.isEmpty())
        m_allowed.remove(server);
    else
        m_allowed.insert(server, hosts);
    Q_EMIT remoteAllowedChanged();
    Q_EMIT changed();
}

void OfferIcons::setAllRemoteAllowed(const QHash<QString, QSet<QString>> &allowed)
{
    m_allowed = allowed;
    Q_EMIT changed();
}

void OfferIcons::provide(const QUrl &url, const QByteArray &bytes)
{
    const QByteArray key = m_fetched.take(url);
    if (key.isEmpty())
        return;
    if (bytes.isEmpty())
        m_change.start();
    else
        decode(key, bytes);
}

void OfferIcons::decode(const QByteArray &key, const QByteArray &bytes)
{
    runInBackground<QImage>(
        this, [bytes] { return decoded(bytes); },
        [this, key](const QImage &image) {
            if (!image.isNull())
                m_pixmaps.insert(key, QPixmap::fromImage(image));
            m_change.start();  // of a broken one too: no room is left for it any more
        });
}

QImage OfferIcons::decoded(const QByteArray &bytes)
{
    const QByteArray format = bytes.size() <= MaxIconBytes ? formatOfIcon(bytes) : QByteArray();
    if (format.isEmpty())
        return {};
    QBuffer buffer;
    buffer.setData(bytes);
    buffer.open(QIODevice::ReadOnly);
    QImageReader reader(&buffer, format);
    const QSize size = reader.size();
    if (!size.isValid() || size.isEmpty() || size.width() > MaxIconSide || size.height() > MaxIconSide)
        return {};
    const QImage image = reader.read();
    if (image.width() <= KeptIconSide && image.height() <= KeptIconSide)
        return image;
    return image.scaled(KeptIconSide, KeptIconSide, Qt::KeepAspectRatio, Qt::SmoothTransformation);
}

OfferIconLabel::OfferIconLabel(int side, QWidget *parent) : QLabel(parent), m_side(side)
{
    setFixedSize(side, side);
    setAlignment(Qt::AlignCenter);
    setTextFormat(Qt::PlainText);
    connect(OfferIcons::shared(), &OfferIcons::changed, this, &OfferIconLabel::refresh);
    hide();
}

void OfferIconLabel::setIcons(const json::Value &icons, const QString &server)
{
    m_icons = icons;
    m_server = server;
    refresh();
}

void OfferIconLabel::changeEvent(QEvent *event)
{
    QLabel::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        refresh();
}

void OfferIconLabel::refresh()
{
    const QPixmap shown = OfferIcons::shared()->pixmap(m_icons, m_server);
    setVisible(!shown.isNull());
    if (shown.isNull())
        return;
    QPixmap scaled =
        shown.scaled(QSize(m_side, m_side) * devicePixelRatioF(), Qt::KeepAspectRatio, Qt::SmoothTransformation);
    scaled.setDevicePixelRatio(devicePixelRatioF());
    setPixmap(scaled);
}

}  // namespace sonde::ui
