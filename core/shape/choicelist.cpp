// SPDX-License-Identifier: Apache-2.0
#include "core/shape/choicelist.h"

#include "core/json/builder.h"

namespace sonde {

void ChoiceList::append(const json::Value &value, const QString &title)
{
    if (!m_data)
        m_data = std::make_shared<Data>();
    else if (m_data.use_count() > 1)
        m_data = std::make_shared<Data>(*m_data);
    // A schema may name a value twice.
    if (title.isEmpty() && m_data->values.contains(value))
        return;
    const qsizetype index = m_data->values.size();
    m_data->values.append(value);
    if (title.isEmpty())
        return;
    m_data->titles.insert(index, title);
    if (!m_data->byTitle.contains(title))
        m_data->byTitle.insert(title, index);
}

QByteArray ChoiceList::json(qsizetype index) const
{
    return json::compact(m_data->values.at(index));
}

QString ChoiceList::label(qsizetype index) const
{
    if (const auto title = m_data->titles.constFind(index); title != m_data->titles.cend())
        return *title;
    const json::Value &value = m_data->values.at(index);
    if (!value.isString() || isJsonOfAnother(value.string()))
        return QString::fromUtf8(value.slice());
    return value.string();
}

// Of the choices 1 and "1", the string keeps its quotation marks.
bool ChoiceList::isJsonOfAnother(const QString &text) const
{
    constexpr QStringView beginnings = u"-0123456789tfn[{\"";
    if (text.isEmpty() || !beginnings.contains(text.front()))
        return false;
    const json::Document document = json::Document::parse(text.toUtf8());
    const qsizetype other = document.isValid() ? indexOf(document.root()) : -1;
    return other >= 0 && !m_data->titles.contains(other);
}

qsizetype ChoiceList::indexOf(const json::Value &value) const
{
    return m_data ? m_data->values.indexOf(value) : -1;
}

// A label without a title is a string of the enum, or the JSON of another value.
qsizetype ChoiceList::indexOfLabel(const QString &text) const
{
    if (!m_data)
        return -1;
    qsizetype first = m_data->byTitle.value(text, -1);
    for (const QByteArray &json : {json::quoted(text), text.toUtf8()}) {
        const json::Document document = json::Document::parse(json);
        const qsizetype index = document.isValid() ? indexOf(document.root()) : -1;
        if (index >= 0 && (first < 0 || index < first) && label(index) == text)
            first = index;
    }
    return first;
}

}  // namespace sonde
