// SPDX-License-Identifier: Apache-2.0
#include "ui/panels/factrows.h"

#include "core/protocol/visibletext.h"
#include "ui/json/fittedtextview.h"
#include "ui/theme/widgets.h"

#include <QHBoxLayout>
#include <algorithm>

namespace sonde::ui {

namespace {

constexpr int MaxExactHeight = 120;

// Wants one line until it is known how wide it is: for a long text a label would like several short ones, and a form
// keeps that much room even where it gets its whole width.
class FactText final : public TextLabel {
public:
    using TextLabel::TextLabel;
    QSize sizeHint() const override { return {TextLabel::sizeHint().width(), fontMetrics().lineSpacing()}; }
    QSize minimumSizeHint() const override { return {TextLabel::minimumSizeHint().width(), sizeHint().height()}; }
};

}  // namespace

FactRows::FactRows()
{
    setHorizontalSpacing(2 * Grid);
    setVerticalSpacing(Grid / 2);
    setLabelAlignment(Qt::AlignLeft | Qt::AlignTop);
    setFieldGrowthPolicy(AllNonFixedFieldsGrow);
}

void FactRows::setFacts(const QList<Fact> &facts)
{
    int place = 0;
    for (const Fact &fact : facts) {
        if (fact.text.isEmpty() && !fact.beside)
            continue;
        const auto known = std::find_if(m_rows.cbegin() + place, m_rows.cend(), [&fact](const Row &row) {
            return row.name == fact.name && row.beside == fact.beside;
        });
        if (known == m_rows.cend()) {
            insert(place, fact);
        } else {
            for (auto gone = known - m_rows.cbegin() - place; gone > 0; --gone)
                remove(place);
        }
        Row &row = m_rows[place++];
        if (row.text != fact.text) {
            row.text = fact.text;
            show(row);
        }
    }
    while (m_rows.size() > place)
        remove(place);
}

// Qt lays out with the heights of the width that it was asked about last, even where it knows those of this one too:
// a page asks also about the width that its rows would like. Asked about yet another width, it forgets what it knows.
void FactRows::setGeometry(const QRect &rect)
{
    if (hasHeightForWidth()) {
        (void)heightForWidth(rect.width() - 1);
        (void)heightForWidth(rect.width());
    }
    QFormLayout::setGeometry(rect);
}

void FactRows::show(const Row &row)
{
    if (row.value) {
        row.value->setServerText(row.text);
        row.value->setToolTip(plainToolTip(visibleLine(row.text, 400)));
    } else {
        row.exact->setText(revealedText(row.text).toUtf8());
        row.exact->fit();
    }
}

void FactRows::insert(int place, const Fact &fact)
{
    auto *caption = new TextLabel(fact.name);
    caption->setDim(true);
    caption->setMinimumWidth(NameWidth);
    caption->setAlignment(Qt::AlignTop | Qt::AlignLeft);  // beside the first line of several
    Row row{fact.name, {}, nullptr, nullptr, fact.beside};
    if (fact.mono) {
        followFont(caption, [caption] {  // on one line with the value, whose font is higher
            const int difference = QFontMetrics(monoFont()).ascent() - caption->fontMetrics().ascent();
            caption->setContentsMargins(0, qMax(0, difference), 0, 0);
        });
        row.exact = new FittedTextView(MaxExactHeight);
        row.exact->setAccessibleName(fact.name);
        row.exact->setFlush();
    } else {
        row.value = new FactText;
        row.value->setWordWrap(true);
        row.value->setMinimumWidth(40);  // a word without end must not push the buttons out
        row.value->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    }
    QWidget *value = fact.mono ? static_cast<QWidget *>(row.exact) : row.value;
    m_rows.insert(place, row);
    if (!fact.beside)
        return insertRow(place, caption, value);
    auto *both = new QWidget;
    auto *line = new QHBoxLayout(both);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(Grid);
    if (fact.text.isEmpty())
        value->hide();
    line->addWidget(value, fact.text.isEmpty() ? 0 : 1);
    line->addWidget(fact.beside, fact.text.isEmpty() ? 1 : 0, Qt::AlignTop);
    fact.beside->show();
    insertRow(place, caption, both);
}

void FactRows::remove(int place)
{
    if (QWidget *beside = m_rows.at(place).beside) {
        beside->hide();
        beside->setParent(parentWidget());
    }
    m_rows.removeAt(place);
    removeRow(place);
}

}  // namespace sonde::ui
