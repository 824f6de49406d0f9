// What of a page stands in labels, to be found as well.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/json/findsource.h"

#include <QList>
#include <QStringList>

namespace sonde::ui {

class TextLabel;

// A place is a text that has the word, by its index. The texts are few and short.
class TextsScan final : public FindScan {
public:
    TextsScan(const QStringList &texts, const FindWord &word) : m_texts(texts), m_word(word) {}
    bool next(FindPlaces *places) override;

private:
    const QStringList m_texts;
    const FindWord m_word;
};

// The labels of a view, which selects the word in the one that is shown.
class LabelFind final : public FindSource {
    Q_OBJECT
public:
    LabelFind(QWidget *view, const QList<TextLabel *> &labels) : FindSource(view), m_labels(labels) {}

    std::shared_ptr<FindScan> scan(const FindWord &word) const override;
    void mark(const FindWord &word, const std::shared_ptr<const FindPlaces> &places) override;
    QRect show(quint32 place) override;
    void deselect() override;

private:
    const QList<TextLabel *> m_labels;  // children of the view
    FindWord m_word;
};

}  // namespace sonde::ui
