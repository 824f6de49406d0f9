// SPDX-License-Identifier: Apache-2.0
#include "core/schema/schema.h"

#include "core/schema/evaluator.h"
#include "core/schema/registry.h"

namespace sonde::schema {

struct Schema::Data {
    json::Value root;
    Limits limits;
    Registry registry;
};

// Nothing to violate, like the schema true.
Schema::Schema() : Schema(json::parse(QByteArrayLiteral("true"))) {}

Schema::Schema(const json::Value &schema, const Options &options)
    : m_data(std::make_shared<const Data>(
          Data{schema, options.limits, Registry(schema, options.documents, options.assertFormats)}))
{}

json::Value Schema::root() const
{
    return m_data->root;
}

QList<Issue> Schema::validate(const json::Value &instance) const
{
    return Evaluator(m_data->registry, m_data->limits, m_data->root).run(m_data->root, 0, instance);
}

QList<Issue> Schema::validateAt(const json::Value &subschema, const json::Value &instance) const
{
    return Evaluator(m_data->registry, m_data->limits, m_data->root)
        .run(subschema, m_data->registry.resourceOf(subschema), instance);
}

json::Value Schema::resolved(const json::Value &subschema) const
{
    constexpr int mostHops = 64;
    Place place{subschema, m_data->registry.resourceOf(subschema)};
    for (int hop = 0; hop < mostHops; ++hop) {
        json::Value reference = place.schema[u"$ref"];
        if (!reference.isString())
            reference = place.schema[u"$dynamicRef"];
        if (!reference.isString())
            return place.schema;
        place = m_data->registry.resolve(reference.string(), place.resource);
        if (!place.schema.exists())
            return {};
    }
    return {};
}

}  // namespace sonde::schema
