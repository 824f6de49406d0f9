// SPDX-License-Identifier: Apache-2.0
#include "app/gui/iconcontroller.h"

#include "app/gui/settings.h"
#include "core/transport/httpfetch.h"
#include "ui/panels/offericons.h"

using namespace Qt::StringLiterals;

namespace sonde::app {

namespace {

constexpr int MaxDownloads = 4;  // at once
constexpr qsizetype MaxWaitingDownloads = 500;
constexpr int HttpOk = 200;

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
        HttpFetch::Request request;
        request.url = url;
        request.accept = "image/png, image/jpeg, image/gif";
        request.maxBytes = MaxIconBytes;
        auto *fetch = new HttpFetch(request, this);
        ++m_running;
        connect(fetch, &HttpFetch::finished, this, [this, fetch, url] {
            --m_running;
            ui::OfferIcons::shared()->provide(url, fetch->status() == HttpOk ? fetch->body() : QByteArray());
            fetch->deleteLater();
            fetchOn();
        });
        fetch->start();
    }
}

}  // namespace sonde::app
