// SPDX-License-Identifier: Apache-2.0
#include "core/json/decimal.h"

#include <limits>

namespace sonde::json {

namespace {

// Leaves room to add the number of digits without overflow.
constexpr qint64 Beyond = std::numeric_limits<qint64>::max() / 4;

qint64 readExponent(QByteArrayView text)
{
    qint64 exponent = 0;
    bool negative = false;
    for (const char c : text) {
        if (c == '-')
            negative = true;
        else if (c >= '0' && c <= '9')
            exponent = exponent >= Beyond / 10 ? Beyond : exponent * 10 + (c - '0');
    }
    return negative ? -exponent : exponent;
}

}  // namespace

Decimal Decimal::fromText(QByteArrayView number)
{
    Decimal decimal;
    qint64 zeros = 0;  // held back until a digit follows them
    bool fraction = false;
    for (qsizetype i = 0; i < number.size(); ++i) {
        const char c = number[i];
        if (c == '-') {
            decimal.negative = true;
        } else if (c == '.') {
            fraction = true;
        } else if (c == 'e' || c == 'E') {
            decimal.exponent += readExponent(number.sliced(i + 1));
            break;
        } else if (c >= '0' && c <= '9') {
            if (fraction)
                --decimal.exponent;
            if (c == '0') {
                ++zeros;
                continue;
            }
            if (!decimal.digits.isEmpty())
                decimal.digits.append(zeros, '0');
            zeros = 0;
            decimal.digits.append(c);
        }
    }
    if (decimal.digits.isEmpty())
        return {};
    decimal.exponent += zeros;
    if (decimal.exponent >= Beyond / 2)
        decimal.size = Size::Huge;
    else if (decimal.exponent <= -(Beyond / 2))
        decimal.size = Size::Tiny;
    else
        decimal.size = Size::Finite;
    return decimal;
}

bool Decimal::isInteger() const
{
    return size == Size::Zero || size == Size::Huge || (size == Size::Finite && exponent >= 0);
}

std::optional<qint64> Decimal::toInteger() const
{
    if (size == Size::Zero)
        return 0;
    // 19 digits are the most that fit.
    if (size != Size::Finite || exponent < 0 || digits.size() + exponent > 19)
        return {};
    quint64 magnitude = 0;
    for (const char c : digits)
        magnitude = magnitude * 10 + quint64(c - '0');
    for (qint64 i = 0; i < exponent; ++i)
        magnitude *= 10;
    const quint64 limit = quint64(std::numeric_limits<qint64>::max()) + (negative ? 1 : 0);
    if (magnitude > limit)
        return {};
    return negative ? qint64(~magnitude + 1) : qint64(magnitude);
}

}  // namespace sonde::json
