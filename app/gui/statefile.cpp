// SPDX-License-Identifier: Apache-2.0
#include "app/gui/statefile.h"

#include "core/files/filelimits.h"
#include "core/files/readfile.h"
#include "core/files/savefile.h"
#include "core/files/userfolder.h"

#include <QCoreApplication>
#include <QCryptographicHash>
#include <QFile>
#include <utility>

using namespace Qt::StringLiterals;

namespace sonde::app {

namespace {

constexpr int MaxWindows = 32;                // that keep a state
constexpr qsizetype RoomForMarks = 8 * 1024;  // that a draft is left out

class StateFileText {
    Q_DECLARE_TR_FUNCTIONS(sonde::app::StateFile)
};

}  // namespace

QString StateFile::pathOf(int number)
{
    return userFolder(UserFolder::Data) + u"/window-%1.json"_s.arg(number);
}

StateFile::StateFile()
{
    if (userFolder(UserFolder::Data).isEmpty() || makeUserFolder(UserFolder::Data))
        return;
    for (int number = 1; number <= MaxWindows; ++number) {
        auto lock = std::make_unique<FileLock>(pathOf(number) + u".lock"_s, std::chrono::milliseconds(0));
        if (lock->isHeldElsewhere())
            continue;
        m_lock = std::move(lock);
        m_number = number;
        m_path = pathOf(number);
        return;
    }
}

StateFile::Found StateFile::read()
{
    if (m_path.isEmpty())
        return {};
    const Result<QByteArray> text = readFile(m_path, filelimits::WindowState);
    if (!text)
        return {{}, false, isFileMissing(text.error()) ? Error() : moveAside(text.error().message)};
    const Result<WindowState> state = WindowState::fromJson(*text);
    if (!state)
        return {{}, false, moveAside(StateFileText::tr("%1 cannot be read: %2.").arg(m_path, state.error().message))};
    const bool isOfLastWindow = m_number == 1 || !state->hasEnded;
    return {isOfLastWindow ? *state : WindowState(), !state->hasEnded, {}};
}

Error StateFile::moveAside(const QString &reason)
{
    const QString aside = m_path + u".unreadable"_s;
    QFile::remove(aside);
    if (QFile::rename(m_path, aside))
        return Error::local(reason, StateFileText::tr("The file was kept as %1.").arg(aside));
    m_path.clear();
    return Error::local(reason, StateFileText::tr("Remove or repair the file. Until then nothing is kept."));
}

// The window that is closed last is the one that comes back. One that was killed comes back before it. Returns the lock
// that was held before.
std::unique_ptr<FileLock> StateFile::takeFirst()
{
    const QString first = pathOf(1);
    auto lock = std::make_unique<FileLock>(first + u".lock"_s, std::chrono::milliseconds(0));
    if (lock->isHeldElsewhere())
        return nullptr;
    const Result<QByteArray> text = readFile(first, filelimits::WindowState);
    const Result<WindowState> state = text ? WindowState::fromJson(*text) : text.error();
    const bool isFree = state ? state->hasEnded : !text && isFileMissing(text.error());
    if (!isFree)
        return nullptr;
    m_number = 1;
    m_path = first;
    m_saved.clear();
    return std::exchange(m_lock, std::move(lock));
}

Error StateFile::save(const WindowState &state)
{
    if (m_path.isEmpty())
        return {};
    const QString former = m_path;
    const auto formerLock = state.hasEnded && m_number > 1 ? takeFirst() : nullptr;
    QByteArray text = state.toJson();
    const QByteArray digest = QCryptographicHash::hash(text, QCryptographicHash::Sha256);
    if (digest == m_saved)
        return {};
    if (text.size() > filelimits::WindowState) {
        WindowState shorter = state;
        shorter.leaveOutDrafts(text.size() - filelimits::WindowState + RoomForMarks);
        text = shorter.toJson();
    }
    if (text.size() > filelimits::WindowState)
        return Error::local(StateFileText::tr("%1 would be too large.").arg(m_path));
    const Error error = saveFile(m_path, text, ReadableBy::Owner);
    if (error)
        return error;
    m_saved = digest;
    if (formerLock)
        QFile::remove(former);
    return {};
}

}  // namespace sonde::app
