// The response to a call, in one of five forms.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/client/call.h"
#include "ui/result/runningview.h"

#include <QWidget>
#include <functional>
#include <memory>
#include <optional>

class QMenu;

namespace sonde::ui {

// Header (badge, duration, size, time; Result | Structured | Raw), a banner if the outcome is not OK, content blocks
// below. For responses to tools/call, resources/read and prompts/get. Ctrl+F finds in all blocks of what is shown, and
// everything in it has a context menu.
// Shows server text only as plain text, or as Markdown on request, and loads nothing.
class ResultView : public QWidget {
    Q_OBJECT
public:
    enum class Subject { Tool, Resource, Prompt, Other };

    explicit ResultView(QWidget *parent = nullptr);
    ~ResultView() override;

    void showEmpty(const QString &hint, const QString &title = tr("No result yet"));
    void showRunning(Call *call);  // progress, elapsed time, and a button to cancel it
    void setInputCheck(std::function<std::optional<AwaitedInput>(const Call &)> check);  // see RunningView
    void setConnectionProblem(const QString &problem);                                   // see RunningView
    // stderrTail: shown if there was no response.
    void showOutcome(Subject subject, const Outcome &outcome, const QStringList &stderrTail = {});
    void showFromCache(Subject subject, const Outcome &outcome);  // of an earlier request
    const Outcome &outcome() const;
    QStringList findings() const;  // the outcome's and those found here

Q_SIGNALS:
    void resourceActivated(const QString &uri);  // a resource link was followed
    void cancelRequested();
    void requestShown(sonde::Call *call);        // that it waits for
    void requestCame(sonde::Call *call);         // see RunningView
    void linkActivated(const QString &address);  // to be opened in a browser, once the user has agreed
    void timelineFilterRequested(const QString &filter);
    // The context menu of a JSON value is about to be shown. pointer: from the result, as in a placeholder of a saved
    // call ("/content/0/text#/token").
    void valueMenuRequested(QMenu *menu, const sonde::json::Value &value, const QString &pointer);

protected:
    void contextMenuEvent(QContextMenuEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    class Private;
    std::unique_ptr<Private> d;
};

}  // namespace sonde::ui
