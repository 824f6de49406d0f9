// SPDX-License-Identifier: Apache-2.0
#include "core/schema/keywords.h"

#include <QHash>

namespace sonde::schema {

namespace {

const QHash<QByteArray, Keyword> &table()
{
    static const QHash<QByteArray, Keyword> keywords{
        {"$id", Keyword::Id},
        {"$schema", Keyword::Schema},
        {"$ref", Keyword::Ref},
        {"$dynamicRef", Keyword::DynamicRef},
        {"$anchor", Keyword::Anchor},
        {"$dynamicAnchor", Keyword::DynamicAnchor},
        {"$defs", Keyword::Defs},
        {"definitions", Keyword::Definitions},
        {"allOf", Keyword::AllOf},
        {"anyOf", Keyword::AnyOf},
        {"oneOf", Keyword::OneOf},
        {"not", Keyword::Not},
        {"if", Keyword::If},
        {"then", Keyword::Then},
        {"else", Keyword::Else},
        {"dependentSchemas", Keyword::DependentSchemas},
        {"dependencies", Keyword::Dependencies},
        {"prefixItems", Keyword::PrefixItems},
        {"items", Keyword::Items},
        {"additionalItems", Keyword::AdditionalItems},
        {"contains", Keyword::Contains},
        {"properties", Keyword::Properties},
        {"patternProperties", Keyword::PatternProperties},
        {"additionalProperties", Keyword::AdditionalProperties},
        {"propertyNames", Keyword::PropertyNames},
        {"unevaluatedItems", Keyword::UnevaluatedItems},
        {"unevaluatedProperties", Keyword::UnevaluatedProperties},
        {"contentSchema", Keyword::ContentSchema},
        {"type", Keyword::Type},
        {"const", Keyword::Const},
        {"enum", Keyword::Enum},
        {"multipleOf", Keyword::MultipleOf},
        {"maximum", Keyword::Maximum},
        {"exclusiveMaximum", Keyword::ExclusiveMaximum},
        {"minimum", Keyword::Minimum},
        {"exclusiveMinimum", Keyword::ExclusiveMinimum},
        {"maxLength", Keyword::MaxLength},
        {"minLength", Keyword::MinLength},
        {"pattern", Keyword::Pattern},
        {"maxItems", Keyword::MaxItems},
        {"minItems", Keyword::MinItems},
        {"uniqueItems", Keyword::UniqueItems},
        {"maxContains", Keyword::MaxContains},
        {"minContains", Keyword::MinContains},
        {"maxProperties", Keyword::MaxProperties},
        {"minProperties", Keyword::MinProperties},
        {"required", Keyword::Required},
        {"dependentRequired", Keyword::DependentRequired},
        {"format", Keyword::Format},
        {"contentEncoding", Keyword::ContentEncoding},
        {"contentMediaType", Keyword::ContentMediaType},
        {"nullable", Keyword::Nullable},
    };
    return keywords;
}

}  // namespace

Keyword keywordOf(const json::Value &member)
{
    const QByteArrayView quoted = member.keySlice();
    if (quoted.size() < 2)
        return Keyword::Unknown;
    if (quoted.contains('\\'))
        return keywordNamed(member.key().toUtf8());
    return keywordNamed(QByteArray::fromRawData(quoted.data() + 1, quoted.size() - 2));
}

Keyword keywordNamed(const QByteArray &name)
{
    return table().value(name, Keyword::Unknown);
}

Holds holdings(Keyword keyword)
{
    switch (keyword) {
        case Keyword::Not:
        case Keyword::If:
        case Keyword::Then:
        case Keyword::Else:
        case Keyword::AdditionalItems:
        case Keyword::Contains:
        case Keyword::AdditionalProperties:
        case Keyword::PropertyNames:
        case Keyword::UnevaluatedItems:
        case Keyword::UnevaluatedProperties:
        case Keyword::ContentSchema:
            return Holds::Schema;
        case Keyword::Items:
            return Holds::SchemaOrList;
        case Keyword::AllOf:
        case Keyword::AnyOf:
        case Keyword::OneOf:
        case Keyword::PrefixItems:
            return Holds::SchemaList;
        case Keyword::Defs:
        case Keyword::Definitions:
        case Keyword::DependentSchemas:
        case Keyword::Dependencies:
        case Keyword::Properties:
        case Keyword::PatternProperties:
            return Holds::SchemaMap;
        default:
            return Holds::NoSchema;
    }
}

Vocabulary vocabularyOf(Keyword keyword)
{
    if (keyword <= Keyword::Definitions)
        return Vocabulary::Core;
    if (keyword == Keyword::UnevaluatedItems || keyword == Keyword::UnevaluatedProperties)
        return Vocabulary::Unevaluated;
    if (keyword < Keyword::ContentSchema)
        return Vocabulary::Applicator;
    if (keyword == Keyword::ContentSchema || keyword >= Keyword::Format)
        return Vocabulary::Annotation;
    return Vocabulary::Validation;
}

}  // namespace sonde::schema
