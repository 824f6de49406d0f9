// SPDX-License-Identifier: Apache-2.0
#include "core/files/jsonstore.h"

#include "core/files/filelock.h"
#include "core/files/filewatch.h"
#include "core/files/readfile.h"
#include "core/files/savefile.h"
#include "core/files/texts.h"
#include "core/files/userfolder.h"
#include "core/json/builder.h"

#include <QFile>
#include <QFileInfo>
#include <QTimer>

#include <utility>

using namespace Qt::StringLiterals;

namespace sonde {

namespace {

constexpr int EmptiedMs = 2000;

bool endsInMiddleOfLine(QFile &file)
{
    char last = '\n';
    return file.size() > 0 && file.seek(file.size() - 1) && file.getChar(&last) && last != '\n';
}

Error heldElsewhere(const QString &path)
{
    return Error::local(FilesText::tr("%1 is being changed by another program.").arg(path),
                        FilesText::tr("Try again in a moment."));
}

}  // namespace

struct JsonStore::Watch {
    explicit Watch(const QString &path) : file(path) {}
    FileWatch file;
    QTimer emptied;
};

JsonStore::JsonStore(const QString &path, const Form &form) : m_path(path), m_form(form) {}

JsonStore::~JsonStore() = default;

Result<QByteArray> JsonStore::readNow() const
{
    if (m_path.isEmpty())
        return m_text;
    const bool isLines = m_form.content == Content::Lines;
    Result<QByteArray> text = readFile(m_path, m_form.maxBytes, isLines ? IfLarger::ReadEnd : IfLarger::Refuse);
    return !text && isFileMissing(text.error()) ? Result<QByteArray>(QByteArray()) : text;
}

Error JsonStore::problemOf(const QByteArray &text) const
{
    if (m_form.check)
        return m_form.check(text);
    if (m_form.content == Content::Lines || text.trimmed().isEmpty())
        return {};
    const json::Document document = json::Document::parse(text);
    return document.isValid() && document.root().isObject()
               ? Error()
               : Error::local(FilesText::tr("%1 is not a JSON object.").arg(m_path));
}

QString JsonStore::lockPath() const
{
    return m_form.lockPath.isEmpty() ? m_path + u".lock"_s : m_form.lockPath;
}

QByteArray JsonStore::read() const
{
    const Result<QByteArray> text = readNow();
    return withUnsaved(text && !problemOf(*text) ? *text : QByteArray());
}

Error JsonStore::load()
{
    const Result<QByteArray> text = readNow();
    const Error problem = text ? problemOf(*text) : text.error();
    if (!problem)
        m_text = *text;
    return problem;
}

QByteArray JsonStore::withUnsaved(QByteArray text) const
{
    for (const Change &change : m_unsaved) {
        if (const Result<QByteArray> changed = change(text))
            text = *changed;
    }
    return text;
}

Error JsonStore::change(const Change &change, const Change &ifNotSaved)
{
    if (m_path.isEmpty())
        return changeInMemory(change);
    bool isRefused = false;
    const Error problem = save(change, &isRefused);
    if (!problem || isRefused || !ifNotSaved)
        return problem;
    if (const Result<QByteArray> changed = change(text()); !changed)
        return changed.error();
    m_unsaved.append(ifNotSaved);
    return problem;
}

Error JsonStore::changeInMemory(const Change &change)
{
    const Result<QByteArray> changed = change(m_text);
    if (!changed)
        return changed.error();
    m_text = *changed;
    return noUserFolder();
}

Error JsonStore::save(const Change &change, bool *isRefused)
{
    if (const Error error = makePrivateFolder(QFileInfo(m_path).absolutePath()))
        return error;
    const FileLock lock(lockPath());
    if (lock.isHeldElsewhere())
        return heldElsewhere(m_path);
    Result<QByteArray> before = readNow();
    if (!before)
        return before.error();
    if (const Error problem = problemOf(*before)) {
        const QString aside = m_path + u".unreadable"_s;
        if (m_form.check || (QFile::remove(aside), !QFile::rename(m_path, aside)))
            return problem;
        before = QByteArray();
    }
    const Result<QByteArray> after = change(withUnsaved(*before));
    *isRefused = !after;
    if (!after)
        return after.error();
    if (*after != *before) {
        if (const Error error = saveFile(m_path, *after, ReadableBy::Owner))
            return error;
    }
    m_text = *after;
    m_unsaved.clear();
    return {};
}

Error JsonStore::append(const QByteArray &line)
{
    if (m_path.isEmpty())
        return noUserFolder();
    if (const Error error = makePrivateFolder(QFileInfo(m_path).absolutePath()))
        return error;
    const FileLock lock(lockPath());
    if (lock.isHeldElsewhere())
        return heldElsewhere(m_path);
    const auto failed = [this](const QString &reason) {
        return Error::local(FilesText::tr("%1 cannot be written: %2.").arg(m_path, reason));
    };
    const QFileInfo info(m_path);
    if (info.isSymLink() || (info.exists() && !info.isFile()))
        return failed(FilesText::tr("not an ordinary file"));
    QFile file(m_path);
    if (!file.open(QIODevice::ReadWrite | QIODevice::Append | QIODevice::Unbuffered,
                   QFileDevice::ReadOwner | QFileDevice::WriteOwner))
        return failed(file.errorString());
    // After a window that was killed, or a disk that was full, in the middle of a line.
    const QByteArray bytes = (endsInMiddleOfLine(file) ? "\n" : "") + line + '\n';
    return file.write(bytes) == bytes.size() ? Error() : failed(file.errorString());
}

Error JsonStore::saveAgain()
{
    return isSaved() ? Error() : change([](const QByteArray &text) { return text; });
}

void JsonStore::follow(const std::function<void()> &changed)
{
    if (m_watch || m_path.isEmpty())
        return;
    m_watch = std::make_unique<Watch>(m_path);
    m_watch->emptied.setSingleShot(true);
    m_watch->emptied.setInterval(EmptiedMs);
    QObject::connect(&m_watch->emptied, &QTimer::timeout, &m_watch->emptied, changed);
    QObject::connect(&m_watch->file, &FileWatch::changed, &m_watch->emptied, [this, changed] {
        const Result<QByteArray> text = readNow();
        if (text && text->trimmed().isEmpty() && !m_text.trimmed().isEmpty()) {
            m_watch->emptied.start();
            return;
        }
        m_watch->emptied.stop();
        changed();
    });
}

QList<json::Value> JsonStore::objectsIn(const QByteArray &lines)
{
    QList<json::Value> objects;
    for (const QByteArray &line : lines.split('\n')) {
        const json::Document document = json::Document::parse(line);
        if (document.isValid() && document.root().isObject())
            objects.append(document.root());
    }
    return objects;
}

QByteArray JsonStore::withMember(const QByteArray &object, QStringView name, const QByteArray &value)
{
    const json::Value before = json::parse(object);
    bool isMissing = !value.isEmpty();
    json::Builder builder;
    builder.beginObject();
    for (const json::Value &member : before) {
        if (member.key() != name)
            builder.rawKey(member.keySlice()).value(member);
        else if (std::exchange(isMissing, false))
            builder.rawMember(name, value);
    }
    if (isMissing)
        builder.rawMember(name, value);
    return builder.endObject().take();
}

}  // namespace sonde
