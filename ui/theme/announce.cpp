// SPDX-License-Identifier: Apache-2.0
#include "ui/theme/announce.h"

#include "core/protocol/visibletext.h"

#include <QAccessible>
#include <QAccessibleWidget>
#include <QWidget>

namespace sonde::ui {

namespace {

constexpr qsizetype MaxAnnounced = 400;  // characters
constexpr qsizetype MaxAtOnce = 4;

// A pixel that paints nothing, and whose name is what was announced. A window has a few, used in turn: a screen reader
// asks for the name only after it was told, and something else may have happened by then.
class Announcement final : public QWidget {
public:
    explicit Announcement(QWidget *window) : QWidget(window)
    {
        setAttribute(Qt::WA_TransparentForMouseEvents);
        setAttribute(Qt::WA_NoChildEventsForParent);
        setFixedSize(1, 1);
    }

    // The latest is the last of the window's children.
    static Announcement *nextOf(QWidget *window)
    {
        QList<Announcement *> all;
        for (QObject *child : window->children()) {
            if (auto *found = dynamic_cast<Announcement *>(child))
                all.append(found);
        }
        if (all.size() < MaxAtOnce)
            return new Announcement(window);
        all.first()->raise();
        return all.first();
    }
};

QAccessibleInterface *makeAnnouncement(const QString &, QObject *object)
{
    auto *announcement = dynamic_cast<Announcement *>(object);
    return announcement ? new QAccessibleWidget(announcement, QAccessible::Notification) : nullptr;
}

}  // namespace

void announce(QWidget *where, const QString &text)
{
    static const bool isInstalled = (QAccessible::installFactory(makeAnnouncement), true);
    QWidget *window = where->window();
    if (!isInstalled || text.isEmpty() || !window->isVisible())
        return;
    Announcement *announcement = Announcement::nextOf(window);
    announcement->setAccessibleName({});  // the same text again is news too
    announcement->setAccessibleName(visibleLine(text, MaxAnnounced));
    if (announcement->isHidden())
        return announcement->show();  // which says so itself: twice would be spoken twice
    QAccessibleEvent shown(announcement, QAccessible::ObjectShow);
    QAccessible::updateAccessibility(&shown);
}

}  // namespace sonde::ui
