// SPDX-License-Identifier: Apache-2.0
#include "core/export/junitwriter.h"

#include "core/protocol/visibletext.h"

#include <QXmlStreamWriter>
#include <algorithm>

using namespace Qt::StringLiterals;

namespace sonde {

namespace {

// XML 1.0 has no way to write these two; all others that it has none for are made visible everywhere.
QString xmlText(const QString &text)
{
    QString shown = visibleText(text);
    shown.replace(QChar(0xFFFE), u"‹U+FFFE›"_s).replace(QChar(0xFFFF), u"‹U+FFFF›"_s);
    return shown;
}

QString elementOf(JUnitProblem::Kind kind)
{
    switch (kind) {
        case JUnitProblem::Kind::Failure:
            return u"failure"_s;
        case JUnitProblem::Kind::Error:
            return u"error"_s;
        case JUnitProblem::Kind::Skipped:
            break;
    }
    return u"skipped"_s;
}

qsizetype count(const JUnitSuite &suite, JUnitProblem::Kind kind)
{
    qsizetype found = 0;
    for (const JUnitCase &each : suite.cases)
        found += std::ranges::count(each.problems, kind, &JUnitProblem::kind);
    return found;
}

void writeTime(QXmlStreamWriter &xml, qint64 ns)
{
    if (ns >= 0)
        xml.writeAttribute(u"time"_s, QString::number(double(ns) / 1e9, 'f', 6));
}

void writeProblem(QXmlStreamWriter &xml, const JUnitProblem &problem)
{
    if (problem.message.isEmpty() && problem.text.isEmpty())
        return xml.writeEmptyElement(elementOf(problem.kind));
    xml.writeStartElement(elementOf(problem.kind));
    xml.writeAttribute(u"message"_s, xmlText(problem.message));
    if (!problem.type.isEmpty())
        xml.writeAttribute(u"type"_s, problem.type);
    xml.writeCharacters(xmlText(problem.text));
    xml.writeEndElement();
}

void writeCase(QXmlStreamWriter &xml, const JUnitCase &each)
{
    xml.writeStartElement(u"testcase"_s);
    xml.writeAttribute(u"classname"_s, xmlText(each.className));
    xml.writeAttribute(u"name"_s, xmlText(each.name));
    writeTime(xml, each.durationNs);
    for (const JUnitProblem &problem : each.problems)
        writeProblem(xml, problem);
    if (!each.output.isEmpty())
        xml.writeTextElement(u"system-out"_s, xmlText(each.output));
    xml.writeEndElement();
}

}  // namespace

QByteArray junitXml(const QList<JUnitSuite> &suites)
{
    QByteArray text;
    QXmlStreamWriter xml(&text);
    xml.setAutoFormatting(true);
    xml.writeStartDocument();
    xml.writeStartElement(u"testsuites"_s);
    for (const JUnitSuite &suite : suites) {
        xml.writeStartElement(u"testsuite"_s);
        xml.writeAttribute(u"name"_s, xmlText(suite.name));
        xml.writeAttribute(u"tests"_s, QString::number(suite.cases.size()));
        xml.writeAttribute(u"failures"_s, QString::number(count(suite, JUnitProblem::Kind::Failure)));
        xml.writeAttribute(u"errors"_s, QString::number(count(suite, JUnitProblem::Kind::Error)));
        xml.writeAttribute(u"skipped"_s, QString::number(count(suite, JUnitProblem::Kind::Skipped)));
        writeTime(xml, suite.durationNs);
        for (const JUnitCase &each : suite.cases)
            writeCase(xml, each);
        if (!suite.errorOutput.isEmpty())
            xml.writeTextElement(u"system-err"_s, xmlText(suite.errorOutput));
        xml.writeEndElement();
    }
    xml.writeEndElement();
    xml.writeEndDocument();
    return text;
}

}  // namespace sonde
