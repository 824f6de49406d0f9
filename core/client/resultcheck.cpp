// SPDX-License-Identifier: Apache-2.0
#include "core/client/resultcheck.h"

#include "core/protocol/messagerules.h"
#include "core/protocol/methods.h"

#include <QCoreApplication>

using namespace Qt::StringLiterals;

namespace sonde {

namespace {

struct ResultCheckText {
    Q_DECLARE_TR_FUNCTIONS(sonde::Dialect)
};

QString shortText(const json::Value &value)
{
    constexpr qsizetype maxLength = 40;
    const QByteArrayView slice = value.slice();
    const QString text = QString::fromUtf8(slice.first(qMin(slice.size(), maxLength)));
    return slice.size() > maxLength ? text + u'…' : text;
}

}  // namespace

void checkResult(QStringView method, Revision revision, Outcome *outcome)
{
    const json::Value result = outcome->message.result();
    if (outcome->kind != Outcome::Kind::Ok)
        return;
    // There is nothing in it of what was asked for. What has an empty result anyway has worked.
    if (!result.isObject() && methods::needsObject(method)) {
        outcome->kind = Outcome::Kind::NoResponse;
        outcome->error = {Error::Kind::Protocol,
                          0,
                          ResultCheckText::tr("The result of %1 is %2, not an object.").arg(method, shownValue(result)),
                          shortText(result),
                          {},
                          {}};
        return;
    }
    if (!result.isObject())
        return;
    // The response to a call that was made a task (2025-11-25) has the task instead of a content; one to
    // server/discover without revisions is no use anyway.
    const bool isExempt = (method == methods::CallTool && result[u"task"].isObject()) ||
                          (method == methods::Discover && !result[u"supportedVersions"].isArray());
    const QStringList found = isExempt ? QStringList() : shapeFindings(result, method, revision, u"result"_s);
    for (const QString &finding : found) {
        // Those of a handshake are shown where nothing else tells what they are about.
        const bool isOfStart = method == methods::Initialize || method == methods::Discover;
        outcome->findings.append(isOfStart ? ResultCheckText::tr("Response to %1: %2").arg(method, finding) : finding);
    }
    if (method != methods::CallTool)
        return;
    const json::Value isError = result[u"isError"];
    if (isError.exists() && !isError.isBool())
        outcome->findings.append(
            ResultCheckText::tr("'isError' is %1, not a boolean; it is read as false.").arg(shownValue(isError)));
    outcome->kind = isError.toBool() ? Outcome::Kind::ToolError : Outcome::Kind::Ok;
}

}  // namespace sonde
