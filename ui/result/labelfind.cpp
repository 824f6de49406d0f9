// SPDX-License-Identifier: Apache-2.0
#include "ui/result/labelfind.h"

#include "ui/theme/widgets.h"

namespace sonde::ui {

bool TextsScan::next(FindPlaces *places)
{
    for (qsizetype i = 0; i < m_texts.size(); ++i) {
        if (m_texts[i].contains(m_word.text(), m_word.caseSensitivity()))
            places->push_back(quint32(i));
    }
    return false;
}

std::shared_ptr<FindScan> LabelFind::scan(const FindWord &word) const
{
    QStringList texts;
    for (const TextLabel *label : m_labels)
        texts.append(label->text());
    return std::make_shared<TextsScan>(texts, word);
}

void LabelFind::mark(const FindWord &word, const std::shared_ptr<const FindPlaces> &)
{
    m_word = word;
    deselect();
}

QRect LabelFind::show(quint32 place)
{
    deselect();
    TextLabel *label = m_labels.value(qsizetype(place));
    if (!label)
        return {};
    const qsizetype at = label->text().indexOf(m_word.text(), 0, m_word.caseSensitivity());
    if (at >= 0)
        label->select(int(at), int(m_word.text().size()));
    return label->geometry();
}

void LabelFind::deselect()
{
    for (TextLabel *label : m_labels)
        label->deselect();
}

}  // namespace sonde::ui
