// An immutable view of received JSON: the bytes as they came, and a flat array of nodes that point into them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QByteArrayView>
#include <QList>
#include <QString>
#include <QStringView>
#include <memory>
#include <optional>

namespace sonde::json {

enum class Kind : quint8 { Missing, Null, Bool, Number, String, Array, Object };

struct Limits {
    int maxDepth = 1024;                      // containers within containers
    qsizetype maxBytes = qsizetype(1) << 32;  // longer input is refused with a finding, not parsed
    int maxFindings = 100;                    // further ones are counted, not kept
};

// A finding about the text. Errors break RFC 8259; warnings are legal but lose data in most parsers.
struct Finding {
    enum class Severity : quint8 { Warning, Error };
    Severity severity = Severity::Error;
    qsizetype offset = 0;  // bytes from the start of the text
    QString reason;        // a sentence for people
    bool operator==(const Finding &) const = default;
};

class Value;
struct DocumentData;

// Parsed text. Cheap to copy (shared), immutable, safe to read from several threads.
//
// Keeps what other trees lose: key order, duplicate keys, the text of every number, escapes as they were written.
// Never recurses on input. A text with errors still has a tree: everything read up to and around the fault.
class Document {
public:
    Document();
    Document(const Document &);
    Document(Document &&) noexcept;
    Document &operator=(const Document &);
    Document &operator=(Document &&) noexcept;
    ~Document();

    // Strict RFC 8259 over UTF-8. Never fails: what is wrong is in findings(), in the order of the text.
    // Where a text is broken, unquoted words read as strings and numbers of a bad form as numbers; containers deeper
    // than the limit are in the tree with their slice, but without children.
    static Document parse(const QByteArray &text, const Limits &limits = {});

    bool isValid() const;  // parsed, and no finding is an error
    bool isNull() const;   // default constructed
    Value root() const;    // Missing when the text holds no value at all
    const QByteArray &text() const;
    const QList<Finding> &findings() const;
    qsizetype nodeCount() const;

private:
    friend class Value;
    explicit Document(std::shared_ptr<const DocumentData> data);
    std::shared_ptr<const DocumentData> m_data;
};

// One node of a Document. A handle: cheap to copy, keeps its document alive.
// Every accessor may be called on any kind; the wrong kind answers with an empty or default value.
class Value {
public:
    Value() = default;  // Kind::Missing

    Kind kind() const;
    bool exists() const { return kind() != Kind::Missing; }
    bool isNull() const { return kind() == Kind::Null; }
    bool isBool() const { return kind() == Kind::Bool; }
    bool isNumber() const { return kind() == Kind::Number; }
    bool isString() const { return kind() == Kind::String; }
    bool isArray() const { return kind() == Kind::Array; }
    bool isObject() const { return kind() == Kind::Object; }
    bool isContainer() const { return isArray() || isObject(); }

    bool toBool(bool fallback = false) const;
    QString string(const QString &fallback = {}) const;  // decoded; lone surrogates are kept as they are
    QByteArray utf8() const;                             // the same in UTF-8, without holding it twice
    QByteArray numberText() const;                       // as written
    double toDouble(double fallback = 0) const;
    // The exact integer when the number is one within qint64, also when written as 1.0 or 1e2.
    std::optional<qint64> toInteger() const;

    // Children of an array or object, in the order of the text. at() walks: use iteration for loops.
    qsizetype size() const;
    bool isEmpty() const { return size() == 0; }
    Value at(qsizetype index) const;
    // The member of that name; the last one where a name occurs twice, as most programs read it.
    Value operator[](QStringView key) const;
    bool contains(QStringView key) const { return (*this)[key].exists(); }

    // Set for members of objects.
    QString key() const;
    QByteArrayView keySlice() const;  // with its quotes, as written

    QByteArrayView slice() const;  // the value's exact bytes within document().text()
    QByteArray bytes() const;      // the same, as a copy that lives on its own
    qsizetype offset() const;      // of slice() in the text
    const Document &document() const { return m_document; }

    class Iterator {
    public:
        Iterator() = default;
        Value operator*() const;
        Iterator &operator++();
        bool operator==(const Iterator &other) const { return m_index == other.m_index; }

    private:
        friend class Value;
        Iterator(const DocumentData *data, quint32 index) : m_data(data), m_index(index) {}
        const DocumentData *m_data = nullptr;
        quint32 m_index = 0;
    };
    // Some handle to the document must outlive its iterators; the value itself may be a temporary.
    Iterator begin() const;
    Iterator end() const;

    // Same node of the same document (not equality of contents: see compare.h).
    bool isSameNode(const Value &other) const;

private:
    friend class Document;
    friend class Iterator;
    Value(Document document, quint32 index) : m_document(std::move(document)), m_index(index) {}
    Document m_document;
    quint32 m_index = 0;
};

// Convenience for texts that are known to be good: tests, constants, our own output.
Value parse(const QByteArray &text);

}  // namespace sonde::json
