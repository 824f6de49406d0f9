// What a server offers, as a tree of groups.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/client/catalog.h"
#include "core/protocol/extensionresources.h"
#include "ui/theme/theme.h"

#include <QAbstractItemModel>
#include <QHash>
#include <QPixmap>
#include <QSortFilterProxyModel>
#include <functional>
#include <memory>
#include <optional>
#include <variant>

namespace sonde::ui {

// What a tab can show.
struct OfferRef {
    enum class Kind { None, Tool, Resource, Template, Prompt, Info };
    Kind kind = Kind::None;
    QString key;             // tool or prompt name, URI, URI template
    QString savedCall = {};  // of a tool: the file whose arguments and expectations the tab has
    int number = 0;          // of those that the server lists with this key
    bool operator==(const OfferRef &) const = default;
};

// A saved call beside the server's own offering. value: what its file holds.
struct OfferedCall : Entry {
    QString path;
    QString tool;
    QString problem;  // why it cannot be opened here, a sentence; empty: it can
};
// A row that is no entry. id: for whoever acts on it. One that is disabled only says something.
struct OfferAction {
    QString id;
    QString text;
    QString note;
    QString toolTip;
    bool isEnabled = true;
    bool operator==(const OfferAction &) const = default;
};

struct OfferBadge {
    QString text;
    Tone tone = Tone::Neutral;
    QString icon = {};  // drawn in place of the text where names need the room; empty: there is none
};
// The hints of the annotations in order of importance. Only stated hints, except for the default that a tool which is
// stated not to be read-only may be destructive.
QList<OfferBadge> badgesOf(const Tool &tool);
QString kindName(ResourceKind kind);  // empty for one without a meaning of its own

// Two levels: groups and entries. A group's row says if its list failed, is loading or has findings. Entries stay
// listed after the connection is lost; then OfferedRole is false. Two more rows end a group of which the server has
// more. The group of saved calls is there once setSavedCalls() was called, for a server that has tools.
class OfferModel : public QAbstractItemModel {
    Q_OBJECT
public:
    enum Role {
        RefRole = Qt::UserRole + 1,
        BadgeTextRole,
        BadgeToneRole,
        BadgeIconRole,  // its name, where there is one
        NoteRole,
        NoteToneRole,
        VisibleRole,
        OfferedRole,
        HasIconsRole,  // of an entry: one of its group has an icon, so that all leave room for it
        ProblemRole,   // why a tool cannot be called; empty when it can
        IsActionRole,  // the row is no entry: it loads more of them, or has an ActionIdRole
        ActionIdRole,
        RefusalRole  // why a saved call cannot be opened; empty when it can
    };

    explicit OfferModel(QObject *parent = nullptr);
    void setCatalog(Catalog *catalog, const QString &server = {});  // not owned; null for none
    Catalog *catalog() const { return m_catalog; }
    // Says why a tool of the catalog must not be called, empty when it may be. Asked whenever a row is drawn.
    void setCallableCheck(std::function<QString(const Tool &)> whyNotCallable);
    // Which tools have changed since the user saw them; again when that is another answer.
    void setChangedTools(const std::function<bool(const QString &)> &isChanged);
    void setLive(const QStringList &uris);  // resources that are subscribed: they have a mark
    // toolTip: of the group.
    void setSavedCalls(const QList<OfferedCall> &calls, const QList<OfferAction> &actions, const QString &toolTip);
    int savedCallsRow() const { return m_savedCalls ? int(m_groups.size()) - 1 : -1; }  // of their group
    void loadMore(const QModelIndex &action);

    QModelIndex indexOf(const OfferRef &ref) const;  // the first one
    QModelIndex index(int row, int column, const QModelIndex &parent = {}) const override;
    QModelIndex parent(const QModelIndex &child) const override;
    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    Qt::ItemFlags flags(const QModelIndex &index) const override;

    // Whether every word occurs in the server's texts about that entry.
    bool holds(const QModelIndex &index, const QStringList &words) const;
    QString summary() const;  // "19 tools, 7 resources": of the first groups
    void refreshIcons();

Q_SIGNALS:
    void iconsChanged();

private:
    // Shared with the catalog. Texts of entries are made on request, since there may be very many.
    using Entries =
        std::variant<QList<Tool>, QList<Resource>, QList<ResourceTemplate>, QList<Prompt>, QList<OfferedCall>>;
    struct Group {
        QString title;
        std::optional<Catalog::List> list;  // none: saved calls
        Entries entries;
        QList<OfferAction> actions;
        int rows = 0;  // entries and actions; none where that is being changed
        bool hasMore = false;
        bool isLoading = false;
        int size() const;
        const Entry &entry(int row) const;
        OfferRef ref(int row) const;
        QString note(int row) const;
        QString problem(int row) const;  // of a saved call
        QString ownNote;
        Tone noteTone = Tone::Neutral;
        QString toolTip;
        bool visible = false;
        bool isOffered = false;  // now
        bool hasIcons = false;
        QHash<int, int> numbers;  // by row, of keys that were listed before: see OfferRef
        void numberDuplicates();
        mutable QHash<int, QPixmap> icons;  // by row, of those that were drawn
        void lookForIcons(const QString &server);
    };
    void rebuild(Catalog::List list);
    void replace(int row, Group fresh);
    void repaintGroup(Catalog::List list);
    Group build(Catalog::List list) const;
    Group buildSavedCalls() const;
    bool hasTools() const;
    static int rowsInCommon(const Group &before, const Group &after);
    static QVariant dataOf(const Group &group, int role);
    QVariant dataOf(const Group &group, int row, int role) const;
    static QVariant dataOfAction(const Group &group, int action, int role);
    QString problemOf(const Group &group, int row) const;
    OfferBadge badgeOf(const Group &group, int row) const;
    QPointer<Catalog> m_catalog;
    QString m_server;
    std::function<QString(const Tool &)> m_whyNotCallable;
    std::function<bool(const QString &)> m_isChanged;
    QList<Group> m_groups;
    QStringList m_live;
    std::unique_ptr<Group> m_savedCalls;  // as they were set; null until then
};

// Keeps groups with a match. Every word must occur in the name, title or description.
class OfferFilter : public QSortFilterProxyModel {
    Q_OBJECT
public:
    using QSortFilterProxyModel::QSortFilterProxyModel;
    void setWords(const QString &text);
    // Entries, without rows that only load more of them.
    struct Counts {
        int shown = 0;
        int all = 0;
    };
    Counts counts() const;

protected:
    bool filterAcceptsRow(int row, const QModelIndex &parent) const override;

private:
    QStringList m_words;
};

}  // namespace sonde::ui
