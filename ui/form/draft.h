// The arguments while they are edited: a JSON value that changes in place and keeps every untouched byte.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/document.h"
#include "core/json/pointer.h"
#include "ui/form/draftitems.h"

#include <QByteArray>
#include <QByteArrayList>
#include <QList>
#include <QSet>
#include <QString>
#include <QStringList>
#include <functional>
#include <memory>

namespace sonde::ui {

// One place of the value. The draft is the single source of truth of a form: widgets show it and write edits to it, so
// an untouched place returns the bytes it was loaded with, whether it is shown or not.
//
// An omitted place still exists here (its parent keeps it separately), so that its field can restore it. Children are
// created on request; until then a container is only its bytes.
//
// A new row without a value is blank: it has its place among the items or members of its parent and is not sent.
class Draft : public std::enable_shared_from_this<Draft> {
public:
    using Ptr = std::shared_ptr<Draft>;

    Draft() = default;
    ~Draft() { detachChildren(); }
    Q_DISABLE_COPY_MOVE(Draft)

    // `json` is valid JSON without insignificant white space; empty: omitted.
    static Ptr make(const QByteArray &json = {});

    bool isPresent() const { return m_present; }
    bool hasBytes() const;     // also of a place that is not sent now but was
    json::Kind kind() const;   // Missing when not sent
    QByteArray bytes() const;  // the JSON text of this place; empty when not sent
    qsizetype size() const;    // of bytes()
    // bytes() for a worker: what is long is shared with it. May be called once this place is gone.
    std::function<QByteArray()> lateBytes() const;
    json::Value value() const;
    json::Pointer pointer() const;
    Draft *parent() const { return m_parent; }
    bool isItem() const { return m_parent && m_parent->m_isArray; }
    bool isDeclared() const;  // a member that its parent has an order for
    bool isBlank() const;

    void assign(const QByteArray &json);  // replaces everything here; the place and all above it are sent
    void retract();                       // not sent; remembers its bytes for restore()
    void makeBlank();                     // the same, but it keeps its place among its parent's items or members
    void restore();                       // sent again with the bytes it had
    // Becomes this value, whose text has no insignificant white space, by changing as few places as possible: those
    // returned. What is the same stays the same Draft.
    QList<Ptr> become(const json::Value &value);

    // Object. Also for an omitted place: it is then sent as soon as a member is.
    Ptr member(const QString &name);  // the last of that name, as most programs read it
    Ptr existingMember(const QString &name) const;
    QList<Ptr> members() const;                                   // those sent, in that order, and blank ones
    void setOrder(const QStringList &names) { m_order = names; }  // where new members go
    Ptr appendMember(const QString &name, const QByteArray &json);
    QString name() const { return m_name; }
    void rename(const QString &name);  // a member; keeps its position

    // Array. Empty json: blank, which does not send the array either. An item is a place of its own once it was asked
    // for. Rows are all items, blank ones, too.
    QList<Ptr> items() const { return members(); }
    qsizetype itemCount() const;
    Ptr item(qsizetype row) const;
    qsizetype rowOf(qsizetype index) const;  // of an item that is sent; -1: there is none
    QSet<qsizetype> blankRows() const;
    qsizetype indexOf(const Draft *child) const;  // among those sent
    Ptr insertItem(qsizetype index, const QByteArray &json);
    void insertItems(qsizetype index, const QByteArrayList &jsons);  // into an array that is sent
    void moveItem(qsizetype from, qsizetype to);
    void remove(const Ptr &child);  // a member or an item, for good

    // Everything that one place holds, to be put back.
    struct State {
        bool isPresent = false;
        bool isBlank = false;
        QByteArray bytes;  // also of what is not sent
        struct Blank {
            QStringList path;  // of what lists it, from this place
            qsizetype index = 0;
            QString name;  // of a member
        };
        QList<Blank> blanks;  // within, in order
    };
    State state() const;
    void setState(const State &state);
    // Where a place is, blank or not: an index or a name for each level.
    QStringList path() const;
    Ptr at(const QStringList &path);  // null: there is none any more
    // At the root: called with each place just before it changes. A change of what a container lists is its own.
    void setObserver(const std::function<void(Draft *)> &observer) { m_observer = observer; }

private:
    void announce();
    static Ptr makeChild(Draft *parent, const QString &name, const QByteArray &json);
    Ptr childOf(const json::Value &value) const;
    DraftItems::Make makeItem() const;
    QByteArray text() const;  // sent or not
    QByteArrayView written() const { return m_value.exists() ? m_value.slice() : QByteArrayView(m_bytes); }
    void setText(const QByteArray &json) const;
    void setText(const json::Value &value) const;
    void replace(const std::function<void()> &setText);
    void open() const;
    struct Piece {
        QByteArray bytes;
        json::Value source;  // where that is long: the piece is a part of it
        qsizetype from = 0;
        qsizetype size = 0;
    };
    void addPieces(QList<Piece> *pieces) const;
    static QByteArray joined(const QList<Piece> &pieces);
    void attach(Draft *child);
    void makePresent();
    void detachChildren();
    void touch();
    qsizetype positionFor(const QString &name) const;
    QList<Ptr> becomeObject(const json::Value &value);
    QList<Ptr> becomeList(const json::Value &value);
    struct Common {
        qsizetype rows = 0;   // at one end of this list, blank ones, too
        qsizetype items = 0;  // the same, without these
        qsizetype bytes = 0;  // of the other list, with a comma for each
    };
    Common commonStart(QByteArrayView items) const;
    Common commonEnd(QByteArrayView items, const QList<DraftItems::Part> &parts) const;

    Draft *m_parent = nullptr;
    QString m_name;
    QByteArray m_key;  // the name as it was written, with quotes
    bool m_present = false;
    // Opening a container changes how it is stored, not its value.
    mutable QByteArray m_bytes;   // valid while m_clean; null while only m_value has it
    mutable json::Value m_value;  // the same as it was read, where it is long
    mutable bool m_clean = true;
    mutable bool m_opened = false;
    mutable bool m_isContainer = false;  // once opened; a scalar that was opened stays one
    mutable bool m_isArray = false;
    std::function<void(Draft *)> m_observer;
    mutable DraftItems m_items;     // of an array, in order
    mutable QList<Ptr> m_children;  // members that are sent, in order
    mutable QList<Ptr> m_parked;    // members that are not
    QStringList m_order;
};

}  // namespace sonde::ui
