// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/messagerules.h"

#include "core/json/compare.h"
#include "core/protocol/messagetables.h"
#include "core/protocol/methods.h"
#include "core/protocol/visibletext.h"

#include <QCoreApplication>
#include <QHash>
#include <algorithm>
#include <array>
#include <mutex>
#include <optional>
#include <vector>

namespace sonde {

using namespace Qt::StringLiterals;

namespace {

struct RulesText {
    Q_DECLARE_TR_FUNCTIONS(sonde::MessageRules)
};

struct Type {
    enum class Kind : quint8 {
        Any,
        Null,
        Boolean,
        String,
        Text,
        Number,
        Integer,
        Id,
        Literal,
        Object,
        List,
        Map,
        Union
    };
    struct Member {
        QString name;
        int type = 0;
        bool isRequired = false;
    };

    Kind kind = Kind::Any;
    QByteArray name;              // of a shape; of a literal its text
    QByteArray minimum, maximum;  // of a number; empty: no bound
    qsizetype maxItems = -1;      // of a list
    std::vector<int> types;       // of a list, a map or a union
    std::vector<Member> members;  // of an object
};

struct Method {
    int params = 0;
    int result = 0;
    bool mayOmitParams = false;
    bool isNotification = false;
};

struct Rules {
    std::vector<Type> types;
    QHash<QByteArray, int> shapes;
    std::array<QHash<QString, Method>, 2> methods;  // by Sender
    QHash<int, int> errors;
};

// Without "@…" at its end; nothing where the revision is not among those.
std::optional<QByteArray> inRevision(const QByteArray &line, char revision)
{
    const qsizetype at = line.lastIndexOf('@');
    if (at < 0)
        return line.trimmed();
    return line.indexOf(revision, at) < 0 ? std::nullopt : std::optional(line.first(at).trimmed());
}

class RulesReader {
public:
    explicit RulesReader(Revision revision) : m_revision(char('1' + int(revision))) {}

    Rules read()
    {
        readShapes();
        readMethods();
        for (const QByteArray &line : lines(check::Errors)) {
            const qsizetype space = line.indexOf(' ');
            m_rules.errors.insert(line.first(space).toInt(), typeOf(line.mid(space + 1)));
        }
        return std::move(m_rules);
    }

private:
    QByteArrayList lines(const char *table) const
    {
        QByteArrayList found;
        for (const QByteArray &line : QByteArray(table).split('\n')) {
            if (const auto left = inRevision(line, m_revision); left && !left->isEmpty())
                found.append(*left);
        }
        return found;
    }

    // Of the revision only where it is no list of members, each of which may say its own.
    void readShapes()
    {
        QByteArrayList bodies;
        for (const QByteArray &line : QByteArray(check::Shapes).split('\n')) {
            if (const qsizetype colon = line.indexOf(": "); colon > 0) {
                m_rules.shapes.insert(line.first(colon),
                                      add({Type::Kind::Object, line.first(colon), {}, {}, -1, {}, {}}));
                bodies.append(line.mid(colon + 2));
            } else if (const qsizetype equals = line.indexOf(" = "); equals > 0) {
                // What the revision does not have is named only by shapes that it does not have either.
                const QByteArray text = inRevision(line, m_revision).value_or(line.first(equals) + " = any");
                if (!m_aliases.contains(line.first(equals)) || !text.endsWith(" = any"))
                    m_aliases.insert(line.first(equals), text.mid(equals + 3));
            }
        }
        for (int shape = 0; shape < bodies.size(); ++shape) {
            std::vector<Type::Member> members;
            for (const QByteArray &part : bodies.at(shape).split(';')) {
                const std::optional<QByteArray> member = inRevision(part, m_revision);
                if (!member)
                    continue;
                const qsizetype space = member->indexOf(' ');
                const bool isOptional = member->at(space - 1) == '?';
                members.push_back({QString::fromLatin1(member->first(space - (isOptional ? 1 : 0))),
                                   typeOf(member->mid(space + 1)), !isOptional});
            }
            m_rules.types[size_t(shape)].members = std::move(members);
        }
        for (auto alias = m_aliases.constBegin(); alias != m_aliases.constEnd(); ++alias)
            m_rules.shapes.insert(alias.key(), typeOf(alias.key()));
    }

    void readMethods()
    {
        for (const QByteArray &line : lines(check::Methods)) {
            const QByteArrayList words = line.split(' ');
            Method method;
            method.mayOmitParams = words.at(2).endsWith('?');
            method.params = typeOf(method.mayOmitParams ? words.at(2).chopped(1) : words.at(2));
            method.isNotification = words.at(3) == "-";
            method.result = method.isNotification ? 0 : typeOf(words.at(3));
            const QString name = QString::fromLatin1(words.at(1));
            if (words.at(0) != "<")
                m_rules.methods[size_t(Sender::Client)].insert(name, method);
            if (words.at(0) != ">")
                m_rules.methods[size_t(Sender::Server)].insert(name, method);
        }
    }

    int add(Type type)
    {
        m_rules.types.push_back(std::move(type));
        return int(m_rules.types.size()) - 1;
    }

    int typeOf(const QByteArray &text)
    {
        if (const auto shape = m_rules.shapes.constFind(text); shape != m_rules.shapes.constEnd())
            return *shape;
        if (const auto known = m_types.constFind(text); known != m_types.constEnd())
            return *known;
        const int type =
            add(m_aliases.contains(text) ? Type(m_rules.types.at(size_t(typeOf(m_aliases.value(text))))) : read(text));
        m_types.insert(text, type);
        return type;
    }

    Type read(const QByteArray &text)
    {
        Type type;
        int depth = 0;
        qsizetype begin = 0;
        for (qsizetype at = 0; at < text.size(); ++at) {
            depth += text.at(at) == '<' ? 1 : text.at(at) == '>' ? -1 : 0;
            if (depth == 0 && text.at(at) == '|') {
                type.types.push_back(typeOf(text.sliced(begin, at - begin)));
                begin = at + 1;
            }
        }
        if (begin > 0) {
            type.types.push_back(typeOf(text.mid(begin)));
            type.kind = Type::Kind::Union;
            return type;
        }
        if (text.startsWith('\'')) {
            type.kind = Type::Kind::Literal;
            type.name = text.sliced(1, text.size() - 2);
            return type;
        }
        if (const bool isList = text.startsWith("list<"); isList || text.startsWith("map<")) {
            const qsizetype open = text.indexOf('<');
            const qsizetype close = text.lastIndexOf('>');
            type.kind = isList ? Type::Kind::List : Type::Kind::Map;
            type.types.push_back(typeOf(text.sliced(open + 1, close - open - 1)));
            if (close + 1 < text.size())
                type.maxItems = text.mid(close + 1).toInt();
            return type;
        }
        static const QHash<QByteArray, Type::Kind> kinds{
            {"any", Type::Kind::Any},         {"null", Type::Kind::Null}, {"boolean", Type::Kind::Boolean},
            {"string", Type::Kind::String},   {"text", Type::Kind::Text}, {"number", Type::Kind::Number},
            {"integer", Type::Kind::Integer}, {"id", Type::Kind::Id},     {"object", Type::Kind::Object}};
        const qsizetype bracket = text.indexOf('[');
        const QByteArray name = bracket < 0 ? text : text.first(bracket);
        Q_ASSERT_X(kinds.contains(name), "messagetables.cpp", name.constData());
        type.kind = kinds.value(name);
        if (bracket > 0) {
            const qsizetype dots = text.indexOf("..");
            type.minimum = text.sliced(bracket + 1, dots - bracket - 1);
            type.maximum = text.sliced(dots + 2, text.size() - dots - 3);
        }
        return type;
    }

    const char m_revision;
    Rules m_rules;
    QHash<QByteArray, QByteArray> m_aliases;
    QHash<QByteArray, int> m_types;  // all others, by their text
};

const Rules &rulesOf(Revision revision)
{
    static std::array<Rules, 5> all;
    static std::array<std::once_flag, 5> read;
    const auto index = size_t(revision);
    std::call_once(read[index], [&] { all[index] = RulesReader(revision).read(); });
    return all[index];
}

// Walks a value along its type. Neither recurses deeper than the tables do.
class Checker {
public:
    explicit Checker(const Rules &rules) : m_rules(rules) {}

    const QStringList &findings() const { return m_findings; }

    void check(const json::Value &value, int number, const QString &place)
    {
        if (isFull())
            return;
        const Type &type = m_rules.types[size_t(number)];
        switch (type.kind) {
            case Type::Kind::Object:
                return checkObject(value, type, place);
            case Type::Kind::Union:
                return checkUnion(value, number, place);
            case Type::Kind::List:
            case Type::Kind::Map:
                return checkItems(value, type, place);
            case Type::Kind::Number:
            case Type::Kind::Integer:
                if (isOfKind(value, type) && !isWithin(value, type))
                    return add(RulesText::tr("'%1' must be %2; it is %3.").arg(place, bounds(type), shownValue(value)));
                [[fallthrough]];
            default:
                if (!isOfKind(value, type))
                    mustBe(value, number, place);
        }
    }

    void add(const QString &finding)
    {
        if (!isFull())
            m_findings.append(finding);
    }

private:
    bool isFull() const { return m_findings.size() >= MaxMessageFindings; }

    void mustBe(const json::Value &value, int type, const QString &place)
    {
        add(RulesText::tr("'%1' must be %2; it is %3.").arg(place, words(type), shownValue(value)));
    }

    static bool isOfKind(const json::Value &value, const Type &type)
    {
        switch (type.kind) {
            case Type::Kind::Any:
                return true;
            case Type::Kind::Null:
                return value.isNull();
            case Type::Kind::Boolean:
                return value.isBool();
            case Type::Kind::String:
                return value.isString();
            case Type::Kind::Text:
                return value.isString() && value.slice() != "\"\"";
            case Type::Kind::Number:
                return value.isNumber();
            case Type::Kind::Integer:
                return value.isNumber() && json::isInteger(value.slice());
            case Type::Kind::Id:
                return value.isString() || (value.isNumber() && json::isInteger(value.slice()));
            case Type::Kind::Literal:
                return value.isString() && value.utf8() == type.name;
            case Type::Kind::Object:
            case Type::Kind::Map:
                return value.isObject();
            case Type::Kind::List:
                return value.isArray();
            case Type::Kind::Union:
                break;
        }
        return false;
    }

    static bool isWithin(const json::Value &value, const Type &type)
    {
        return (type.minimum.isEmpty() || json::compareNumbers(value.slice(), type.minimum) >= 0) &&
               (type.maximum.isEmpty() || json::compareNumbers(value.slice(), type.maximum) <= 0);
    }

    static QString bounds(const Type &type)
    {
        const QString least = QString::fromLatin1(type.minimum);
        const QString most = QString::fromLatin1(type.maximum);
        return most.isEmpty() ? RulesText::tr("at least %1").arg(least) : RulesText::tr("%1 to %2").arg(least, most);
    }

    void checkObject(const json::Value &value, const Type &type, const QString &place)
    {
        if (!value.isObject())
            return add(RulesText::tr("'%1' must be an object; it is %2.").arg(place, shownValue(value)));
        for (const Type::Member &member : type.members) {
            const json::Value child = value[member.name];
            if (child.exists())
                check(child, member.type, inside(place, member.name));
            else if (member.isRequired)
                add(RulesText::tr("'%1' is missing.").arg(inside(place, member.name)));
        }
    }

    void checkItems(const json::Value &value, const Type &type, const QString &place)
    {
        const bool isList = type.kind == Type::Kind::List;
        if (isList ? !value.isArray() : !value.isObject())
            return add((isList ? RulesText::tr("'%1' must be an array; it is %2.")
                               : RulesText::tr("'%1' must be an object; it is %2."))
                           .arg(place, shownValue(value)));
        if (type.maxItems >= 0 && value.size() > type.maxItems)
            add(RulesText::tr("'%1' has %2 items; at most %3 are allowed.")
                    .arg(place)
                    .arg(value.size())
                    .arg(type.maxItems));
        if (m_rules.types[size_t(type.types.front())].kind == Type::Kind::Any)
            return;
        qsizetype index = 0;
        for (const json::Value &child : value) {
            if (isFull())
                return;
            if (isOfKind(child, m_rules.types[size_t(type.types.front())]) && !isComposed(type.types.front()))
                ++index;
            else
                check(child, type.types.front(),
                      isList ? place + u'[' + QString::number(index++) + u']'
                             : inside(place, visibleLine(child.key(), 60)));
        }
    }

    // Text that a check would have to be made for, or nothing.
    bool isComposed(int number) const
    {
        const Type &type = m_rules.types[size_t(number)];
        return !type.types.empty() || !type.members.empty() || !type.minimum.isEmpty() || !type.maximum.isEmpty();
    }

    // Of several shapes that an object may have, what the closest one lacks is told.
    void checkUnion(const json::Value &value, int number, const QString &place)
    {
        std::optional<QStringList> closest;
        for (const int branch : branches(number)) {
            Checker attempt(m_rules);
            attempt.check(value, branch, place);
            if (attempt.findings().isEmpty())
                return;
            const Type &type = m_rules.types[size_t(branch)];
            const bool isMeant = isOfKind(value, type) && type.kind != Type::Kind::Union && saysSo(value, type);
            if (isMeant && (!closest || attempt.findings().size() < closest->size()))
                closest = attempt.findings();
        }
        if (!closest)
            return add(problemOfNone(value, number, place));
        for (const QString &finding : *closest)
            add(finding);
    }

    // Unions within unions count as one.
    std::vector<int> branches(int number) const
    {
        std::vector<int> all;
        for (const int branch : m_rules.types[size_t(number)].types) {
            if (m_rules.types[size_t(branch)].kind != Type::Kind::Union) {
                all.push_back(branch);
                continue;
            }
            const std::vector<int> inner = branches(branch);
            all.insert(all.end(), inner.begin(), inner.end());
        }
        return all;
    }

    // The value has the literals by which this shape is known.
    bool saysSo(const json::Value &value, const Type &type) const
    {
        return std::all_of(type.members.begin(), type.members.end(), [&](const Type::Member &member) {
            const Type &of = m_rules.types[size_t(member.type)];
            const json::Value child = value[member.name];
            return of.kind != Type::Kind::Literal || isOfKind(child, of) || (!child.exists() && !member.isRequired);
        });
    }

    // Where all shapes are told apart by one member, it is that which is wrong.
    QString problemOfNone(const json::Value &value, int number, const QString &place)
    {
        QStringList texts;
        QString name;
        for (const int branch : branches(number)) {
            for (const Type::Member &member : m_rules.types[size_t(branch)].members) {
                const Type &of = m_rules.types[size_t(member.type)];
                if (of.kind != Type::Kind::Literal || !(name.isEmpty() || name == member.name))
                    continue;
                name = member.name;
                const QString text = u'"' + QString::fromLatin1(of.name) + u'"';
                if (!texts.contains(text))
                    texts.append(text);
            }
        }
        if (value.isObject() && !texts.isEmpty()) {
            const json::Value child = value[name];
            const QString there = inside(place, name);
            return child.exists()
                       ? RulesText::tr("'%1' must be %2; it is %3.").arg(there, orList(texts), shownValue(child))
                       : RulesText::tr("'%1' is missing; it must be %2.").arg(there, orList(texts));
        }
        return RulesText::tr("'%1' must be %2; it is %3.").arg(place, words(number), shownValue(value));
    }

    QString words(int number) const
    {
        const Type &type = m_rules.types[size_t(number)];
        switch (type.kind) {
            case Type::Kind::Any:
                return RulesText::tr("a value");
            case Type::Kind::Null:
                return u"null"_s;
            case Type::Kind::Boolean:
                return RulesText::tr("a boolean");
            case Type::Kind::String:
                return RulesText::tr("a string");
            case Type::Kind::Text:
                return RulesText::tr("a string that is not empty");
            case Type::Kind::Number:
                return RulesText::tr("a number");
            case Type::Kind::Integer:
                return RulesText::tr("an integer");
            case Type::Kind::Id:
                return RulesText::tr("a string or an integer");
            case Type::Kind::Literal:
                return u'"' + QString::fromLatin1(type.name) + u'"';
            case Type::Kind::Object:
            case Type::Kind::Map:
                return RulesText::tr("an object");
            case Type::Kind::List:
                return RulesText::tr("an array");
            case Type::Kind::Union:
                break;
        }
        QStringList all;
        for (const int branch : branches(number)) {
            if (const QString word = words(branch); !all.contains(word))
                all.append(word);
        }
        return orList(all);
    }

    static QString orList(const QStringList &words)
    {
        return words.size() < 2
                   ? words.join(QString())
                   : RulesText::tr("%1 or %2").arg(words.first(words.size() - 1).join(u", "_s), words.last());
    }

    static QString inside(const QString &place, const QString &member)
    {
        return place.isEmpty() ? member : place + u'.' + member;
    }

    const Rules &m_rules;
    QStringList m_findings;
};

bool isKnownMethod(const QString &method)
{
    for (const Revision revision :
         {Revision::R20241105, Revision::R20250326, Revision::R20250618, Revision::R20251125, Revision::R20260728}) {
        for (const auto &methods : rulesOf(revision).methods) {
            if (methods.contains(method))
                return true;
        }
    }
    return false;
}

QString problemOfMethod(const Message &message, Sender sender, const Rules &rules, Revision revision)
{
    const QString &method = message.method();
    const Sender other = sender == Sender::Client ? Sender::Server : Sender::Client;
    if (rules.methods[size_t(other)].contains(method))
        return sender == Sender::Server
                   ? RulesText::tr("Servers do not send %1 in revision %2.").arg(method, toString(revision))
                   : RulesText::tr("Clients do not send %1 in revision %2.").arg(method, toString(revision));
    return isKnownMethod(method) ? RulesText::tr("Revision %1 has no %2.").arg(toString(revision), method) : QString();
}

void checkCall(const Message &message, Sender sender, const Rules &rules, Revision revision, Checker *checker)
{
    const auto &methods = rules.methods[size_t(sender)];
    const auto method = methods.constFind(message.method());
    if (method == methods.constEnd()) {
        if (const QString problem = problemOfMethod(message, sender, rules, revision); !problem.isEmpty())
            checker->add(problem);
        return;
    }
    const bool isNotification = message.kind() == Message::Kind::Notification;
    if (isNotification != method->isNotification)
        checker->add(isNotification
                         ? RulesText::tr("%1 is a request and needs an 'id'.").arg(message.method())
                         : RulesText::tr("%1 is a notification and must not have an 'id'.").arg(message.method()));
    const json::Value params = message.params();
    if (params.exists())
        checker->check(params, method->params, u"params"_s);
    else if (!method->mayOmitParams)
        checker->add(RulesText::tr("'params' is missing."));
}

}  // namespace

QStringList messageFindings(const Message &message, Sender sender, const QString &requestMethod, Revision revision)
{
    const Rules &rules = rulesOf(revision);
    Checker checker(rules);
    switch (message.kind()) {
        case Message::Kind::Request:
        case Message::Kind::Notification:
            checkCall(message, sender, rules, revision, &checker);
            break;
        case Message::Kind::Result: {
            const auto &methods = rules.methods[size_t(sender == Sender::Client ? Sender::Server : Sender::Client)];
            const auto method = methods.constFind(requestMethod);
            if (method != methods.constEnd() && !method->isNotification)
                checker.check(message.result(), method->result, u"result"_s);
            break;
        }
        case Message::Kind::Error: {
            const json::Value error = message.error();
            const auto data = rules.errors.constFind(int(error[u"code"].toInteger().value_or(0)));
            if (data != rules.errors.constEnd() && error[u"data"].exists())
                checker.check(error[u"data"], *data, u"error.data"_s);
            else if (data != rules.errors.constEnd())
                checker.add(RulesText::tr("'error.data' is missing."));
            break;
        }
        case Message::Kind::Invalid:
        case Message::Kind::Batch:
            break;
    }
    return checker.findings();
}

QStringList shapeFindings(const json::Value &value, QStringView shape, Revision revision, const QString &root)
{
    const Rules &rules = rulesOf(revision);
    const auto type = rules.shapes.constFind(shape.toLatin1());
    if (type == rules.shapes.constEnd())
        return {};
    if (!value.exists())
        return {RulesText::tr("'%1' is missing.").arg(root)};
    Checker checker(rules);
    checker.check(value, *type, value.isObject() ? QString() : root);
    return checker.findings();
}

QString shownValue(const json::Value &value)
{
    constexpr int maxLength = 40;
    if (!value.exists())
        return RulesText::tr("missing");
    if (value.isObject())
        return RulesText::tr("an object");
    if (value.isArray())
        return RulesText::tr("an array");
    return visibleLine(QString::fromUtf8(value.slice().first(qMin<qsizetype>(value.slice().size(), 4 * maxLength))),
                       maxLength);
}

QString problemOfServerRequest(const QString &method, const QSet<QString> &declared, bool isInitialized,
                               Revision revision)
{
    if (method == methods::Ping)
        return {};
    const bool isOfRevision = rulesOf(revision).methods[size_t(Sender::Server)].contains(method);
    // A capability has the name that its methods begin with.
    const QString capability = method.section(u'/', 0, 0);
    if (isOfRevision && !declared.contains(capability))
        return RulesText::tr("The client did not declare '%1'.").arg(capability);
    const bool mayBeExtended = declared.contains(u"experimental"_s) || declared.contains(u"extensions"_s);
    if (!isKnownMethod(method) && !mayBeExtended)
        return RulesText::tr("Revision %1 has no such request, and the client declared no extension.")
            .arg(toString(revision));
    return isInitialized ? QString()
                         : RulesText::tr("Before notifications/initialized a server may send no request but ping.");
}

}  // namespace sonde
