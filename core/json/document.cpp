// SPDX-License-Identifier: Apache-2.0
#include "core/json/document.h"

#include "core/json/compare.h"
#include "core/json/decimal.h"
#include "core/json/documentdata.h"
#include "core/json/parser.h"
#include "core/json/scan.h"
#include "core/json/stringcodec.h"

#include <algorithm>
#include <charconv>
#include <new>

namespace sonde::json {

void Nodes::reallocate(quint32 capacity)
{
    if (capacity == 0) {
        std::free(m_nodes);
        m_nodes = nullptr;
    } else {
        void *const memory = std::realloc(static_cast<void *>(m_nodes), capacity * sizeof(Node));
        Q_CHECK_PTR(memory);
        m_nodes = static_cast<Node *>(memory);
    }
    m_capacity = capacity;
}

QByteArrayView DocumentData::slice(const Node &node) const
{
    return QByteArrayView(text).sliced(node.offset, node.end - node.offset);
}

QByteArrayView DocumentData::keySlice(const Node &node) const
{
    if (node.keyOffset == 0)
        return {};
    const QByteArrayView rest = QByteArrayView(text).sliced(node.keyOffset);
    if (node.keyLength != Node::LongKey)
        return rest.first(node.keyLength);
    const char *const end = *rest.begin() == '"' ? endOfString(rest.begin(), rest.end())  //
                                                 : endOfWord(rest.begin(), rest.end());
    return rest.first(end - rest.begin());
}

QString DocumentData::key(const Node &node) const
{
    const QByteArrayView written = keySlice(node);
    if ((node.flags & Node::IndirectKey) != 0 || written.size() < 2)
        return decoded(written);
    return fromUtf8(written.sliced(1, written.size() - 2));
}

Document::Document() = default;
Document::Document(const Document &) = default;
Document::Document(Document &&) noexcept = default;
Document &Document::operator=(const Document &) = default;
Document &Document::operator=(Document &&) noexcept = default;
Document::~Document() = default;

Document::Document(std::shared_ptr<const DocumentData> data) : m_data(std::move(data)) {}

Document Document::parse(const QByteArray &text, const Limits &limits)
{
    const auto data = std::make_shared<DocumentData>();
    data->text = text;
    parseInto(*data, limits);
    return Document(data);
}

bool Document::isValid() const
{
    return m_data && m_data->valid;
}

bool Document::isNull() const
{
    return !m_data;
}

Value Document::root() const
{
    return nodeCount() == 0 ? Value() : Value(*this, 0);
}

const QByteArray &Document::text() const
{
    static const QByteArray none;
    return m_data ? m_data->text : none;
}

const QList<Finding> &Document::findings() const
{
    static const QList<Finding> none;
    return m_data ? m_data->findings : none;
}

qsizetype Document::nodeCount() const
{
    return m_data ? m_data->nodes.size() : 0;
}

Kind Value::kind() const
{
    return m_document.m_data ? m_document.m_data->nodes[m_index].kind : Kind::Missing;
}

bool Value::toBool(bool fallback) const
{
    return isBool() ? slice().startsWith('t') : fallback;
}

QString Value::string(const QString &fallback) const
{
    if (!isString())
        return fallback;
    const QByteArrayView written = slice();
    if ((m_document.m_data->nodes[m_index].flags & Node::Indirect) != 0)
        return decoded(written);
    return fromUtf8(written.sliced(1, written.size() - 2));
}

QByteArray Value::utf8() const
{
    if (!isString())
        return {};
    const QByteArrayView written = slice();
    QByteArray text;
    text.reserve(written.size());
    for (StringReader reader(written); !reader.atEnd();)
        text.append(wellFormed(reader.next()).toUtf8());  // Qt would write "?"
    return text;
}

QByteArray Value::numberText() const
{
    return isNumber() ? bytes() : QByteArray();
}

double Value::toDouble(double fallback) const
{
    if (!isNumber())
        return fallback;
    const QByteArrayView text = slice();
    double number = 0;
    const auto [end, problem] = std::from_chars(text.begin(), text.end(), number);
    if (problem == std::errc::invalid_argument)
        return fallback;
    if (problem == std::errc::result_out_of_range) {
        // from_chars() does not say on which side; a double cannot hold more than either of these.
        number = compareNumbers(text.startsWith('-') ? text.sliced(1) : text, "1") > 0
                     ? std::numeric_limits<double>::infinity()
                     : 0.0;
        return text.startsWith('-') ? -number : number;
    }
    return number;
}

std::optional<qint64> Value::toInteger() const
{
    if (!isNumber())
        return {};
    const QByteArrayView text = slice();
    qint64 number = 0;
    const auto [end, problem] = std::from_chars(text.begin(), text.end(), number);
    if (problem == std::errc() && end == text.end())
        return number;
    return Decimal::fromText(text).toInteger();
}

qsizetype Value::size() const
{
    return m_document.m_data ? m_document.m_data->nodes[m_index].size : 0;
}

Value Value::at(qsizetype index) const
{
    if (index < 0 || index >= size())
        return {};
    const Nodes &nodes = m_document.m_data->nodes;
    quint32 node = m_index + 1;
    for (; index > 0; --index)
        node = nodes[node].next;
    return Value(m_document, node);
}

Value Value::operator[](QStringView key) const
{
    if (!isObject() || isEmpty())
        return {};
    const DocumentData &data = *m_document.m_data;
    // Half a surrogate pair has no UTF-8; only a key with an escape can hold one.
    const bool isAscii = QtPrivate::isAscii(key);
    const bool hasUtf8 = isAscii || key.isValidUtf16();
    const QByteArray wanted = isAscii ? QByteArray() : key.toUtf8();
    const auto isWanted = [&](QByteArrayView written) {
        return isAscii
                   ? written.size() == key.size() && std::equal(written.begin(), written.end(), key.utf16(),
                                                                [](char c, char16_t unit) { return uchar(c) == unit; })
                   : hasUtf8 && written == wanted;
    };
    quint32 found = 0;
    for (quint32 index = m_index + 1; index != 0; index = data.nodes[index].next) {
        const Node &node = data.nodes[index];
        const QByteArrayView written = data.keySlice(node);
        const bool matches = (node.flags & Node::IndirectKey) != 0 ? decoded(written) == key
                                                                   : isWanted(written.sliced(1, written.size() - 2));
        if (matches)
            found = index;
    }
    return found != 0 ? Value(m_document, found) : Value();
}

QString Value::key() const
{
    return m_document.m_data ? m_document.m_data->key(m_document.m_data->nodes[m_index]) : QString();
}

QByteArrayView Value::keySlice() const
{
    return m_document.m_data ? m_document.m_data->keySlice(m_document.m_data->nodes[m_index]) : QByteArrayView();
}

QByteArrayView Value::slice() const
{
    return m_document.m_data ? m_document.m_data->slice(m_document.m_data->nodes[m_index]) : QByteArrayView();
}

QByteArray Value::bytes() const
{
    return slice().toByteArray();
}

qsizetype Value::offset() const
{
    return m_document.m_data ? m_document.m_data->nodes[m_index].offset : 0;
}

Value Value::Iterator::operator*() const
{
    return Value(Document(m_data->shared_from_this()), m_index);
}

Value::Iterator &Value::Iterator::operator++()
{
    m_index = m_data->nodes[m_index].next;
    return *this;
}

Value::Iterator Value::begin() const
{
    return isEmpty() ? end() : Iterator(m_document.m_data.get(), m_index + 1);
}

// No child is ever the root, so its index serves as the end.
Value::Iterator Value::end() const
{
    return Iterator(m_document.m_data.get(), 0);
}

bool Value::isSameNode(const Value &other) const
{
    return exists() && m_document.m_data == other.m_document.m_data && m_index == other.m_index;
}

Value parse(const QByteArray &text)
{
    return Document::parse(text).root();
}

}  // namespace sonde::json
