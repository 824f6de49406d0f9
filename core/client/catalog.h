// What a server offers: tools, resources, resource templates, prompts.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/client/cachehint.h"
#include "core/client/client.h"
#include "core/protocol/methods.h"
#include "core/protocol/types.h"

#include <array>
#include <functional>

namespace sonde {

// Fetches each list with a PagedFetch: all pages, or page by page. Refreshes on list_changed with at most one refresh
// in flight and one more waiting, at least a second apart. The lists are independent: one that fails or hangs never
// hides another. A list keeps its old entries while it refreshes and when a refresh fails; when the first load or a
// further page fails, the pages that did come are kept. One that got no response in time, as in the middle of a flood,
// is asked for again by itself: three times, at growing distances.
class Catalog : public QObject {
    Q_OBJECT
public:
    enum class List { Tools, Resources, ResourceTemplates, Prompts };
    Q_ENUM(List)
    // What the protocol calls a list and its parts.
    struct ListInfo {
        List list;
        QStringView method;
        QStringView member;      // of the result
        QStringView capability;  // that offers it
        QStringView changed;     // the notification that it is out of date
        QStringView identity;    // the member of an entry that must be unique
    };
    static constexpr std::array<ListInfo, 4> Lists{{
        {List::Tools, methods::ListTools, u"tools", u"tools", methods::ToolsChanged, u"name"},
        {List::Resources, methods::ListResources, u"resources", u"resources", methods::ResourcesChanged, u"uri"},
        {List::ResourceTemplates, methods::ListResourceTemplates, u"resourceTemplates", u"resources",
         methods::ResourcesChanged, u"uriTemplate"},
        {List::Prompts, methods::ListPrompts, u"prompts", u"prompts", methods::PromptsChanged, u"name"},
    }};
    static constexpr const ListInfo &info(List list) { return Lists[size_t(list)]; }
    enum class State { NotOffered, Loading, Ready, Failed };
    Q_ENUM(State)

    struct Status {
        State state = State::NotOffered;
        Error error;           // why it failed
        QStringList findings;  // -32601 for a declared capability, looped pages, duplicate names …
        int pages = 0;
        std::optional<CacheHint> cache;  // for all pages; nothing where one of them has none
        bool hasMore = false;            // pages that were not loaded: see loadMore()
        bool isNotImplemented = false;   // Ready, and empty: the server answered its method with -32601
    };

    explicit Catalog(Client *client, QObject *parent = nullptr);
    ~Catalog() override;

    // Loads what the capabilities declare (resources brings templates); the rest is NotOffered. Old entries go.
    void load(const json::Value &capabilities);
    // What a recorded session lists, for a catalog without a client. The list is Ready.
    void restore(List list, const QList<json::Value> &entries);
    // The connection is gone: every list is NotOffered, and keeps the entries it had until the next load().
    void suspend();
    // Also for a list that is not offered: asking anyway is a person's right.
    void refresh(List list);
    void refreshUnlessFresh(List list);
    void refreshThen(List list, std::function<void()> done);  // as many pages as there are; also when it fails
    // From the next load or refresh on, only the first page is fetched.
    void setPageByPage(bool isPageByPage);
    enum class Extent { NextPage, AllPages };
    // Adds further pages to a list that has more and is not being loaded. If one fails, it can be tried again, except
    // when the server refused the cursor.
    void loadMore(List list, Extent extent);
    void setListTimeout(std::chrono::milliseconds timeout);       // for one page; 30 s
    void setRefreshInterval(std::chrono::milliseconds interval);  // between the starts of two refreshes; 1 s
    // After no response in time until it is asked for again; 5 s, and three times as long each time after that.
    void setRetryInterval(std::chrono::milliseconds interval);
    void setMaxRetries(int count);  // 3

    const QList<Tool> &tools() const { return m_tools; }
    const QList<Resource> &resources() const { return m_resources; }
    const QList<ResourceTemplate> &resourceTemplates() const { return m_templates; }
    const QList<Prompt> &prompts() const { return m_prompts; }
    qsizetype count(List list) const;                                                // of entries
    void forEach(List list, const std::function<void(const Entry &)> &visit) const;  // in the order of the list
    const Status &status(List list) const;
    bool isLoading() const;
    // A server may list a name more than once. number: which of them, from 0; the last one where there are fewer.
    const Tool *tool(QStringView name, int number = 0) const;
    const Prompt *prompt(QStringView name, int number = 0) const;
    const Resource *resource(QStringView uri, int number = 0) const;
    const ResourceTemplate *resourceTemplate(QStringView uriTemplate, int number = 0) const;

Q_SIGNALS:
    void changed(sonde::Catalog::List list);  // entries or status
    void loaded();                            // all lists of load() are Ready, Failed or NotOffered

private:
    class Private;
    std::unique_ptr<Private> d;
    QList<Tool> m_tools;
    QList<Resource> m_resources;
    QList<ResourceTemplate> m_templates;
    QList<Prompt> m_prompts;
};

}  // namespace sonde
