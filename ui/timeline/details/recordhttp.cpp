// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/details/recordhttp.h"

#include "core/json/document.h"
#include "ui/json/bytestext.h"
#include "ui/result/outcometext.h"

#include <QCoreApplication>

namespace sonde::ui {

namespace {

void addHeaders(QString *text, const json::Value &facts)
{
    for (const json::Value &header : facts[u"headers"])
        *text += header.at(0).string() + QStringLiteral(": ") + header.at(1).string() + QLatin1Char('\n');
}

struct RecordHttpText {
    Q_DECLARE_TR_FUNCTIONS(sonde::ui::Timeline)
};

}  // namespace

QByteArray headersText(const Session &session, const HttpExchangeRows &exchange)
{
    QString text;
    if (exchange.request >= 0) {
        const json::Value facts = json::parse(session.facts(exchange.request));
        text += facts[u"method"].string() + QLatin1Char(' ') + facts[u"url"].string() + QLatin1Char('\n');
        addHeaders(&text, facts);
        text += QLatin1Char('\n');
    }
    if (exchange.response >= 0) {
        const json::Value facts = json::parse(session.facts(exchange.response));
        text += QStringLiteral("HTTP ") + decodedUtf8(facts[u"status"].slice()) + QLatin1Char(' ') +
                facts[u"reason"].string();
        if (exchange.request >= 0)
            text += RecordHttpText::tr(" · after %1")
                        .arg(durationText(session.at(exchange.response).timeNs - session.at(exchange.request).timeNs));
        text += QLatin1Char('\n');
        addHeaders(&text, facts);
    } else if (exchange.request >= 0) {
        text += RecordHttpText::tr("No response was recorded.") + QLatin1Char('\n');
    }
    return text.toUtf8();
}

}  // namespace sonde::ui
