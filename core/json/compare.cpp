// SPDX-License-Identifier: Apache-2.0
#include "core/json/compare.h"

#include "core/json/decimal.h"

#include <QHash>
#include <vector>

namespace sonde::json {

namespace {

__extension__ using Wide = unsigned __int128;

int compareMagnitudes(const Decimal &left, const Decimal &right)
{
    if (left.size != right.size)
        return left.size < right.size ? -1 : 1;
    if (left.size != Decimal::Size::Finite)
        return 0;
    const qint64 leftPlaces = left.digits.size() + left.exponent;
    const qint64 rightPlaces = right.digits.size() + right.exponent;
    if (leftPlaces != rightPlaces)
        return leftPlaces < rightPlaces ? -1 : 1;
    const int order = left.digits.compare(right.digits);  // no zeros at the end, so the longer one is the larger
    return order < 0 ? -1 : order > 0 ? 1 : 0;
}

quint64 multiplied(quint64 left, quint64 right, quint64 modulus)
{
    return quint64(Wide(left) * right % modulus);
}

quint64 powerOfTen(quint64 exponent, quint64 modulus)
{
    quint64 result = 1 % modulus;
    for (quint64 base = 10 % modulus; exponent != 0; exponent >>= 1) {
        if ((exponent & 1) != 0)
            result = multiplied(result, base, modulus);
        base = multiplied(base, base, modulus);
    }
    return result;
}

QHash<QString, Value> members(const Value &object)
{
    QHash<QString, Value> result;
    result.reserve(object.size());
    for (const Value &member : object)
        result.insert(member.key(), member);
    return result;
}

using Pairs = std::vector<std::pair<Value, Value>>;

// Whether two values may be equal; what remains to be compared goes to the pairs.
bool compareOne(const Value &left, const Value &right, Pairs *pairs)
{
    if (left.kind() != right.kind())
        return false;
    if (left.slice() == right.slice())
        return true;
    switch (left.kind()) {
        case Kind::Missing:
        case Kind::Null:
            return true;
        case Kind::Bool:
            return left.toBool() == right.toBool();
        case Kind::Number:
            return compareNumbers(left.slice(), right.slice()) == 0;
        case Kind::String:
            return left.string() == right.string();
        case Kind::Array: {
            if (left.size() != right.size())
                return false;
            auto other = right.begin();
            for (const Value &element : left) {
                pairs->emplace_back(element, *other);
                ++other;
            }
            return true;
        }
        case Kind::Object: {
            const QHash<QString, Value> mine = members(left);
            const QHash<QString, Value> theirs = members(right);
            if (mine.size() != theirs.size())
                return false;
            for (auto it = mine.begin(); it != mine.end(); ++it) {
                const auto other = theirs.find(it.key());
                if (other == theirs.end())
                    return false;
                pairs->emplace_back(it.value(), other.value());
            }
            return true;
        }
    }
    return false;
}

}  // namespace

int compareNumbers(QByteArrayView left, QByteArrayView right)
{
    const Decimal a = Decimal::fromText(left);
    const Decimal b = Decimal::fromText(right);
    if (a.negative != b.negative)
        return a.negative ? -1 : 1;
    const int order = compareMagnitudes(a, b);
    return a.negative ? -order : order;
}

bool isInteger(QByteArrayView number)
{
    return Decimal::fromText(number).isInteger();
}

std::optional<bool> isMultipleOf(QByteArrayView number, QByteArrayView divisor)
{
    const Decimal a = Decimal::fromText(number);
    const Decimal b = Decimal::fromText(divisor);
    if (b.size == Decimal::Size::Zero)
        return {};
    if (a.size == Decimal::Size::Zero)
        return true;
    constexpr qsizetype maxDigits = 19;  // what fits 64 bits
    if (a.size != Decimal::Size::Finite || b.size != Decimal::Size::Finite || b.digits.size() > maxDigits)
        return {};
    // Digits end in no zero, so none of a lower power of ten can be a multiple of a higher one.
    if (a.exponent < b.exponent)
        return false;
    const quint64 modulus = b.digits.toULongLong();
    quint64 remainder = 0;
    for (const char c : a.digits)
        remainder = quint64((Wide(remainder) * 10 + quint64(c - '0')) % modulus);
    return multiplied(remainder, powerOfTen(quint64(a.exponent - b.exponent), modulus), modulus) == 0;
}

bool equal(const Value &left, const Value &right)
{
    Pairs pairs;
    pairs.emplace_back(left, right);
    while (!pairs.empty()) {
        const auto [a, b] = std::move(pairs.back());
        pairs.pop_back();
        if (!compareOne(a, b, &pairs))
            return false;
    }
    return true;
}

size_t hash(const Value &value)
{
    size_t sum = 0;  // whatever the order: that of members says nothing
    std::vector<Value> rest{value};
    while (!rest.empty()) {
        const Value each = std::move(rest.back());
        rest.pop_back();
        switch (each.kind()) {
            case Kind::Missing:
            case Kind::Null:
            case Kind::Bool:
                sum += qHash(int(each.kind()) * 2 + int(each.toBool()));
                break;
            case Kind::Number:
                sum += qHash(each.toDouble());
                break;
            case Kind::String:
                sum += qHash(each.string());
                break;
            case Kind::Array:
                for (const Value &element : each)
                    rest.push_back(element);
                break;
            case Kind::Object: {
                const QHash<QString, Value> mine = members(each);
                for (auto it = mine.begin(); it != mine.end(); ++it) {
                    sum += qHash(it.key());
                    rest.push_back(it.value());
                }
                break;
            }
        }
    }
    return sum;
}

}  // namespace sonde::json
