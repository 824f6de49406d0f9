// Finds a word in a text.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/json/findsource.h"

namespace sonde::ui {

// Places are those of the characters at which the word begins.
class StringScan : public FindScan {
public:
    StringScan(QString text, FindWord word);
    bool next(FindPlaces *places) override;

protected:
    void setText(const QString &text) { m_text = text; }
    virtual bool isHidden(qsizetype from, qsizetype to) const;  // then it is no match

private:
    QString m_text;
    const FindWord m_word;
    qsizetype m_at = 0;
};

}  // namespace sonde::ui
