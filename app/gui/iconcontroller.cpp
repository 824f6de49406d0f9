// SPDX-License-Identifier: Apache-2.0
#include "app/gui/iconcontroller.h"

#include "app/gui/settings.h"
#include "core/transport/httpdownload.h"
#include "ui/panels/offericons.h"

using namespace Qt::StringLiterals;

namespace sonde::app {

namespace {

constexpr int MaxDownloads = 4;  // at once
constexpr qsizetype MaxWaitingDownloads = 500;

}  // namespace

IconController::IconController(Settings *settings, QObject *parent) : QObject(parent)
{
    ui::OfferIcons *icons = ui::OfferIcons::shared();
    icons->setAllRemoteAllowed(settings->text(u"remoteIcons"_s).split(u'\n', Qt::SkipEmptyParts));
    connect(icons, &ui::OfferIcons::remoteAllowedChanged, this,
            [settings, icons] { settings->set(u"remoteIcons"_s, icons->remoteAllowed().join(u'\n')); });
    connect(icons, &ui::OfferIcons::wanted, this, [this](const QUrl &url) {
        if (m_waiting.size() < MaxWaitingDownloads)
            m_waiting.enqueue(url);
        fetchOn();
    });
}

void IconController::fetchOn()
{
    while (m_running < MaxDownloads && !m_waiting.isEmpty()) {
        const QUrl url = m_waiting.dequeue();
        auto *download = new HttpDownload(url, "image/png, image/jpeg, image/gif", MaxIconBytes, this);
        ++m_running;
        connect(download, &HttpDownload::finished, this, [this, download, url] {
            --m_running;
            ui::OfferIcons::shared()->provide(url, download->body());
            download->deleteLater();
            fetchOn();
        });
        download->start();
    }
}

}  // namespace sonde::app
