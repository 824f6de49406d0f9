// SPDX-License-Identifier: Apache-2.0
#include "app/demo/decimal.h"

#include <algorithm>

namespace sonde::demo {
namespace {

constexpr qint64 MaxDigits = 4000;

// digits * 10^exponent, digits without sign.
struct Decimal {
    bool negative = false;
    QByteArray digits;
    qint64 exponent = 0;
};

std::optional<Decimal> read(QByteArray text)
{
    Decimal value;
    if (text.startsWith('-')) {
        value.negative = true;
        text.remove(0, 1);
    }
    const qsizetype e = std::max(text.indexOf('e'), text.indexOf('E'));
    if (e >= 0) {
        bool ok = false;
        value.exponent = text.mid(e + 1).toLongLong(&ok);
        if (!ok)
            return std::nullopt;
        text.truncate(e);
    }
    const qsizetype point = text.indexOf('.');
    if (point >= 0) {
        value.exponent -= text.size() - point - 1;
        text.remove(point, 1);
    }
    if (std::abs(value.exponent) > MaxDigits || text.size() > MaxDigits)
        return std::nullopt;
    value.digits = text;
    return value;
}

// Of digit strings of equal length.
QByteArray added(const QByteArray &left, const QByteArray &right)
{
    QByteArray sum(left.size() + 1, '0');
    int carry = 0;
    for (qsizetype i = left.size() - 1; i >= 0; --i) {
        const int digit = (left.at(i) - '0') + (right.at(i) - '0') + carry;
        sum[i + 1] = char('0' + digit % 10);
        carry = digit / 10;
    }
    sum[0] = char('0' + carry);
    return sum;
}

QByteArray subtracted(const QByteArray &larger, const QByteArray &smaller)
{
    QByteArray difference(larger.size(), '0');
    int borrow = 0;
    for (qsizetype i = larger.size() - 1; i >= 0; --i) {
        int digit = larger.at(i) - smaller.at(i) - borrow;
        borrow = digit < 0 ? 1 : 0;
        digit += borrow * 10;
        difference[i] = char('0' + digit);
    }
    return difference;
}

QByteArray written(const QByteArray &digits, qint64 exponent, bool negative)
{
    QByteArray text = digits;
    if (exponent < 0) {
        if (text.size() <= -exponent)
            text.prepend(QByteArray(-exponent - text.size() + 1, '0'));
        text.insert(text.size() + exponent, '.');
        while (text.endsWith('0'))
            text.chop(1);
        if (text.endsWith('.'))
            text.chop(1);
    }
    qsizetype zeros = 0;
    while (zeros + 1 < text.size() && text.at(zeros) == '0' && text.at(zeros + 1) != '.')
        ++zeros;
    text.remove(0, zeros);
    return negative && text != "0" ? '-' + text : text;
}

}  // namespace

std::optional<QByteArray> exactSum(const QByteArray &left, const QByteArray &right)
{
    std::optional<Decimal> a = read(left);
    std::optional<Decimal> b = read(right);
    if (!a || !b)
        return std::nullopt;
    const qint64 exponent = std::min({a->exponent, b->exponent, qint64(0)});
    for (Decimal *each : {&*a, &*b})
        each->digits.append(QByteArray(each->exponent - exponent, '0'));
    const qsizetype width = std::max(a->digits.size(), b->digits.size());
    for (Decimal *each : {&*a, &*b})
        each->digits.prepend(QByteArray(width - each->digits.size(), '0'));
    if (a->negative == b->negative)
        return written(added(a->digits, b->digits), exponent, a->negative);
    const bool leftIsLarger = a->digits >= b->digits;
    const Decimal &larger = leftIsLarger ? *a : *b;
    const Decimal &smaller = leftIsLarger ? *b : *a;
    return written(subtracted(larger.digits, smaller.digits), exponent, larger.negative);
}

}  // namespace sonde::demo
