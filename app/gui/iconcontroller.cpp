// SPDX-License-Identifier: Apache-2.0
#include "app/gui/iconcontroller.h"

#include "app/gui/settings.h"
#include "app/gui/workspace.h"
#include "core/transport/http/httpfetch.h"
#include "ui/panels/offericons.h"

using namespace Qt::StringLiterals;

namespace sonde::app {

namespace {

constexpr int MaxDownloads = 4;  // at once
constexpr qsizetype MaxWaitingDownloads = 500;
constexpr int HttpOk = 200;
constexpr int DownloadTimeoutMs = 20'000;

using Allowed = QHash<QString, QSet<QString>>;

// A line for each server: its name, a tab, and its hosts with blanks between them.
Allowed allowedFrom(const QString &text)
{
    Allowed allowed;
    const QStringList lines = text.split(u'\n', Qt::SkipEmptyParts);
    for (const QString &line : lines) {
        const qsizetype tab = line.lastIndexOf(u'\t');
        const QStringList hosts = tab < 0 ? QStringList() : line.mid(tab + 1).split(u' ', Qt::SkipEmptyParts);
        if (!hosts.isEmpty())
            allowed.insert(line.left(tab), QSet<QString>(hosts.begin(), hosts.end()));
    }
    return allowed;
}

QString textOf(const Allowed &allowed)
{
    QStringList lines;
    for (auto it = allowed.begin(); it != allowed.end(); ++it)
        lines += it.key() + u'\t' + QStringList(it->begin(), it->end()).join(u' ');
    return lines.join(u'\n');
}

}  // namespace

IconController::IconController(Workspace *workspace, Settings *settings, QObject *parent)
    : QObject(parent), m_workspace(workspace)
{
    ui::OfferIcons *icons = ui::OfferIcons::shared();
    icons->setAllRemoteAllowed(allowedFrom(settings->text(setting::RemoteIcons)));
    connect(icons, &ui::OfferIcons::remoteAllowedChanged, this,
            [settings, icons] { settings->set(setting::RemoteIcons, textOf(icons->remoteAllowed())); });
    connect(icons, &ui::OfferIcons::wanted, this, [this](const QUrl &url, const QString &server) {
        if (m_waiting.size() < MaxWaitingDownloads)
            m_waiting.enqueue({url, server});
        fetchOn();
    });
}

void IconController::fetchOn()
{
    while (m_running < MaxDownloads && !m_waiting.isEmpty()) {
        const auto [url, server] = m_waiting.dequeue();
        HttpFetch::Request request;
        request.addressPolicy.isLed = true;
        const WorkspaceItem *item = m_workspace->serverNamed(server);
        if (item && !item->spec.startsProcess()) {
            request.network = item->spec.network;
            request.addressPolicy.isLed = !http::isSameOrigin(url, item->spec.url);
        }
        request.url = url;
        request.accept = "image/png, image/jpeg, image/gif";
        request.maxBytes = MaxIconBytes;
        request.timeoutMs = DownloadTimeoutMs;
        auto *fetch = new HttpFetch(request, this);
        ++m_running;
        connect(fetch, &HttpFetch::finished, this, [this, fetch, url = url] {
            --m_running;
            ui::OfferIcons::shared()->provide(url, fetch->status() == HttpOk ? fetch->body() : QByteArray());
            fetch->deleteLater();
            fetchOn();
        });
        fetch->start();
    }
}

}  // namespace sonde::app
