// SPDX-License-Identifier: Apache-2.0
#include "ui/result/summarytext.h"

#include "core/protocol/numbertext.h"
#include "ui/result/outcometext.h"

#include <QCoreApplication>

using namespace Qt::StringLiterals;

namespace sonde::ui {

namespace {

struct SummaryText {
    Q_DECLARE_TR_FUNCTIONS(sonde::ui::SummaryText)
};

}  // namespace

QString failuresInWords(const SessionSummary &summary)
{
    QStringList parts;
    if (summary.toolErrors > 0)
        parts << counted(summary.toolErrors, SummaryText::tr("1 tool error"), SummaryText::tr("%1 tool errors"));
    if (summary.protocolErrors > 0)
        parts << counted(summary.protocolErrors, SummaryText::tr("1 protocol error"),
                         SummaryText::tr("%1 protocol errors"));
    if (summary.unanswered > 0)
        parts << counted(summary.unanswered, SummaryText::tr("1 call without a response"),
                         SummaryText::tr("%1 calls without a response"));
    return parts.isEmpty() ? SummaryText::tr("none") : parts.join(u", "_s);
}

QString lengthText(qint64 ns)
{
    const qint64 seconds = ns / 1'000'000'000;
    if (seconds < 1)
        return durationText(ns);
    const auto two = [](qint64 number) { return QString::number(number).rightJustified(2, u'0'); };
    const QString minutes = seconds >= 3600 ? QString::number(seconds / 3600) + u':' + two(seconds / 60 % 60)
                                            : QString::number(seconds / 60);
    return minutes + u':' + two(seconds % 60);
}

}  // namespace sonde::ui
