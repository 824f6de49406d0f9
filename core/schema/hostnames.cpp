// SPDX-License-Identifier: Apache-2.0
#include "core/schema/hostnames.h"

#include <QList>
#include <QString>

#include <algorithm>
#include <limits>
#include <optional>
#include <string_view>

namespace sonde::schema {

using namespace Qt::StringLiterals;

namespace {

using Label = QList<char32_t>;

constexpr qsizetype MaxLabelLength = 63;  // of its ASCII form
constexpr qsizetype MaxNameLength = 253;
constexpr char32_t ZeroWidthNonJoiner = 0x200c;
constexpr char32_t ZeroWidthJoiner = 0x200d;

bool isAsciiLetterOrDigit(char32_t c)
{
    return (c >= U'a' && c <= U'z') || (c >= U'A' && c <= U'Z') || (c >= U'0' && c <= U'9');
}

bool isAscii(const Label &label)
{
    return std::all_of(label.begin(), label.end(), [](char32_t c) { return c < 0x80; });
}

// RFC 3492

constexpr quint32 Base = 36;
constexpr quint32 MinThreshold = 1;
constexpr quint32 MaxThreshold = 26;
constexpr quint32 FirstBias = 72;
constexpr quint32 FirstCode = 128;

quint32 adaptedBias(quint32 delta, quint32 count, bool isFirst)
{
    constexpr quint32 skew = 38;
    constexpr quint32 damp = 700;
    delta = isFirst ? delta / damp : delta / 2;
    delta += delta / count;
    quint32 steps = 0;
    for (; delta > (Base - MinThreshold) * MaxThreshold / 2; steps += Base)
        delta /= Base - MinThreshold;
    return steps + (Base - MinThreshold + 1) * delta / (delta + skew);
}

quint32 thresholdAt(quint32 position, quint32 bias)
{
    return position <= bias ? MinThreshold : std::clamp(position - bias, MinThreshold, MaxThreshold);
}

char digitOf(quint32 value)
{
    return char(value < 26 ? 'a' + value : '0' + (value - 26));
}

QByteArray punycode(const Label &label)
{
    QByteArray text;
    for (const char32_t c : label) {
        if (c < FirstCode)
            text += char(c);
    }
    const auto basic = quint32(text.size());
    quint32 handled = basic;
    if (basic > 0)
        text += '-';
    quint32 code = FirstCode;
    quint32 delta = 0;
    quint32 bias = FirstBias;
    while (handled < quint32(label.size())) {
        char32_t next = std::numeric_limits<char32_t>::max();
        for (const char32_t c : label)
            next = c >= code ? std::min(next, c) : next;
        delta += (next - code) * (handled + 1);
        code = next;
        for (const char32_t c : label) {
            delta += c < code ? 1 : 0;
            if (c != code)
                continue;
            quint32 rest = delta;
            for (quint32 position = Base;; position += Base) {
                const quint32 threshold = thresholdAt(position, bias);
                if (rest < threshold)
                    break;
                text += digitOf(threshold + (rest - threshold) % (Base - threshold));
                rest = (rest - threshold) / (Base - threshold);
            }
            text += digitOf(rest);
            bias = adaptedBias(delta, handled + 1, handled == basic);
            delta = 0;
            ++handled;
        }
        ++delta;
        ++code;
    }
    return text;
}

// The label that a text in lower case means; nothing if it is no punycode.
std::optional<Label> fromPunycode(QStringView text)
{
    const qsizetype delimiter = text.lastIndexOf(u'-');
    Label label;
    for (const QChar c : text.left(std::max<qsizetype>(delimiter, 0)))
        label.append(c.unicode());
    quint64 code = FirstCode;
    quint64 index = 0;
    quint32 bias = FirstBias;
    for (qsizetype at = delimiter + 1; at < text.size();) {
        const quint64 before = index;
        quint64 weight = 1;
        for (quint32 position = Base;; position += Base) {
            if (at >= text.size())
                return std::nullopt;
            const char16_t c = text.at(at++).unicode();
            const bool isLetter = c >= u'a' && c <= u'z';
            if (!isLetter && (c < u'0' || c > u'9'))
                return std::nullopt;
            const quint64 digit = isLetter ? c - u'a' : c - u'0' + 26;
            index += digit * weight;
            const quint32 threshold = thresholdAt(position, bias);
            if (digit < threshold)
                break;
            weight *= Base - threshold;
            if (weight > QChar::LastValidCodePoint * quint64(MaxLabelLength + 1))
                return std::nullopt;
        }
        const auto count = quint64(label.size()) + 1;
        bias = adaptedBias(quint32(index - before), quint32(count), before == 0);
        code += index / count;
        index %= count;
        if (code > QChar::LastValidCodePoint || QChar::isSurrogate(char32_t(code)))
            return std::nullopt;
        label.insert(qsizetype(index), char32_t(code));
        ++index;
    }
    return label;
}

// RFC 5892

bool isOneOf(char32_t c, std::u32string_view list)
{
    return list.find(c) != std::u32string_view::npos;
}

bool isBetween(char32_t c, char32_t first, char32_t last)
{
    return first <= c && c <= last;
}

bool isUnstable(char32_t c)
{
    const QString one = QString::fromUcs4(&c, 1);
    const QString folded = one.normalized(QString::NormalizationForm_KC).toCaseFolded();
    return folded.normalized(QString::NormalizationForm_KC) != one;
}

// A character that is valid wherever it is in a label (PVALID).
bool isValidAnywhere(char32_t c)
{
    if (isOneOf(c, U"\u00df\u03c2\u06fd\u06fe\u0f0b\u3007"))
        return true;
    if (isOneOf(c, U"\u0640\u07fa\u302e\u302f\u303b") || isBetween(c, 0x3031, 0x3035))
        return false;
    if (c < 0x80)
        return isAsciiLetterOrDigit(c) || c == U'-';
    const bool isOldHangul =
        isBetween(c, 0x1100, 0x11ff) || isBetween(c, 0xa960, 0xa97f) || isBetween(c, 0xd7b0, 0xd7ff);
    const bool isNotation = isBetween(c, 0x20d0, 0x20ff) || isBetween(c, 0x1d100, 0x1d24f);
    if (isOldHangul || isNotation || isUnstable(c))
        return false;
    switch (QChar::category(c)) {
        case QChar::Letter_Lowercase:
        case QChar::Letter_Uppercase:
        case QChar::Letter_Other:
        case QChar::Letter_Modifier:
        case QChar::Mark_NonSpacing:
        case QChar::Mark_SpacingCombining:
        case QChar::Number_DecimalDigit:
            return true;
        default:
            return false;
    }
}

char32_t at(const Label &label, qsizetype index)
{
    return index >= 0 && index < label.size() ? label.at(index) : U'\0';
}

bool isVirama(char32_t c)
{
    constexpr int viramaClass = 9;
    return QChar::combiningClass(c) == viramaClass;
}

// The letters at both sides are ones that would join: (L|D) T* here T* (R|D).
bool isBetweenJoining(const Label &label, qsizetype index)
{
    const auto isTransparent = [&label](qsizetype i) {
        return i >= 0 && i < label.size() && QChar::joiningType(label.at(i)) == QChar::Joining_Transparent;
    };
    qsizetype before = index - 1;
    while (isTransparent(before))
        --before;
    qsizetype after = index + 1;
    while (isTransparent(after))
        ++after;
    if (before < 0 || after >= label.size())
        return false;
    const QChar::JoiningType left = QChar::joiningType(label.at(before));
    const QChar::JoiningType right = QChar::joiningType(label.at(after));
    return (left == QChar::Joining_Left || left == QChar::Joining_Dual) &&
           (right == QChar::Joining_Right || right == QChar::Joining_Dual);
}

// A character that is valid only where it is (CONTEXTJ and CONTEXTO), in the words of RFC 5892's appendix A.
bool isValidInContext(const Label &label, qsizetype index)
{
    const char32_t c = label.at(index);
    const char32_t before = at(label, index - 1);
    const char32_t after = at(label, index + 1);
    const auto contains = [&label](char32_t first, char32_t last) {
        return std::any_of(label.begin(), label.end(), [=](char32_t each) { return isBetween(each, first, last); });
    };
    switch (c) {
        case ZeroWidthNonJoiner:
            return isVirama(before) || isBetweenJoining(label, index);
        case ZeroWidthJoiner:
            return isVirama(before);
        case 0x00b7:  // middle dot
            return before == U'l' && after == U'l';
        case 0x0375:  // Greek keraia
            return QChar::script(after) == QChar::Script_Greek;
        case 0x05f3:  // Hebrew geresh
        case 0x05f4:  // Hebrew gershayim
            return QChar::script(before) == QChar::Script_Hebrew;
        case 0x30fb:  // Katakana middle dot
            return std::any_of(label.begin(), label.end(), [](char32_t each) {
                const QChar::Script script = QChar::script(each);
                return script == QChar::Script_Hiragana || script == QChar::Script_Katakana ||
                       script == QChar::Script_Han;
            });
        default:
            if (isBetween(c, 0x0660, 0x0669))  // Arabic-Indic digits
                return !contains(0x06f0, 0x06f9);
            return isBetween(c, 0x06f0, 0x06f9) && !contains(0x0660, 0x0669);
    }
}

bool needsContext(char32_t c)
{
    return isOneOf(c, U"\u00b7\u0375\u05f3\u05f4\u30fb\u200c\u200d") || isBetween(c, 0x0660, 0x0669) ||
           isBetween(c, 0x06f0, 0x06f9);
}

bool isUnicodeLabel(const Label &label)
{
    if (label.size() > 3 && label.at(2) == U'-' && label.at(3) == U'-')
        return false;
    const QString text = QString::fromUcs4(label.constData(), label.size());
    const char32_t first = label.constFirst();
    if (first == U'-' || label.constLast() == U'-' || QChar::isMark(first) ||
        text.normalized(QString::NormalizationForm_C) != text)
        return false;
    for (qsizetype i = 0; i < label.size(); ++i) {
        if (!(needsContext(label.at(i)) ? isValidInContext(label, i) : isValidAnywhere(label.at(i))))
            return false;
    }
    return true;
}

// RFC 5893

bool isRightToLeft(char32_t c)
{
    const QChar::Direction direction = QChar::direction(c);
    return direction == QChar::DirR || direction == QChar::DirAL || direction == QChar::DirAN;
}

bool keepsBidiRule(const Label &label)
{
    const QChar::Direction first = QChar::direction(label.constFirst());
    const bool isRtl = first == QChar::DirR || first == QChar::DirAL;
    if (!isRtl && first != QChar::DirL)
        return false;
    bool hasEuropean = false;
    bool hasArabic = false;
    bool endsWell = false;
    for (const char32_t c : label) {
        const QChar::Direction direction = QChar::direction(c);
        hasEuropean = hasEuropean || direction == QChar::DirEN;
        hasArabic = hasArabic || direction == QChar::DirAN;
        switch (direction) {
            case QChar::DirR:
            case QChar::DirAL:
            case QChar::DirAN:
                if (!isRtl)
                    return false;
                endsWell = true;
                break;
            case QChar::DirL:
                if (isRtl)
                    return false;
                endsWell = true;
                break;
            case QChar::DirEN:
                endsWell = true;
                break;
            case QChar::DirNSM:
                break;
            case QChar::DirES:
            case QChar::DirCS:
            case QChar::DirET:
            case QChar::DirON:
            case QChar::DirBN:
                endsWell = false;
                break;
            default:
                return false;
        }
    }
    return endsWell && !(isRtl && hasEuropean && hasArabic);
}

// Names

bool isAsciiLabel(const Label &label)
{
    return std::all_of(label.begin(), label.end(), [](char32_t c) { return isAsciiLetterOrDigit(c) || c == U'-'; }) &&
           label.constFirst() != U'-' && label.constLast() != U'-';
}

// One label, as it is in its own script. Nothing if it is none.
std::optional<Label> unicodeLabel(const QString &text)
{
    const Label label = [&text] {
        const QList<uint> codes = text.toUcs4();
        return Label(codes.begin(), codes.end());
    }();
    if (label.isEmpty())
        return std::nullopt;
    if (!isAscii(label))
        return isUnicodeLabel(label) ? std::optional(label) : std::nullopt;
    if (label.size() > MaxLabelLength || !isAsciiLabel(label))
        return std::nullopt;
    if (label.size() < 4 || label.at(2) != U'-' || label.at(3) != U'-')
        return label;
    // What has "--" there is punycode of something that needs it, or nothing.
    const std::optional<Label> meant =
        text.startsWith("xn--"_L1) ? fromPunycode(QStringView(text).mid(4)) : std::nullopt;
    if (!meant || meant->isEmpty() || isAscii(*meant) || !isUnicodeLabel(*meant) ||
        QString::fromLatin1(punycode(*meant)) != text.mid(4))
        return std::nullopt;
    return meant;
}

bool isName(const QString &name)
{
    QList<Label> labels;
    qsizetype length = -1;
    for (const QString &part : name.split(u'.')) {
        const std::optional<Label> label = part.size() > 2 * MaxLabelLength ? std::nullopt : unicodeLabel(part);
        if (!label)
            return false;
        const qsizetype asciiLength = isAscii(*label) ? label->size() : 4 + punycode(*label).size();
        length += asciiLength + 1;
        if (asciiLength > MaxLabelLength || length > MaxNameLength)
            return false;
        labels.append(*label);
    }
    const bool isBidi = std::any_of(labels.cbegin(), labels.cend(), [](const Label &label) {
        return std::any_of(label.begin(), label.end(), isRightToLeft);
    });
    return !isBidi || std::all_of(labels.cbegin(), labels.cend(), keepsBidiRule);
}

}  // namespace

bool isHostname(QStringView text)
{
    const bool isAsciiOnly = std::all_of(text.begin(), text.end(), [](QChar c) { return c.unicode() < 0x80; });
    return isAsciiOnly && text.size() <= MaxNameLength && isName(text.toString().toLower());
}

bool isIdnHostname(QStringView text)
{
    if (text.size() > MaxNameLength)
        return false;
    QString name = text.toString();
    for (const char16_t stop : {u'\u3002', u'\uff0e', u'\uff61'})
        name.replace(QChar(stop), QChar(u'.'));
    return isName(name.toLower());
}

}  // namespace sonde::schema
