// Lets a page find words in rich text.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/json/findsource.h"

class QTextCursor;
class QTextEdit;

namespace sonde::ui {

// Places are positions in the document that the view has when it is searched. Call setChanged() after a change of it.
class DocumentFind final : public FindSource {
    Q_OBJECT
public:
    explicit DocumentFind(QTextEdit *view);

    std::shared_ptr<FindScan> scan(const FindWord &word) const override;
    void mark(const FindWord &word, const std::shared_ptr<const FindPlaces> &places) override;
    void showMore() override;
    QRect show(quint32 place) override;
    void deselect() override;

private:
    QTextCursor cursorAt(quint32 place) const;

    QTextEdit *m_text;
    int m_length = 0;
    std::shared_ptr<const FindPlaces> m_places;
};

}  // namespace sonde::ui
