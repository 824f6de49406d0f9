// JSON as raw text, as the demo server passes it on: read by slices, written in the order of the calls.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QList>
#include <QString>

namespace sonde::demo::json {

struct Member {
    QString name;
    QByteArray value;  // exactly as written
};

// Strict RFC 8259 with at most 512 nested containers. why: position and reason when it is not.
bool isValid(const QByteArray &text, QString *why = nullptr);
// Without white space between the tokens; every token is kept as written.
QByteArray compacted(const QByteArray &text);

// These expect valid text. The wrong kind of value gives something empty.
QList<Member> members(const QByteArray &object);
QList<QByteArray> elements(const QByteArray &array);
QByteArray member(const QByteArray &object, const QString &name);  // the last one of that name; empty when absent
bool isString(const QByteArray &value);
bool isNumber(const QByteArray &value);
bool isInteger(const QByteArray &value);  // as written: 1.0 is not one
bool isObject(const QByteArray &value);
QString text(const QByteArray &string, const QString &fallback = {});

QByteArray quoted(const QString &text);

// {"name":value,…} in the order of the calls.
class Object {
public:
    Object &raw(const char *name, const QByteArray &value);
    Object &text(const char *name, const QString &value) { return raw(name, quoted(value)); }
    Object &number(const char *name, qint64 value) { return raw(name, QByteArray::number(value)); }
    Object &boolean(const char *name, bool value) { return raw(name, value ? "true" : "false"); }
    QByteArray done() const { return '{' + m_text + '}'; }

private:
    QByteArray m_text;
};

// The object with one member more, at its end.
QByteArray withMember(QByteArray object, const char *name, const QByteArray &value);
QByteArray array(const QList<QByteArray> &values);

}  // namespace sonde::demo::json
