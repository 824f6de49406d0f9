// What was changed in a form, step by step, to undo it and to do it again.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/form/draft.h"

#include <QElapsedTimer>
#include <QList>
#include <optional>

namespace sonde::ui {

struct FormSteps;

// Observes the root of a draft. Every change between two calls of endStep() belongs to one step; what is typed in one
// place without a longer pause becomes one step too. Texts are shared with the draft, not copied.
class FormHistory {
public:
    static constexpr qsizetype MaxSteps = 200;

    FormHistory() = default;
    Q_DISABLE_COPY_MOVE(FormHistory)

    // Another draft, whose history begins now. If it replaces what the user had, that is a step.
    void setRoot(const Draft::Ptr &root, bool isStep);
    void clear();

    // The place is about to be typed in: its change may be written to the draft later.
    void noteTyping(Draft *place);
    void endStep();
    // The value as text, where it is edited as that, too. Typed: a part of the step under way. Following from a change:
    // a part of the last step, whose undo brings back the former text.
    void typeText(const QByteArray &text);
    void followText(const QByteArray &text);
    QByteArray text() const { return m_text; }  // as the last step, back or forth, has left it
    // Changes meanwhile are no step: they write what was typed before.
    void setPaused(bool paused) { m_isPaused = paused; }
    bool isPaused() const { return m_isPaused; }

    bool canUndo() const { return !m_done.isEmpty(); }
    bool canRedo() const { return !m_undone.isEmpty(); }
    // The places that changed, in a draft that has already changed. Empty: nothing to undo, or all of the draft.
    QList<Draft::Ptr> undo() { return swap(&m_done, &m_undone); }
    QList<Draft::Ptr> redo() { return swap(&m_undone, &m_done); }

    struct Change {
        QStringList path;
        Draft::State before;
    };
    struct Step {
        QList<Change> changes;
        bool isTyping = false;
        bool isText = false;             // typed as that
        std::optional<QByteArray> text;  // before it
    };
    FormSteps steps() const;
    void setSteps(const FormSteps &steps);  // of a history whose draft had the same value

private:
    static qint64 bytesOf(const QList<Step> &steps);
    void observe();
    void note(Draft *place);
    QList<Draft::Ptr> swap(QList<Step> *from, QList<Step> *to);

    Draft::Ptr m_root;
    QList<Step> m_done;
    QList<Step> m_undone;
    Step m_current;     // under way
    QByteArray m_text;  // null: none is known
    QElapsedTimer m_sinceTyping;
    bool m_isPaused = false;
};

// What can be undone and done again.
struct FormSteps {
    QList<FormHistory::Step> done;
    QList<FormHistory::Step> undone;
    QByteArray text;  // as text() has it
};

}  // namespace sonde::ui
