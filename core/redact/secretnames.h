// The one list of names that say that a value is secret.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QByteArrayView>
#include <QString>
#include <array>
#include <bitset>

namespace sonde {

// Where a name stands. In messages "key", "code" and "auth" are ordinary words; in a header or a variable they are not.
enum class NamePlace {
    Member,    // of JSON, or in front of a value in a text
    Header,    // of HTTP
    Variable,  // of an environment
    Flag,      // of a command line, with or without its dashes
    Query      // of an address
};

// What a value of that name is: "password", "token", "pin" …; empty when the name does not say that it is secret.
// Judged by the words of the name: clientSecret, API_KEY and x-api-key.
QByteArray secretKind(QStringView name, NamePlace place);
inline bool isSecretName(QStringView name, NamePlace place = NamePlace::Member)
{
    return !secretKind(name, place).isEmpty();
}

// LOGIN, --user: secret is what follows the first colon of such a value, and only if there is one.
bool isLoginName(QStringView name, NamePlace place);

// What names say, each looked up once: the same ones come again and again. Not safe to share between threads.
class JudgedNames {
public:
    struct Judged {
        QByteArray name;
        NamePlace place = NamePlace::Member;
        QByteArray kind;  // see secretKind()
        bool isLogin = false;
        bool isPair = false;  // {"name":…,"value":…}
    };
    // name: not empty. The reference counts until the next call.
    const Judged &operator()(QByteArrayView name, NamePlace place) const;

private:
    mutable std::array<Judged, 256> m_judged;
};

// The last names that told nothing, each with the quote in front: most are such, and the same ones come again and
// again.
class HarmlessNames {
public:
    bool endAt(QByteArrayView text, qsizetype end) const;  // one of them
    void add(QByteArrayView quoteAndName);                 // unless it is very short or long

private:
    static constexpr qsizetype MinLength = 3;
    static constexpr qsizetype MaxLength = 23;
    static constexpr size_t NameCount = 64;
    struct Name {
        quint8 size = 0;
        std::array<char, MaxLength> text{};
    };

    static size_t placeBefore(const char *end);  // by the last letters

    std::array<Name, NameCount> m_names;
};

// What is longer is no name.
inline constexpr qsizetype MaxSecretNameLength = 200;

// Whether a name may be secret, or be followed by one: whether it holds one of the words of the list, whatever stands
// around them and between their letters. Almost all other names are told from these, at hardly more cost than reading
// them once. UTF-8.
bool mayBeTelling(QByteArrayView name);

// The same for code that reads a name from its end to its beginning anyway.
class NameLetters {
public:
    void precede(char c)
    {
        const quint32 letter = m_numbers[uchar(c)];
        m_three = letter == 0 ? m_three : m_three >> 5 | letter << 10;
        m_isTelling |= m_telling[m_three];
    }
    bool mayBeTelling() const { return m_isTelling; }

private:
    static const std::array<quint8, 256> m_numbers;  // of letters in either case, and one for all digits
    static const std::bitset<0x8000> m_telling;      // the first three letters of each word of the list

    quint32 m_three = 0;
    bool m_isTelling = false;
};

}  // namespace sonde
