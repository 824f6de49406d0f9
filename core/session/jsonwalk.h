// Where within a message's text a secret stands.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArrayView>

namespace sonde {

// Walks over the text of valid JSON in units that must stay whole: an escape, or a byte.
class JsonWalk {
public:
    explicit JsonWalk(QByteArrayView text) : m_text(text) {}

    qsizetype start() const { return m_start; }
    qsizetype end() const { return m_start + length(); }
    bool inString() const { return m_inString; }
    bool atEnd() const { return m_start >= m_text.size(); }
    void next();

    // Whether it stands in what holds a message together: the name of a member, true, false or null, the type of
    // something, or what names a message or a record of its own accord (jsonrpc, id, method, what …).
    bool isStructure() const;

private:
    qsizetype length() const;
    bool isMemberName() const;

    QByteArrayView m_text;
    qsizetype m_start = 0;
    bool m_inString = false;
    bool m_isBatch = false;
    int m_depth = 0;
    qsizetype m_stringStart = 0;  // of the string it is in or that it was in last, without its quote
    QByteArrayView m_lastString;
    QByteArrayView m_name;                  // of the member whose value it is in
    mutable qsizetype m_judgedString = -1;  // the start of the one that m_isMemberName tells of
    mutable bool m_isMemberName = false;
};

}  // namespace sonde
