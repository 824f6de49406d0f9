// Folding of the objects and lists of a JSON text box.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QHash>
#include <QObject>

class QTextBlock;

namespace sonde::ui {

class GrowingTextEdit;

// A line with a bracket that is closed on a later line can be folded: the lines up to that one are hidden then, and the
// first says how much they hold. What the cursor is moved to is never hidden. Owned by the edit; lines count from 0.
class JsonFolding : public QObject {
    Q_OBJECT
public:
    explicit JsonFolding(GrowingTextEdit *edit);

    bool isFoldable(int line) const;
    bool isFolded(int line) const;
    int lastHidden(int line) const;  // of a folded line
    void setFolded(int line, bool folded);

Q_SIGNALS:
    void changed();

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    struct Part {
        int lastLine = 0;  // that would be hidden
        qsizetype count = 0;
        bool isObject = false;
    };
    const QHash<int, Part> &parts() const;
    void apply();
    void revealCursor();
    int lineAround(int line, bool folded) const;

    GrowingTextEdit *m_edit;
    mutable QHash<int, Part> m_parts;  // by their first lines, of this revision of the text
    mutable int m_revision = -1;
    bool m_hasFolded = false;
};

}  // namespace sonde::ui
