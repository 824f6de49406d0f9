// The keyboard shortcuts of the window, in one place for actions and texts.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QKeyEvent>
#include <QKeySequence>

namespace sonde::ui {

namespace keys {

inline constexpr QKeyCombination GoTo = Qt::CTRL | Qt::Key_K;
inline constexpr QKeyCombination AddServer = Qt::CTRL | Qt::Key_N;
inline constexpr QKeyCombination OpenSession = Qt::CTRL | Qt::Key_O;
inline constexpr QKeyCombination Find = Qt::CTRL | Qt::Key_F;
inline constexpr QKeyCombination FilterTimeline = Qt::CTRL | Qt::Key_L;
inline constexpr QKeyCombination MaximiseTimeline = Qt::CTRL | Qt::SHIFT | Qt::Key_L;
inline constexpr QKeyCombination Export = Qt::CTRL | Qt::SHIFT | Qt::Key_E;
inline constexpr QKeyCombination Replay = Qt::CTRL | Qt::SHIFT | Qt::Key_R;
inline constexpr QKeyCombination Compare = Qt::CTRL | Qt::SHIFT | Qt::Key_D;
inline constexpr QKeyCombination Statistics = Qt::CTRL | Qt::SHIFT | Qt::Key_S;
inline constexpr QKeyCombination GoToRequest = Qt::CTRL | Qt::Key_J;
inline constexpr QKeyCombination CopyPointer = Qt::CTRL | Qt::SHIFT | Qt::Key_C;
inline constexpr QKeyCombination Restart = Qt::Key_F5;
inline constexpr QKeyCombination CloseTab = Qt::CTRL | Qt::Key_W;
inline constexpr QKeyCombination ReopenTab = Qt::CTRL | Qt::SHIFT | Qt::Key_T;
inline constexpr QKeyCombination Preferences = Qt::CTRL | Qt::Key_Comma;
inline constexpr QKeyCombination MenuBar = Qt::CTRL | Qt::Key_M;
inline constexpr QKeyCombination OpenMenu = Qt::Key_F10;
inline constexpr QKeyCombination Manual = Qt::Key_F1;
inline constexpr QKeyCombination Quit = Qt::CTRL | Qt::Key_Q;
inline constexpr QKeyCombination NextTab = Qt::CTRL | Qt::Key_Tab;
inline constexpr QKeyCombination PreviousTab = Qt::CTRL | Qt::SHIFT | Qt::Key_Tab;
inline constexpr QKeyCombination OlderCall = Qt::ALT | Qt::Key_Up;
inline constexpr QKeyCombination NewerCall = Qt::ALT | Qt::Key_Down;

}  // namespace keys

// What usually has these keys has others, which texts name from then on. GUI thread.
void setKeys(QKeyCombination usual, const QKeySequence &now);
// As on the keyboard: "Ctrl+Shift+D". Of what usually has these keys; empty: it has none any more.
QString keyText(QKeyCombination usual);

// "Open…" of "&Open…", and of "開く(&O)…".
QString withoutMnemonic(const QString &label);

// Return, or Enter of the keypad.
inline bool isEnter(const QKeyEvent *event)
{
    return event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
}

inline bool isPlainEnter(const QKeyEvent *event)
{
    return isEnter(event) && (event->modifiers() & ~Qt::KeypadModifier) == Qt::NoModifier;
}

inline bool isCtrlEnter(const QKeyEvent *event)
{
    return isEnter(event) && event->modifiers().testFlag(Qt::ControlModifier);
}

}  // namespace sonde::ui
