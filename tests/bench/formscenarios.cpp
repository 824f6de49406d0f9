// Forms of many fields: a key in the last row, and how long it takes to open them and to reach a field that was not
// drawn yet. Beside each key the same key in a plain QFormLayout of the same fields.
// SPDX-License-Identifier: Apache-2.0
#include "core/json/builder.h"
#include "tests/bench/benchtools.h"
#include "tests/bench/scenarios.h"
#include "ui/form/formjson.h"
#include "ui/form/jsoncompletion.h"
#include "ui/form/jsoneditor.h"
#include "ui/form/schemaform.h"

#include <QApplication>
#include <QClipboard>
#include <QElapsedTimer>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QScrollArea>
#include <QTest>
#include <algorithm>

namespace sonde::bench {

using namespace Qt::StringLiterals;

namespace {

constexpr int FieldsOfARow = 5;
constexpr int KeysTyped = 40;
constexpr QSize FormSize(560, 800);

QByteArray describedField(const QByteArray &name)
{
    return '"' + name + R"(":{"type":"string","maxLength":400,"description":"What )" + name +
           R"( is for, in a sentence that is long enough to need a second line in a form of an ordinary width."})";
}

QByteArray rowsSchema()
{
    QByteArray fields;
    for (int i = 0; i < FieldsOfARow; ++i)
        fields += (i ? "," : "") + describedField("field" + QByteArray::number(i));
    return R"({"type":"object","properties":{"rows":{"type":"array","items":{"type":"object","required":["field0"],)"
           R"("properties":{)" +
           fields + "}}}}}";
}

QByteArray rowsValue(int rows)
{
    QByteArray value;
    for (int row = 0; row < rows; ++row) {
        value += row ? ",{" : "{";
        for (int i = 0; i < FieldsOfARow; ++i)
            value += (i ? ",\"field" : "\"field") + QByteArray::number(i) + "\":\"some words\"";
        value += '}';
    }
    return "{\"rows\":[" + value + "]}";
}

QByteArray numberedName(int number)
{
    return "field_" + QByteArray::number(number).rightJustified(4, '0');
}

QByteArray wideSchema(int fields)
{
    QByteArray properties;
    for (int i = 0; i < fields; ++i) {
        properties += (i ? "," : "") + describedField(numberedName(i));
    }
    const QByteArray required = '"' + numberedName(0) + "\",\"" + numberedName(fields - 1) + '"';
    return "{\"type\":\"object\",\"required\":[" + required + "],\"properties\":{" + properties + "}}";
}

// Until nothing has happened for a while: what a key starts in the background belongs to it.
void idle(Turns *turns, int quietMs = 30)
{
    QElapsedTimer quiet;
    quiet.start();
    while (!quiet.hasExpired(quietMs))
        turns->measure([] { QCoreApplication::processEvents(); });
}

struct Keys {
    QList<double> cpuMs;
    double longestTurnMs = 0;
};

Keys typeInto(QWidget *edit)
{
    Keys keys;
    edit->setFocus();
    Turns before;
    idle(&before, 500);
    Turns turns;
    for (int i = 0; i < KeysTyped; ++i) {
        const double start = threadCpuMs();
        turns.measure([edit] { QTest::keyClick(edit, Qt::Key_X); });
        // What takes processor time is what is done for this key; waiting in long steps takes next to none.
        QElapsedTimer quiet;
        quiet.start();
        double last = threadCpuMs();
        while (!quiet.hasExpired(30)) {
            turns.measure([] { QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents, 5); });
            if (threadCpuMs() - last > 0.5)
                quiet.restart();
            last = threadCpuMs();
            QTest::qSleep(5);
        }
        keys.cpuMs.append(threadCpuMs() - start);
    }
    keys.longestTurnMs = turns.longestCpuMs();
    return keys;
}

void addKeys(Report *report, const QString &prefix, const Keys &keys)
{
    report->figure(prefix + u"key_p50_cpu_ms"_s, percentile(keys.cpuMs, 0.5));
    report->figure(prefix + u"key_max_cpu_ms"_s, *std::max_element(keys.cpuMs.begin(), keys.cpuMs.end()));
    report->figure(prefix + u"longest_turn_cpu_ms"_s, keys.longestTurnMs);
}

Keys typeIntoPlainLayout(int rows)
{
    QScrollArea area;
    area.setWidgetResizable(true);
    auto *content = new QWidget;
    auto *layout = new QFormLayout(content);
    QPlainTextEdit *last = nullptr;
    for (int i = 0; i < rows * FieldsOfARow; ++i) {
        auto *description = new QLabel(
            u"What it is for, in a sentence that is long enough to need a second line in a form of an ordinary width."_s);
        description->setWordWrap(true);
        layout->addRow(description);
        last = new QPlainTextEdit(u"some words"_s);
        last->setFixedHeight(28);
        layout->addRow(u"field%1"_s.arg(i % FieldsOfARow), last);
    }
    area.setWidget(content);
    area.resize(FormSize);
    area.show();
    Turns turns;
    idle(&turns, 300);
    area.ensureWidgetVisible(last);
    return typeInto(last);
}

void measureRows(int rows)
{
    ui::SchemaForm form;
    form.resize(FormSize);
    const json::Value schema = json::parse(rowsSchema());
    const json::Value value = json::parse(rowsValue(rows));
    Turns opening;
    const double start = threadCpuMs();
    opening.measure([&] {
        form.setSchema(schema);
        form.setValue(value);
    });
    opening.measure([&] { form.show(); });
    idle(&opening, 500);
    const double opened = threadCpuMs() - start;

    const json::Pointer place({u"rows"_s, QString::number(rows - 1), u"field4"_s});
    Turns reaching;
    reaching.measure([&] { form.focusPlace(place); });
    idle(&reaching, 500);
    auto *edit = form.findChild<QPlainTextEdit *>(u"field:"_s + place.toString());
    if (!edit)
        giveUp(u"The last row was not drawn"_s);
    const Keys keys = typeInto(edit);
    if (!form.value().contains("some words" + QByteArray(KeysTyped, 'x')) &&
        !form.value().contains(QByteArray(KeysTyped, 'x')))
        giveUp(u"Keys were lost"_s);

    Report report(u"forms");
    report.count(u"rows", rows);
    addKeys(&report, {}, keys);
    report.figure(u"opening_cpu_ms", opened);
    report.figure(u"opening_longest_turn_cpu_ms", opening.longestCpuMs());
    report.figure(u"reaching_longest_turn_cpu_ms", reaching.longestCpuMs());
    if (rows <= 100)  // a plain layout of 5,000 fields takes minutes
        addKeys(&report, u"plain_"_s, typeIntoPlainLayout(rows));
}

void measureWide(int fields)
{
    ui::SchemaForm form;
    form.resize(FormSize);
    const json::Value schema = json::parse(wideSchema(fields));
    Turns opening;
    opening.measure([&] {
        form.setSchema(schema);
        form.show();
    });
    idle(&opening, 1000);
    const QString name = QString::fromLatin1(numberedName(fields - 1));
    Turns reaching;
    const double cpu = threadCpuMs();
    const double wall = wallMs();
    reaching.measure([&] { form.focusPlace(json::Pointer({name})); });
    const bool reached = reaching.runUntil([&] {
        const auto *edit = form.findChild<QWidget *>(u"field:/"_s + name);
        return edit && edit->hasFocus() && !edit->visibleRegion().isEmpty();
    });
    const double reachedWall = wallMs() - wall;
    idle(&reaching, 500);
    const double reachedCpu = threadCpuMs() - cpu;
    Turns more;
    const double moreCpu = threadCpuMs();
    if (auto *button = form.findChild<QWidget *>(u"more-fields:"_s)) {
        more.measure([button] { QTest::mouseClick(button, Qt::LeftButton); });
        idle(&more, 500);
    }
    Report report(u"forms");
    report.count(u"fields", fields);
    report.count(u"reached", reached);
    report.figure(u"opening_longest_turn_cpu_ms", opening.longestCpuMs());
    report.figure(u"reaching_last_ms", reachedWall);
    report.figure(u"reaching_last_cpu_ms", reachedCpu);
    report.figure(u"reaching_last_longest_turn_cpu_ms", reaching.longestCpuMs());
    report.figure(u"show_100_more_cpu_ms", threadCpuMs() - moreCpu);
    report.figure(u"show_100_more_longest_turn_cpu_ms", more.longestCpuMs());
}

// What the clipboard itself takes is measured apart: Qt copies and decodes the text before anybody sees it.
void measurePaste(const QString &into, const QByteArray &property, const QString &what, const QString &text)
{
    ui::SchemaForm form;
    form.resize(FormSize);
    form.setSchema(json::parse(R"({"type":"object","properties":{"text":)" + property + "}}"));
    form.show();
    auto *edit = form.findChild<QWidget *>(u"field:/text"_s);
    edit->setFocus();
    Turns turns;
    idle(&turns, 200);
    QApplication::clipboard()->setText(text);
    Report report(u"forms");
    report.text(u"pasted_into", into);
    report.text(u"text", what);
    report.count(u"pasted", text.size());
    Turns reading;
    reading.measure([] { (void)QApplication::clipboard()->text(); });
    report.figure(u"clipboard_cpu_ms", reading.longestCpuMs());
    for (const QString &which : {u"pasting"_s, u"pasting_again"_s}) {
        Turns pasting;
        const double cpu = threadCpuMs();
        pasting.measure([edit] { QTest::keySequence(edit, QKeySequence::Paste); });
        const double inKey = pasting.longestCpuMs();
        idle(&pasting, 1000);
        report.figure(which + u"_cpu_ms"_s, threadCpuMs() - cpu);
        report.figure(which + u"_key_cpu_ms"_s, inKey);
        report.figure(which + u"_longest_turn_cpu_ms"_s, pasting.longestCpuMs());
    }
    report.count(u"sent_bytes", form.value().size());
}

// The form, and its JSON beside it: a key on either side reaches the other.
class Sides {
public:
    Sides()
    {
        auto *row = new QHBoxLayout(&window);
        row->addWidget(form);
        row->addWidget(text);
        text->setLineNumbers();
        new ui::JsonCompletion(text, form);
        window.resize(2 * FormSize.width(), FormSize.height());
    }

    QWidget window;
    ui::SchemaForm *form = new ui::SchemaForm;
    ui::JsonEditor *text = new ui::JsonEditor;
    ui::FormJson both{form, text, nullptr};
};

void measureSides(int rows)
{
    Sides sides;
    sides.form->setSchema(json::parse(rowsSchema()));
    sides.both.setValue(rowsValue(rows));
    sides.both.setShown(true, true);
    sides.window.show();
    Turns opening;
    idle(&opening, 500);
    auto *field = sides.form->findChild<QPlainTextEdit *>(u"field:/rows/0/field4"_s);
    if (!field)
        giveUp(u"The first row was not drawn"_s);
    const Keys inForm = typeInto(field);
    QPlainTextEdit *edit = sides.text->edit();
    QTextCursor cursor = edit->document()->find(u"some words"_s);
    cursor.setPosition(cursor.selectionStart() + 4);
    edit->setTextCursor(cursor);
    const Keys inText = typeInto(edit);
    // A long text is read a moment after the last key.
    if (!sides.both.finish() || json::compact(json::parse(sides.text->json())) != sides.form->value())
        giveUp(u"The two sides differ"_s);
    Report report(u"forms");
    report.count(u"both_sides_rows", rows);
    report.count(u"text", sides.text->json().size());
    addKeys(&report, u"form_"_s, inForm);
    addKeys(&report, u"text_"_s, inText);
}

void measurePasteAsJson(const QString &what, const QString &pasted)
{
    for (const bool isFormShown : {false, true}) {
        Sides sides;
        sides.form->setSchema(json::parse(R"({"type":"object","properties":{"text":{"type":"string"},)"
                                          R"("list":{"type":"array","items":{"type":"integer"}}}})"));
        sides.both.setShown(isFormShown, true);
        sides.window.show();
        sides.text->edit()->setFocus();
        sides.text->edit()->selectAll();
        Turns turns;
        idle(&turns, 200);
        QApplication::clipboard()->setText(pasted);
        Turns reading;
        reading.measure([] { (void)QApplication::clipboard()->text(); });
        Turns key;
        key.measure([&sides] { QTest::keySequence(sides.text->edit(), QKeySequence::Paste); });
        // Until a worker has read the text, and the form shows it.
        const auto settle = [&sides](Turns *seen) {
            idle(seen, 200);
            if (!seen->runUntil([&sides] { return !sides.text->isPending(); }))
                giveUp(u"The text was not read"_s);
            idle(seen, 1000);
        };
        Turns after;
        settle(&after);
        Turns more;
        more.measure([&sides] { QTest::keyClick(sides.text->edit(), Qt::Key_Space); });
        settle(&more);
        Report report(u"forms");
        report.text(u"pasted_into", isFormShown ? u"json beside the form"_s : u"json alone"_s);
        report.text(u"text", what);
        report.count(u"pasted", pasted.size());
        report.figure(u"clipboard_cpu_ms", reading.longestCpuMs());
        report.figure(u"pasting_key_cpu_ms", key.longestCpuMs());
        report.figure(u"pasting_longest_turn_cpu_ms", after.longestCpuMs());
        report.figure(u"next_key_longest_turn_cpu_ms", more.longestCpuMs());
    }
}

}  // namespace

void measureForms(const Settings &settings)
{
    const QList<int> rows = settings.count > 0 ? QList<int>{settings.count} : QList<int>{10, 40, 1000};
    for (const int count : rows)
        measureRows(count);
    for (const int fields : {800, 2000})
        measureWide(fields);
    for (const int count : {10, 100, 1000})
        measureSides(count);
    for (const qsizetype characters : {2'000'000, 20'000'000}) {
        measurePasteAsJson(u"one string"_s, u"{\"text\": \""_s + QString(characters, u'x') + u"\"}"_s);
        measurePasteAsJson(u"numbers"_s, u"{\"list\": [1"_s + u",12345"_s.repeated(characters / 6) + u"]}"_s);
        measurePasteAsJson(u"lines"_s, u"{\"list\": [\n1"_s + u",\n12345"_s.repeated(characters / 7) + u"]}"_s);
    }
    for (const qsizetype characters : {2'000'000, 20'000'000}) {
        const QString line(characters, u'x');
        const QString lines = u"some words\n"_s.repeated(characters / 11);
        measurePaste(u"text"_s, R"({"type":"string"})", u"one line"_s, line);
        measurePaste(u"text"_s, R"({"type":"string"})", u"lines"_s, lines);
        measurePaste(u"text"_s, R"({"type":"string"})", u"lines, CR LF"_s, QString(lines).replace(u'\n', u"\r\n"_s));
        measurePaste(u"line"_s, R"({"type":"integer"})", u"one line"_s, QString(characters, u'9'));
        measurePaste(u"json"_s, "{}", u"one string"_s, u'"' + line + u'"');
        measurePaste(u"json"_s, "{}", u"numbers"_s, u"[1"_s + u",12345"_s.repeated(characters / 6) + u']');
    }
}

}  // namespace sonde::bench
