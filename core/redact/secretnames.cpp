// SPDX-License-Identifier: Apache-2.0
#include "core/redact/secretnames.h"

#include <QStringList>
#include <algorithm>
#include <array>
#include <cstring>

namespace sonde {

namespace {

enum NameWhere : quint8 {
    Everywhere = 1,
    OutsideOfMessages = 2,  // headers, variables, flags, addresses
    InVariables = 4,        // and flags
    InAddresses = 8,
    Login = 16
};
enum NameMatch : quint8 {
    Word,     // is a word of the name
    WordEnd,  // or the end of one
    WordPart  // or anywhere in one
};

struct NameEntry {
    QLatin1StringView word;
    NameMatch match;
    quint8 where;
    QLatin1StringView kind;
};

using namespace Qt::StringLiterals;

// Words in lower case. Token and key are judged by the word in front of them too.
constexpr std::array<NameEntry, 44> SecretWords = {{
    {"password"_L1, WordPart, Everywhere, "password"_L1},
    {"passwort"_L1, WordPart, Everywhere, "password"_L1},
    {"passwd"_L1, WordPart, Everywhere, "password"_L1},
    {"passcode"_L1, WordPart, Everywhere, "password"_L1},
    {"passphrase"_L1, WordPart, Everywhere, "passphrase"_L1},
    {"pwd"_L1, WordEnd, Everywhere, "password"_L1},
    {"pass"_L1, WordEnd, Everywhere, "password"_L1},
    {"pw"_L1, Word, Everywhere, "password"_L1},
    {"pin"_L1, Word, Everywhere, "pin"_L1},
    {"otp"_L1, Word, Everywhere, "otp"_L1},
    {"totp"_L1, Word, Everywhere, "otp"_L1},
    {"cvv"_L1, Word, Everywhere, "pin"_L1},
    {"cvc"_L1, Word, Everywhere, "pin"_L1},
    {"secret"_L1, WordEnd, Everywhere, "secret"_L1},
    {"secrets"_L1, Word, Everywhere, "secret"_L1},
    {"authorization"_L1, WordEnd, Everywhere, "authorization"_L1},
    {"credential"_L1, WordEnd, Everywhere, "credential"_L1},
    {"credentials"_L1, WordEnd, Everywhere, "credential"_L1},
    {"cookie"_L1, WordEnd, Everywhere, "cookie"_L1},
    {"cookies"_L1, Word, Everywhere, "cookie"_L1},
    {"jwt"_L1, Word, Everywhere, "token"_L1},
    {"bearer"_L1, Word, Everywhere, "token"_L1},
    {"token"_L1, WordEnd, Everywhere, "token"_L1},
    {"tokens"_L1, Word, Everywhere, "token"_L1},
    {"key"_L1, WordEnd, Everywhere, "key"_L1},
    {"keys"_L1, WordEnd, Everywhere, "key"_L1},
    {"auth"_L1, Word, OutsideOfMessages, "auth"_L1},
    {"sig"_L1, Word, OutsideOfMessages, "signature"_L1},
    {"signature"_L1, Word, OutsideOfMessages, "signature"_L1},
    {"code"_L1, Word, InAddresses, "code"_L1},
    {"session"_L1, Word, OutsideOfMessages, "session"_L1},
    {"pat"_L1, Word, InVariables, "token"_L1},
    {"dsn"_L1, Word, InVariables, "dsn"_L1},
    {"cred"_L1, Word, InVariables, "credential"_L1},
    {"creds"_L1, Word, InVariables, "credential"_L1},
    {"private"_L1, Word, InVariables, "private"_L1},
    {"salt"_L1, Word, InVariables, "salt"_L1},
    {"seed"_L1, Word, InVariables, "seed"_L1},
    {"login"_L1, Word, Login | Everywhere, {}},
    {"userpass"_L1, Word, Login | InVariables, {}},
    {"userpwd"_L1, Word, Login | InVariables, {}},
    {"user"_L1, Word, Login | InVariables, {}},
    {"username"_L1, Word, Login | InVariables, {}},
    {"account"_L1, Word, Login | InVariables, {}},
}};

// A cursor is called a token too, and is nothing to hide. Counts of tokens are not tokens.
constexpr std::array HarmlessTokens = {"page"_L1,  "next"_L1,     "continuation"_L1, "cursor"_L1,
                                       "sync"_L1,  "progress"_L1, "prev"_L1,         "previous"_L1,
                                       "start"_L1, "max"_L1,      "stop"_L1,         "end"_L1};
constexpr std::array SecretTokens = {"api"_L1,    "access"_L1, "auth"_L1,   "refresh"_L1,
                                     "bearer"_L1, "secret"_L1, "session"_L1};
// Of keys in a message only these are secret.
constexpr std::array SecretKeys = {"api"_L1,        "private"_L1,      "secret"_L1,    "access"_L1,  "auth"_L1,
                                   "encryption"_L1, "signing"_L1,      "master"_L1,    "license"_L1, "ssh"_L1,
                                   "client"_L1,     "subscription"_L1, "decryption"_L1};
// What stands behind "authorization" in the name of a place to ask, as in metadata of OAuth.
constexpr std::array AuthorizationPlaces = {"endpoint"_L1, "server"_L1, "servers"_L1,
                                            "url"_L1,      "uri"_L1,    "response"_L1};
// Names that say something about a secret without being one.
constexpr std::array Properties = {"count"_L1,   "counts"_L1,   "total"_L1,        "name"_L1,       "names"_L1,
                                   "policy"_L1,  "policies"_L1, "consent"_L1,      "length"_L1,     "len"_L1,
                                   "size"_L1,    "type"_L1,     "types"_L1,        "strength"_L1,   "age"_L1,
                                   "expiry"_L1,  "expires"_L1,  "expired"_L1,      "rules"_L1,      "attempts"_L1,
                                   "retries"_L1, "version"_L1,  "versions"_L1,     "expiration"_L1, "status"_L1,
                                   "file"_L1,    "path"_L1,     "requirements"_L1, "required"_L1,   "placeholder"_L1};
constexpr std::array HarmlessPasses = {"bypass"_L1, "compass"_L1, "trespass"_L1, "overpass"_L1, "underpass"_L1};

// "apiKey", "API_KEY" and "x-api-key" all give "api", "key".
QStringList wordsOfName(QStringView name)
{
    QStringList words;
    QString word;
    QChar previous;
    for (const QChar c : name) {
        const bool isBoundary = !c.isLetterOrNumber() || (c.isUpper() && previous.isLower());
        if (isBoundary && !word.isEmpty())
            words.append(std::exchange(word, {}));
        if (c.isLetterOrNumber())
            word.append(c.unicode() < 0x80 ? c.toLower() : c);  // the Kelvin sign is no k
        previous = c;
    }
    if (!word.isEmpty())
        words.append(word);
    return words;
}

bool appliesIn(quint8 where, NamePlace place)
{
    if (where & Everywhere)
        return true;
    switch (place) {
        case NamePlace::Member:
            return false;
        case NamePlace::Header:
            return where & OutsideOfMessages;
        case NamePlace::Variable:
        case NamePlace::Flag:
            return where & (OutsideOfMessages | InVariables);
        case NamePlace::Query:
            return where & (OutsideOfMessages | InAddresses);
    }
    return false;
}

template <typename Words>
bool isAmong(QStringView word, const Words &words)
{
    return std::any_of(words.begin(), words.end(), [word](QLatin1StringView each) { return word == each; });
}

template <typename Words>
bool endsInAny(QStringView word, const Words &words)
{
    return std::any_of(words.begin(), words.end(), [word](QLatin1StringView each) { return word.endsWith(each); });
}

bool isMatch(const NameEntry &entry, QStringView word)
{
    switch (entry.match) {
        case Word:
            return word == entry.word;
        case WordEnd:
            return word.endsWith(entry.word);
        case WordPart:
            return word.contains(entry.word);
    }
    return false;
}

// What qualifies a token or a key: the rest of its word, or else the word before.
QString qualifierOf(const QStringList &words, qsizetype at, qsizetype length)
{
    const QString &word = words.at(at);
    return word.size() > length ? word.chopped(length) : at > 0 ? words.at(at - 1) : QString();
}

// passwordPolicy, secret_name, passwordpolicy
bool isOfProperty(const NameEntry &entry, const QStringList &words, qsizetype at)
{
    const QStringView rest = QStringView(words.at(at)).sliced(words.at(at).indexOf(entry.word) + entry.word.size());
    const auto isProperty = [](QStringView word) { return isAmong(word, Properties); };
    return isProperty(rest) || std::any_of(words.begin() + at + 1, words.end(), isProperty);
}

bool isTrueMatch(const NameEntry &entry, const QStringList &words, qsizetype at, NamePlace place)
{
    const QString &word = words.at(at);
    if (!(entry.where & Login) && isOfProperty(entry, words, at))
        return false;
    const bool isLast = at == words.size() - 1;
    const bool isMessage = place == NamePlace::Member;
    const QString qualifier = qualifierOf(words, at, entry.word.size());
    if (entry.word == "token"_L1)
        return !endsInAny(qualifier, HarmlessTokens) && (isLast || !isMessage);
    if (entry.word == "tokens"_L1)
        return isAmong(qualifier, SecretTokens);
    if (entry.word == "key"_L1 || entry.word == "keys"_L1)
        return isMessage ? isLast && endsInAny(qualifier, SecretKeys) : qualifier != "public"_L1;
    if (entry.word == "authorization"_L1)
        return isLast || !isMessage || !isAmong(words.at(at + 1), AuthorizationPlaces);
    if (entry.word == "pass"_L1)
        return !isAmong(word, HarmlessPasses) && (isLast || !isMessage);
    if (entry.word == "session"_L1)  // Mcp-Session-Id
        return isLast || words.at(at + 1) == "id"_L1;
    // The working folder of a shell.
    if (entry.word == "pwd"_L1 && place == NamePlace::Variable)
        return words.size() > 1 || word != "pwd"_L1;
    return true;
}

const NameEntry *nameEntryFor(QStringView name, NamePlace place, bool isLogin)
{
    if (name.isEmpty() || name.size() > MaxSecretNameLength || (place == NamePlace::Variable && name == u"OLDPWD"))
        return nullptr;
    const QStringList words = wordsOfName(name);
    const auto applies = [&](const NameEntry &entry) {
        return bool(entry.where & Login) == isLogin && appliesIn(entry.where & ~Login, place);
    };
    for (qsizetype at = words.size(); at-- > 0;) {
        for (const NameEntry &entry : SecretWords) {
            if (applies(entry) && isMatch(entry, words.at(at)) && isTrueMatch(entry, words, at, place))
                return &entry;
        }
    }
    // pass_phrase, passWord
    const QString whole = words.join(QString());
    for (const NameEntry &entry : SecretWords) {
        if (entry.match == WordPart && applies(entry) && whole.contains(entry.word) &&
            !isOfProperty(entry, {whole}, 0) && !isAmong(words.constLast(), Properties))
            return &entry;
    }
    return nullptr;
}

constexpr quint8 letterNumber(char c)
{
    const char lower = char(c | 0x20);
    return lower >= 'a' && lower <= 'z' ? quint8(c & 31) : c >= '0' && c <= '9' ? 27 : 0;
}

}  // namespace

constinit const std::array<quint8, 256> NameLetters::m_numbers = [] {
    std::array<quint8, 256> numbers{};
    for (size_t i = 0; i < numbers.size(); ++i)
        numbers[i] = letterNumber(char(i));
    return numbers;
}();

const std::bitset<0x8000> NameLetters::m_telling = [] {
    std::bitset<0x8000> telling;
    const auto add = [&telling](QLatin1StringView word) {
        const quint32 two = quint32(letterNumber(word[0].toLatin1())) << 10 | letterNumber(word[1].toLatin1()) << 5;
        if (word.size() > 2) {
            telling.set(two | letterNumber(word[2].toLatin1()));
            return;
        }
        for (quint32 after = 0; after < 32; ++after)
            telling.set(two | after);
    };
    for (const NameEntry &entry : SecretWords)
        add(entry.word);
    add("name"_L1);  // of a pair with a value
    add("header"_L1);
    return telling;
}();

size_t HarmlessNames::placeBefore(const char *end)
{
    return (uchar(end[-1]) * 7 + uchar(end[-2]) * 3 + uchar(end[-3])) % NameCount;
}

bool HarmlessNames::endAt(QByteArrayView text, qsizetype end) const
{
    if (end < MinLength)
        return false;
    const Name &known = m_names[placeBefore(text.data() + end)];
    return known.size > 0 && end >= known.size &&
           std::memcmp(text.data() + end - known.size, known.text.data(), known.size) == 0;
}

void HarmlessNames::add(QByteArrayView quoteAndName)
{
    if (quoteAndName.size() < MinLength || quoteAndName.size() > MaxLength)
        return;
    Name &known = m_names[placeBefore(quoteAndName.data() + quoteAndName.size())];
    known.size = quint8(quoteAndName.size());
    std::copy(quoteAndName.begin(), quoteAndName.end(), known.text.begin());
}

bool mayBeTelling(QByteArrayView name)
{
    NameLetters letters;
    for (qsizetype at = name.size(); at > 0; --at)
        letters.precede(name[at - 1]);
    return letters.mayBeTelling();
}

QByteArray secretKind(QStringView name, NamePlace place)
{
    const NameEntry *entry = nameEntryFor(name, place, false);
    return entry ? QByteArray(entry->kind.data(), entry->kind.size()) : QByteArray();
}

bool isLoginName(QStringView name, NamePlace place)
{
    return nameEntryFor(name, place, true);
}

const JudgedNames::Judged &JudgedNames::operator()(QByteArrayView name, NamePlace place) const
{
    const quint32 sum = quint32(name.size()) * 67 + quint32(uchar(name.front())) * 31 +
                        quint32(uchar(name.back())) * 7 + quint32(uchar(name[name.size() / 2])) + quint32(place) * 13;
    Judged &known = m_judged[sum % m_judged.size()];
    if (known.place == place && known.name == name)
        return known;
    const QString text = QString::fromUtf8(name);
    known.name = name.toByteArray();
    known.place = place;
    known.kind = secretKind(text, place);
    known.isPair = text == u"name" || text == u"key" || text == u"header";
    known.isLogin = known.kind.isEmpty() && isLoginName(text, place);
    return known;
}

}  // namespace sonde
