// SPDX-License-Identifier: Apache-2.0
#include "core/connection/toolmemory.h"

#include "core/client/catalog.h"
#include "core/json/compare.h"
#include "core/protocol/methods.h"
#include "core/protocol/worker.h"

#include <algorithm>
#include <utility>

namespace sonde {

namespace {

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

}  // namespace

ToolRisk riskOf(const ToolAnnotations &annotations)
{
    if (annotations.readOnly.value_or(false))
        return ToolRisk::ReadOnly;
    if (!annotations.destructive.has_value())
        return ToolRisk::Unmarked;
    return *annotations.destructive ? ToolRisk::MayDestroy : ToolRisk::Writes;
}

ToolMemory::ToolMemory(const Catalog *catalog, std::shared_ptr<ToolStore> store, const QString &server, QObject *parent)
    : QObject(parent), m_catalog(catalog), m_store(std::move(store)), m_server(server)
{
    m_save.setSingleShot(true);
    m_save.setInterval(SaveDelayMs);
    connect(&m_save, &QTimer::timeout, this, &ToolMemory::save);
    connect(catalog, &Catalog::changed, this, &ToolMemory::look);
    load();
}

void ToolMemory::load()
{
    if (!m_store) {
        m_isLoaded = true;
        return;
    }
    runOnWorker(
        this, [store = m_store, server = m_server] { return store->read(server); },
        [this, server = m_server](const std::optional<KnownTools> &read) {
            if (server == m_server)
                take(read);
        });
}

ToolMemory::~ToolMemory()
{
    if (m_comparing && m_store) {
        const QSignalBlocker quiet(this);
        take(compared(m_seen, m_known, m_changed));
    }
    if (const KnownTools touched = takeTouched(); !touched.isEmpty())
        m_store->put(m_server, touched);
}

void ToolMemory::setServer(const QString &name)
{
    m_server = name;
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
            continue;  // only the first of a name is known
        names.insert(tool.name);
        const QByteArray definition = tool.value.bytes();
        ToolStore::Tool &before = known[tool.name];
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
    ToolRisk risk = sonde::riskOf(tool.annotations);
    if (!tool.findings.isEmpty()) {  // the server may list the name more than once, and a call has no more than that
        for (const Tool &other : m_catalog->tools())
            risk = other.name == tool.name ? std::max(risk, sonde::riskOf(other.annotations)) : risk;
    }
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
    ToolStore::Tool &known = m_known[tool.name];
    known.allowed = tool.value.bytes();
    if (known.definition.isEmpty())
        known.definition = known.allowed;  // its list has not been compared yet
    learn(tool.name);
}

json::Value ToolMemory::formerDefinition(const Tool &tool) const
{
    const Tool *first = tool.findings.isEmpty() ? nullptr : m_catalog->tool(tool.name);
    if (first && !first->value.isSameNode(tool.value))
        return {};  // only the first of a name is known
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
    if (!m_store)
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
        QThreadPool::globalInstance()->start(
            [store = m_store, server = m_server, touched] { store->put(server, touched); });
}

}  // namespace sonde
