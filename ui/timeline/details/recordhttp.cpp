// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/details/recordhttp.h"

#include "ui/result/outcometext.h"

#include <QCoreApplication>

namespace sonde::ui {

namespace {

void addHeaders(QString *text, const EventFacts &facts)
{
    for (const auto &[name, value] : facts.headers.value_or(EventFacts::Pairs()))
        *text += name + QStringLiteral(": ") + value + QLatin1Char('\n');
}

struct RecordHttpText {
    Q_DECLARE_TR_FUNCTIONS(sonde::ui::Timeline)
};

}  // namespace

QByteArray headersText(const Session &session, const HttpExchangeRows &exchange)
{
    QString text;
    if (exchange.request >= 0) {
        const EventFacts facts = EventFacts::read(session.facts(exchange.request));
        text += facts.method.value_or(QString()) + QLatin1Char(' ') + facts.url.value_or(QString()) + QLatin1Char('\n');
        addHeaders(&text, facts);
        text += QLatin1Char('\n');
    }
    if (exchange.response >= 0) {
        const EventFacts facts = EventFacts::read(session.facts(exchange.response));
        text += QStringLiteral("HTTP ") + (facts.status ? QString::number(*facts.status) : QString()) +
                QLatin1Char(' ') + facts.reason.value_or(QString());
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
