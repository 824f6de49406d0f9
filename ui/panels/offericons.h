// The pictures of the icons that servers send.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/protocol/icons.h"

#include <QHash>
#include <QImage>
#include <QLabel>
#include <QObject>
#include <QPixmap>
#include <QSet>
#include <QStringList>
#include <QTimer>
#include <optional>

namespace sonde::ui {

// In memory only, for the whole program. Decodes on worker threads; fetches nothing itself. An icon that is broken, too
// large or not allowed has no picture. GUI thread.
class OfferIcons : public QObject {
    Q_OBJECT
public:
    static OfferIcons *shared();

    // For icons[] of a server of that name; null while there is none.
    QPixmap pixmap(const json::Value &icons, const QString &server);
    bool isShown(const json::Value &icons, const QString &server) const;  // there is one, or may be soon

    // Nothing is fetched for a server before the user wants it.
    bool isRemoteAllowed(const QString &server, const QString &host) const;
    void setRemoteAllowed(const QString &server, const QSet<QString> &hosts);  // no others
    QHash<QString, QSet<QString>> remoteAllowed() const { return m_allowed; }  // hosts by the name of the server
    void setAllRemoteAllowed(const QHash<QString, QSet<QString>> &allowed);
    // The receiver of wanted() reports the result here; empty bytes: nothing.
    void provide(const QUrl &url, const QByteArray &bytes);

    // PNG, JPEG or GIF by its content, within the limits; otherwise null. Any thread.
    static QImage decoded(const QByteArray &bytes);

Q_SIGNALS:
    void changed();  // there are more pictures, or fewer may be shown
    void remoteAllowedChanged();
    void wanted(const QUrl &url, const QString &server);

private:
    explicit OfferIcons(QObject *parent);
    std::optional<Icon> choose(const json::Value &icons, const QString &server) const;
    void decode(const QByteArray &key, const QByteArray &bytes);

    QHash<QByteArray, QPixmap> m_pixmaps;  // by Icon::key; null: under way, or broken
    QHash<QUrl, QByteArray> m_fetched;     // the keys of those under way
    QHash<QString, QSet<QString>> m_allowed;
    QTimer m_change;  // many come at once
};

// Shows the best one, or nothing.
class OfferIconLabel : public QLabel {
    Q_OBJECT
public:
    explicit OfferIconLabel(int side, QWidget *parent = nullptr);
    void setIcons(const json::Value &icons, const QString &server);

protected:
    void changeEvent(QEvent *event) override;

private:
    void refresh();
    const int m_side;
    json::Value m_icons;
    QString m_server;
};

}  // namespace sonde::ui
