// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/requiredurlsbanner.h"

#include "core/protocol/consenturl.h"
#include "core/protocol/visibletext.h"

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

constexpr qsizetype MaxNamedUrls = 5;

QString requiredUrlState(RequiredUrls::State state)
{
    switch (state) {
        case RequiredUrls::State::Open:
            return RequiredUrlsBanner::tr("waiting for your consent");
        case RequiredUrls::State::Accepted:
            return RequiredUrlsBanner::tr("opened");
        case RequiredUrls::State::Refused:
            return RequiredUrlsBanner::tr("not opened");
        case RequiredUrls::State::Completed:
            return RequiredUrlsBanner::tr("%1 completed, according to the server").arg(sign(Tone::Ok));
        case RequiredUrls::State::Lost:
            return RequiredUrlsBanner::tr("the connection was lost");
    }
    return {};
}

}  // namespace

RequiredUrlsBanner::RequiredUrlsBanner(QWidget *parent) : Banner(parent), m_tryAgain(new QPushButton(tr("Try again")))
{
    setObjectName(u"requiredUrls"_s);
    m_tryAgain->setObjectName(u"tryAgain"_s);
    m_tryAgain->setToolTip(tr("Makes the same call again"));
    addControl(m_tryAgain);
    connect(m_tryAgain, &QPushButton::clicked, this, &RequiredUrlsBanner::tryAgainRequested);
    hide();
}

void RequiredUrlsBanner::watch(std::unique_ptr<RequiredUrls> urls)
{
    m_urls = std::move(urls);
    setVisible(bool(m_urls));
    if (!m_urls)
        return;
    connect(m_urls.get(), &RequiredUrls::changed, this, &RequiredUrlsBanner::refresh);
    refresh();
}

void RequiredUrlsBanner::refresh()
{
    QStringList lines;
    bool areCompleted = true;
    for (const RequiredUrls::Entry &entry : m_urls->entries()) {
        areCompleted = areCompleted && entry.state == RequiredUrls::State::Completed;
        if (lines.size() == MaxNamedUrls)
            continue;
        const QString host = ConsentUrl::fromText(entry.url).host;
        lines.append(tr("%1: %2").arg(host.isEmpty() ? visibleLine(entry.url, 60) : visibleLine(host, 60),
                                      requiredUrlState(entry.state)));
    }
    const qsizetype unnamed = m_urls->entries().size() - lines.size();
    if (unnamed > 0)
        lines.append(counted(unnamed, tr("1 more in the requests panel"), tr("%1 more in the requests panel")));
    setContent(Tone::Asks,
               areCompleted ? tr("Everything is completed, according to the server. Try the call again.")
                            : counted(m_urls->entries().size(), tr("Open a URL first, then try the call again."),
                                      tr("Open %1 URLs first, then try the call again.")),
               lines.join(u'\n'));
}

}  // namespace sonde::ui
