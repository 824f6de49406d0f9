// The arguments that a tool, template or prompt was called with last, kept between starts.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/files/jsonstore.h"

#include <QByteArray>
#include <QHash>
#include <QString>
#include <functional>

namespace sonde {

// A line for each call, of which the latest of a place counts; a file that has grown is written anew with what counts
// in it. What is stored comes from withoutSecrets().
class ArgumentStore {
public:
    struct Place {
        QString server;  // by its name in the list
        QString kind;    // "tool", "template", "prompt"
        QString name;
        bool operator==(const Place &) const = default;
    };

    static constexpr qsizetype MaxPlaces = 1000;          // beyond it the oldest are forgotten
    static constexpr qsizetype MaxArguments = 64 * 1024;  // bytes; longer ones are not kept
    static constexpr qint64 MaxFile = 4 * 1024 * 1024;    // bytes; a file that is longer is written anew

    explicit ArgumentStore(const QString &path);  // empty: in memory

    QByteArray recall(const Place &place);  // a JSON object, or empty
    // An Error: they are kept in memory, and written with the next ones that can be.
    Error remember(const Place &place, const QByteArray &arguments);
    Error saveAgain();  // tries now what could not be written
    qsizetype count();  // of the places that have some
    Error forgetAll();
    Error forgetServer(const QString &server);
    Error renameServer(const QString &from, const QString &to);

private:
    struct Entry {
        QByteArray arguments;
        quint64 age = 0;  // larger: younger
        bool isSaved = true;
    };
    using Entries = QHash<Place, Entry>;
    using Change = std::function<void(Entries &)>;

    void load();
    // Makes the change to what the file holds by now, and to what is known here.
    Error rewrite(const Change &change);
    static void read(const QByteArray &text, Entries &entries, quint64 &count);
    static QByteArray linesOf(const Entries &entries);
    static void dropOldest(Entries &entries);

    JsonStore m_file;
    bool m_isLoaded = false;
    quint64 m_count = 0;
    Entries m_entries;
};

inline size_t qHash(const ArgumentStore::Place &place, size_t seed = 0)
{
    return qHashMulti(seed, place.server, place.kind, place.name);
}

}  // namespace sonde
