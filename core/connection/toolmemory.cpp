// SPDX-License-Identifier: Apache-2.0
#include "core/connection/toolmemory.h"

#include "core/client/catalog.h"
#include "core/files/filelimits.h"
#include "core/files/filelock.h"
#include "core/files/readfile.h"
#include "core/files/savefile.h"
#include "core/files/userfolder.h"
#include "core/json/builder.h"
#include "core/json/compare.h"
#include "core/protocol/methods.h"
#include "core/protocol/worker.h"

#include <QCryptographicHash>
#include <QFile>
#include <QFileInfo>
#include <QSaveFile>

#include <utility>

using namespace Qt::StringLiterals;

namespace sonde {

namespace {

constexpr qsizetype MaxDefinition = 256 * 1024;  // of one tool; a longer one is not kept
constexpr int SaveDelayMs = 1000;

ToolRisk riskOf(const json::Value &definition)
{
    const json::Value annotations = definition[u"annotations"];
    const auto hint = [&annotations](QStringView name) {
        return annotations[name].isBool() ? std::optional(annotations[name].toBool()) : std::nullopt;
    };
    return sonde::riskOf(ToolAnnotations{hint(u"readOnlyHint"), hint(u"destructiveHint"), {}, {}});
}

// A server may write the same in another order of members.
bool isSame(const QByteArray &a, const QByteArray &b)
{
    return a == b || json::equal(json::parse(a), json::parse(b));
}

// One for all servers: a server may get the name of another.
QString lockOf(const QString &path)
{
    return QFileInfo(path).absolutePath() + u"/.lock"_s;
}

}  // namespace

ToolRisk riskOf(const ToolAnnotations &annotations)
{
    if (annotations.readOnly.value_or(false))
        return ToolRisk::ReadOnly;
    if (!annotations.destructive.has_value())
        return ToolRisk::Unmarked;
    return *annotations.destructive ? ToolRisk::MayDestroy : ToolRisk::Writes;
}

ToolMemory::ToolMemory(const Catalog *catalog, const QString &path, QObject *parent)
    : QObject(parent), m_catalog(catalog), m_path(path)
{
    m_save.setSingleShot(true);
    m_save.setInterval(SaveDelayMs);
    connect(&m_save, &QTimer::timeout, this, &ToolMemory::save);
    connect(catalog, &Catalog::changed, this, &ToolMemory::look);
    load();
}

void ToolMemory::load()
{
    if (m_path.isEmpty()) {
        m_isLoaded = true;
        return;
    }
    runOnWorker(
        this, [path = m_path] { return readFile(path); },
        [this, path = m_path](const std::optional<KnownTools> &read) {
            if (path == m_path)
                take(read);
        });
}

ToolMemory::~ToolMemory()
{
    if (m_comparing && !m_path.isEmpty()) {
        const QSignalBlocker quiet(this);
        take(compared(m_seen, m_known, m_changed));
    }
    if (const KnownTools touched = takeTouched(); !touched.isEmpty())
        writeFile(m_path, touched);
}

QString ToolMemory::pathFor(const QString &server)
{
    const QString folder = userFolder(UserFolder::Data);
    const QByteArray name = QCryptographicHash::hash(server.toUtf8(), QCryptographicHash::Sha256).toHex();
    return folder.isEmpty() ? QString() : folder + u"/tools/"_s + QString::fromLatin1(name) + u".json"_s;
}

void ToolMemory::forget(const QString &server)
{
    const QString path = pathFor(server);
    if (path.isEmpty() || !QFileInfo::exists(path))
        return;
    const FileLock lock(lockOf(path));
    QFile::remove(path);
}

void ToolMemory::rename(const QString &from, const QString &to)
{
    const QString path = pathFor(to);
    if (path.isEmpty() || !QFileInfo(QFileInfo(path).path()).isDir())
        return;
    const FileLock lock(lockOf(path));
    QFile::remove(path);  // of one that had this name before
    QFile::rename(pathFor(from), path);
}

void ToolMemory::setPath(const QString &path)
{
    m_path = path;
    if (!m_isLoaded)
        load();
}

void ToolMemory::take(const std::optional<KnownTools> &read)
{
    m_isLoaded = true;
    m_known = read.value_or(KnownTools());
    look();
}

// Almost always the list is what it was.
void ToolMemory::look()
{
    const QList<Tool> &tools = m_catalog->tools();
    if (!m_isLoaded || tools.isEmpty() || tools.constData() == m_seen.constData() ||
        m_catalog->status(Catalog::List::Tools).state != Catalog::State::Ready)
        return;
    m_seen = tools;
    compare();
}

// Instead of a comparison that is not done yet: the list or what is known has changed.
void ToolMemory::compare()
{
    delete m_comparing;
    m_comparing = runOnWorker(
        this, [tools = m_seen, known = m_known, changed = m_changed] { return compared(tools, known, changed); },
        [this](const std::optional<Comparison> &comparison) { take(comparison); });
}

ToolMemory::Comparison ToolMemory::compared(const QList<Tool> &tools, KnownTools known, QSet<QString> changed)
{
    Comparison result;
    QSet<QString> names;
    for (const Tool &tool : tools) {
        if (names.contains(tool.name))
            continue;  // the first of a name is the one that is called
        names.insert(tool.name);
        const QByteArray definition = tool.value.bytes();
        Known &before = known[tool.name];
        if (before.definition.isEmpty()) {
            before.definition = definition;
            result.added.append(tool.name);
        } else if (isSame(before.definition, definition)) {
            changed.remove(tool.name);  // it may be again what it was
        } else {
            changed.insert(tool.name);
        }
    }
    if (!result.added.isEmpty())
        result.known = std::move(known);
    result.changed = std::move(changed);
    return result;
}

void ToolMemory::take(const std::optional<Comparison> &comparison)
{
    m_comparing.clear();
    if (!comparison)
        return;  // not enough memory
    const bool hasAdded = !comparison->added.isEmpty();
    const bool isDifferent = hasAdded || comparison->changed != m_changed;
    m_changed = comparison->changed;
    if (hasAdded) {
        m_known = comparison->known;
        touch(comparison->added);
    }
    if (isDifferent)
        Q_EMIT changed();
}

bool ToolMemory::asks(const Tool &tool) const
{
    const QByteArray definition = tool.value.bytes();
    const auto allows = [&definition](const QByteArray &allowed) {
        return !allowed.isEmpty() && isSame(allowed, definition);
    };
    if (allows(m_session.value(tool.name)) || allows(m_known.value(tool.name).allowed))
        return false;
    const ToolRisk risk = sonde::riskOf(tool.annotations);
    // What was harmless once may have become something else.
    if (const json::Value former = formerDefinition(tool); former.exists() && risk > riskOf(former))
        return true;
    return risk == ToolRisk::MayDestroy || (risk == ToolRisk::Unmarked && m_asksUnmarked);
}

const Tool *ToolMemory::askedFor(const json::Value &message) const
{
    if (message.isArray()) {
        for (const json::Value &element : message) {
            if (const Tool *tool = askedFor(element))
                return tool;
        }
        return nullptr;
    }
    if (message[u"method"].string() != methods::CallTool)
        return nullptr;
    const Tool *tool = m_catalog->tool(message[u"params"][u"name"].string());
    return tool && asks(*tool) ? tool : nullptr;
}

void ToolMemory::allowForSession(const Tool &tool)
{
    m_session.insert(tool.name, tool.value.bytes());
}

void ToolMemory::allowAlways(const Tool &tool)
{
    Known &known = m_known[tool.name];
    known.allowed = tool.value.bytes();
    if (known.definition.isEmpty())
        known.definition = known.allowed;  // its list has not been compared yet
    learn(tool.name);
}

json::Value ToolMemory::formerDefinition(const Tool &tool) const
{
    const QByteArray former = m_known.value(tool.name).definition;
    return former.isEmpty() || isSame(former, tool.value.bytes()) ? json::Value() : json::parse(former);
}

void ToolMemory::accept(const Tool &tool)
{
    if (!formerDefinition(tool).exists())
        return;
    m_changed.remove(tool.name);
    m_known[tool.name].definition = tool.value.bytes();
    learn(tool.name);
    Q_EMIT changed();
}

void ToolMemory::learn(const QString &tool)
{
    touch({tool});
    if (m_comparing)
        compare();
}

void ToolMemory::touch(const QStringList &tools)
{
    if (m_path.isEmpty())
        return;
    for (const QString &tool : tools)
        m_touched.insert(tool);
    m_save.start();
}

ToolMemory::KnownTools ToolMemory::takeTouched()
{
    const QSet<QString> names = std::exchange(m_touched, {});
    KnownTools touched;
    for (const QString &tool : names)
        touched.insert(tool, m_known.value(tool));
    return touched;
}

void ToolMemory::save()
{
    if (const KnownTools touched = takeTouched(); !touched.isEmpty())
        QThreadPool::globalInstance()->start([path = m_path, touched] { writeFile(path, touched); });
}

ToolMemory::KnownTools ToolMemory::readFile(const QString &path)
{
    KnownTools tools;
    const Result<QByteArray> text = sonde::readFile(path, filelimits::Tools);
    if (!text)
        return tools;
    const json::Document document = json::Document::parse(*text);
    for (const json::Value &tool : document.root()[u"tools"]) {
        const QByteArray definition = tool[u"definition"].bytes();
        const QByteArray allowed = tool[u"isAllowed"].toBool() ? definition : tool[u"allowed"].bytes();
        tools.insert(tool.key(), {definition, allowed});
    }
    return tools;
}

// What another window has learned of other tools stays.
void ToolMemory::writeFile(const QString &path, const KnownTools &touched)
{
    if (makePrivateFolder(QFileInfo(path).absolutePath()))
        return;  // it is asked again next time
    const FileLock lock(lockOf(path));
    KnownTools tools = readFile(path);
    tools.insert(touched);
    json::Builder builder;
    builder.beginObject().key(u"tools").beginObject();
    qsizetype left = filelimits::Tools / 2;  // so that names and marks fit as well
    for (auto tool = tools.cbegin(); tool != tools.cend(); ++tool) {
        left -= tool->definition.size() + tool->allowed.size() + tool.key().size();
        if (left < 0)
            break;
        if (tool->definition.size() > MaxDefinition)
            continue;
        builder.key(tool.key()).beginObject().rawMember(u"definition", tool->definition);
        if (tool->allowed == tool->definition)
            builder.rawMember(u"isAllowed", "true");
        else if (!tool->allowed.isEmpty() && tool->allowed.size() <= MaxDefinition)
            builder.rawMember(u"allowed", tool->allowed);
        builder.endObject();
    }
    builder.endObject().endObject();
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly))
        return;
    file.setPermissions(QFileDevice::ReadOwner | QFileDevice::WriteOwner);
    file.write(builder.take());
    (void)commitFile(file);
}

}  // namespace sonde
