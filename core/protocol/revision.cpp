// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/revision.h"

namespace sonde {

QString toString(Revision revision)
{
    switch (revision) {
        case Revision::R20241105:
            return QStringLiteral("2024-11-05");
        case Revision::R20250326:
            return QStringLiteral("2025-03-26");
        case Revision::R20250618:
            return QStringLiteral("2025-06-18");
        case Revision::R20251125:
            return QStringLiteral("2025-11-25");
        case Revision::R20260728:
            return QStringLiteral("2026-07-28");
    }
    return {};
}

std::optional<Revision> revisionFromString(QStringView text)
{
    for (const Revision revision :
         {Revision::R20241105, Revision::R20250326, Revision::R20250618, Revision::R20251125, Revision::R20260728}) {
        if (text == toString(revision))
            return revision;
    }
    return {};
}

bool supports(Revision revision, Feature feature)
{
    switch (feature) {
        case Feature::Batches:
            return revision == Revision::R20250326;
        case Feature::SessionHeader:
            return revision <= Revision::R20251125;
        case Feature::ProtocolVersionHeader:
        case Feature::StructuredContent:
            return revision >= Revision::R20250618;
        case Feature::ListsInForms:
        case Feature::ToolsInSampling:
            return revision >= Revision::R20251125;
        case Feature::ElicitationIds:
        case Feature::TaskCapability:
            return revision == Revision::R20251125;
        case Feature::TaskExtension:
        case Feature::StreamEndCancels:
            return revision >= Revision::R20260728;
    }
    return false;
}

const QList<Revision> &statefulRevisions()
{
    static const QList<Revision> revisions = {Revision::R20251125, Revision::R20250618, Revision::R20250326,
                                              Revision::R20241105};
    return revisions;
}

const QList<Revision> &statelessRevisions()
{
    static const QList<Revision> revisions = {Revision::R20260728};
    return revisions;
}

}  // namespace sonde
