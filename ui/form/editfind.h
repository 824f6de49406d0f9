// Lets a page find words in a text box that is edited.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/json/findsource.h"

#include <QList>
#include <QString>

class QPaintEvent;

namespace sonde::ui {

class GrowingTextEdit;

// Searches all of the text, also what the box does not draw (see AbbreviatedRuns); places are characters of it. What
// is concealed is never found. Owned by the box.
class EditFind final : public FindSource {
    Q_OBJECT
public:
    struct Span {
        qsizetype from = 0;
        qsizetype to = 0;
    };
    explicit EditFind(GrowingTextEdit *edit);
    void setConcealed(const QList<Span> &spans);  // in ascending order

    std::shared_ptr<FindScan> scan(const FindWord &word) const override;
    void mark(const FindWord &word, const std::shared_ptr<const FindPlaces> &places) override;
    QRect show(quint32 place) override;
    void deselect() override;
    std::optional<quint32> cursor() const override;

Q_SIGNALS:
    // The match that is shown is in what the box does not draw: its line around it. Empty: no longer one of these.
    void shownWithin(const QString &around, const sonde::ui::FindWord &word);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    struct Searched;
    void onContentsChanged();
    void paintMarks() const;
    QString around(qsizetype place) const;

    GrowingTextEdit *m_edit;
    FindWord m_word;
    QList<Span> m_concealed;
    std::shared_ptr<Searched> m_searched;
    std::optional<quint32> m_shown;  // as long as the selection stays there
    int m_revision = 0;
};

}  // namespace sonde::ui
