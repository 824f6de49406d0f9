// SPDX-License-Identifier: Apache-2.0
#include "core/schema/metaschemas.h"

#include <QFile>

namespace sonde::schema {

using namespace Qt::StringLiterals;

json::Value metaSchema(const QString &address)
{
    QString name;
    if (address == "http://json-schema.org/draft-07/schema"_L1)
        name = u"draft-07.json"_s;
    else if (address.startsWith("https://json-schema.org/draft/2020-12/"_L1) && !address.contains(".."_L1))
        name = address.mid(QLatin1StringView("https://json-schema.org/draft/").size()) + u".json"_s;
    QFile file(u":/sonde/meta-schemas/"_s + name);
    if (name.isEmpty() || !file.open(QIODevice::ReadOnly))
        return {};
    return json::parse(file.readAll());
}

}  // namespace sonde::schema
