// Where fields are: short ones beside each other, rows that are dragged, and the star of what is required.
// SPDX-License-Identifier: Apache-2.0
#include "core/json/document.h"
#include "tests/support/testregistry.h"
#include "tests/ui/form/formfixture.h"
#include "ui/form/inputs.h"
#include "ui/theme/readingorder.h"
#include "ui/theme/theme.h"

#include <QAbstractButton>
#include <QApplication>
#include <QLabel>
#include <QScrollArea>
#include <QScrollBar>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace sonde;
using sonde::test::FormFixture;

namespace {

const QByteArray Short = R"({"type":"object","required":["width"],"properties":{
    "title":{"type":"string"},"width":{"type":"integer"},"unit":{"enum":["px","mm"]},"exact":{"type":"boolean"},
    "body":{"type":"string"},"height":{"type":"integer"},"ratio":{"type":"number"}}})"_ba;
const QByteArray Strings =
    R"({"type":"object","properties":{"l":{"type":"array","items":{"type":"string"}},"z":{"type":"string"}}})"_ba;

}  // namespace

class TestFormLayout : public QObject, FormFixture {
    Q_OBJECT

    QRect place(const QString &pointer) const
    {
        const auto *widget = find<QWidget>(u"place:"_s + pointer);
        return {widget->mapTo(m_form.get(), QPoint()), widget->size()};
    }
    QWidget *beginDrag(const QString &name, int to) const
    {
        QWidget *handle = find<QWidget>(name);
        const QPoint start = handle->rect().center();
        QTest::mousePress(handle, Qt::LeftButton, {}, start);
        QTest::mouseMove(handle, start + QPoint(0, to / 2));
        QTest::mouseMove(handle, start + QPoint(0, to));
        return handle;
    }
    // Painted over the whole width of the rows: the frame of an input begins behind the handle.
    bool isDropShown() const
    {
        const QImage shown = m_form->grab().toImage();
        const QRect row = place(u"/l/0"_s);
        for (int y = 0; y < shown.height(); ++y) {
            const auto isAccent = [&](int x) {
                return shown.pixelColor(int(x * shown.devicePixelRatio()), y) == ui::colors().accent;
            };
            if (isAccent(row.left() + 2) && isAccent(row.center().x()))
                return true;
        }
        return false;
    }

private Q_SLOTS:
    void init() { begin(); }
    void cleanup() { end(); }

    void shortFieldsShareALine()
    {
        m_form->resize(820, 700);
        open(Short);
        QCOMPARE(place(u"/width"_s).top(), place(u"/unit"_s).top());
        QVERIFY(place(u"/width"_s).right() < place(u"/unit"_s).left());
        // A third one has no other beside it, and a long one has its own line.
        QVERIFY(place(u"/exact"_s).top() > place(u"/unit"_s).bottom());
        QCOMPARE(place(u"/exact"_s).width(), place(u"/title"_s).width());
        QVERIFY(place(u"/body"_s).top() > place(u"/exact"_s).bottom());
        QCOMPARE(place(u"/height"_s).top(), place(u"/ratio"_s).top());
    }

    // With a result beside it, a form is about this wide: fields are paired if nothing of them is cut for that.
    void shortFieldsShareALineWhereTheyCanBeRead()
    {
        m_form->resize(540, 700);
        open(R"({"type":"object","properties":{"width":{"type":"integer"},"unit":{"enum":["px","mm"]},
            "ratio":{"type":"number","exclusiveMinimum":0,"multipleOf":0.0001,"maximum":100000},
            "on":{"type":"boolean"},"off":{"type":"boolean"},
            "why":{"type":"boolean","description":"A sentence that would take two lines in a half of this form."},
            "last":{"type":"boolean"}}})");
        QVERIFY(place(u"/why"_s).width() > 2 * place(u"/width"_s).width());
        QCOMPARE(place(u"/width"_s).top(), place(u"/unit"_s).top());
        QVERIFY(place(u"/ratio"_s).width() > 2 * place(u"/width"_s).width());
        QVERIFY(place(u"/on"_s).top() > place(u"/ratio"_s).bottom());
        QCOMPARE(place(u"/on"_s).top(), place(u"/off"_s).top());
    }

    void tabKeepsTheOrderOfTheSchema()
    {
        m_form->resize(820, 700);
        open(Short);
        QStringList names;
        const QList<QWidget *> stops = ui::focusStops(m_form.get());
        for (const QWidget *stop : stops) {
            if (stop->objectName().startsWith(u"field:"_s))
                names.append(stop->objectName().mid(7));
        }
        QCOMPARE(names, (QStringList{u"title"_s, u"width"_s, u"unit"_s, u"body"_s, u"height"_s, u"ratio"_s}));
    }

    void aProblemMakesItsLineHigher()
    {
        m_form->resize(820, 700);
        open(Short);
        const int before = place(u"/exact"_s).top();
        type(u"field:/width"_s, u"x"_s);
        QTRY_VERIFY(!issueAt(u"/width"_s).isEmpty());
        settle();
        QVERIFY(place(u"/exact"_s).top() > before);
        QCOMPARE(place(u"/width"_s).top(), place(u"/unit"_s).top());
    }

    void aNarrowFormHasOneColumn()
    {
        m_form->resize(400, 700);
        open(Short);
        QVERIFY(place(u"/unit"_s).top() > place(u"/width"_s).bottom());
        QCOMPARE(place(u"/unit"_s).width(), place(u"/title"_s).width());
        m_form->resize(820, 700);
        settle();
        QCOMPARE(place(u"/width"_s).top(), place(u"/unit"_s).top());
    }

    void aRowIsDragged()
    {
        m_form->setBackgroundRole(QPalette::Base);  // as that of a panel
        open(Strings, R"({"l":["a","b","c"]})");
        QWidget *handle = beginDrag(u"drag:/l/0"_s, 300);
        QVERIFY(isDropShown());
        QCOMPARE(m_form->value(), R"({"l":["a","b","c"]})");
        QTest::mouseRelease(handle, Qt::LeftButton, {}, QPoint(0, 300));
        settle();
        QVERIFY(!isDropShown());
        QCOMPARE(m_form->value(), R"({"l":["b","c","a"]})");
        QVERIFY(find<QWidget>(u"field:/l/2"_s)->isVisible());
        QVERIFY(m_form->undo());
        QCOMPARE(m_form->value(), R"({"l":["a","b","c"]})");
        QVERIFY(!m_form->undo());
    }

    void aDragUpwards()
    {
        open(Strings, R"({"l":["a","b","c"]})");
        QWidget *handle = beginDrag(u"drag:/l/2"_s, -40);
        QTest::mouseRelease(handle, Qt::LeftButton, {}, QPoint(0, -40));
        QCOMPARE(m_form->value(), R"({"l":["a","c","b"]})");
    }

    void aDragIsCancelled()
    {
        open(Strings, R"({"l":["a","b","c"]})");
        QWidget *handle = beginDrag(u"drag:/l/0"_s, 300);
        find<QWidget>(u"field:/l/1"_s)->setFocus();
        press(Qt::Key_Escape);
        QVERIFY(!isDropShown());
        QTest::mouseRelease(handle, Qt::LeftButton, {}, QPoint(0, 300));
        QCOMPARE(m_form->value(), R"({"l":["a","b","c"]})");
    }

    void aDragScrollsAtTheEdge()
    {
        m_form->resize(500, 260);
        QByteArray items;
        for (int i = 0; i < 60; ++i)
            items += (i > 0 ? ",\"i" : "\"i") + QByteArray::number(i) + '"';
        open(Strings, "{\"l\":[" + items + "]}");
        QWidget *handle = find<QWidget>(u"drag:/l/0"_s);
        const QScrollBar *bar = m_form->findChild<QScrollArea *>()->verticalScrollBar();
        QTest::mousePress(handle, Qt::LeftButton, {}, QPoint(3, 3));
        QTest::mouseMove(handle, QPoint(3, 60));
        QTest::mouseMove(handle, handle->mapFrom(m_form.get(), QPoint(20, 255)));
        QTRY_VERIFY(bar->value() > 200);
        QTest::mouseRelease(handle, Qt::LeftButton, {}, handle->mapFrom(m_form.get(), QPoint(20, 255)));
        QVERIFY(!m_form->value().startsWith(R"({"l":["i0")"));
        QVERIFY(m_form->value().contains("\"i0\""));
    }

    void aRowGoesWhileItIsDragged()
    {
        open(Strings, R"({"l":["a","b","c"]})");
        (void)beginDrag(u"drag:/l/0"_s, 300);
        m_form->setValue(json::parse(R"({"l":["x"]})"));
        settle();
        QVERIFY(!isDropShown());
        QCOMPARE(m_form->value(), R"({"l":["x"]})");
    }

    // As narrow as between a list of servers and a result; what is sent is said once.
    void aUnionFitsANarrowForm()
    {
        m_form->resize(240, 500);
        open(R"({"type":"object","required":["u"],"properties":{"v":{"anyOf":[{"type":"boolean"},{"type":"string"}]},
                 "u":{"oneOf":[{"type":"object","title":"By number","properties":{"n":{"type":"integer"}}},
                               {"type":"object","title":"By name","properties":{"s":{"type":"string"}}}]}}})");
        const QScrollArea *area = m_form->findChild<QScrollArea *>();
        const auto omitted = [this] {
            qsizetype count = 0;
            const QList<QAbstractButton *> buttons = find<QWidget>(u"place:/v"_s)->findChildren<QAbstractButton *>();
            for (const QAbstractButton *button : buttons)
                count += button->isVisible() && button->text().startsWith(u"Omitted"_s) ? 1 : 0;
            return count;
        };
        QCOMPARE(area->horizontalScrollBar()->maximum(), 0);
        QCOMPARE(omitted(), 1);
        click(u"true:/v"_s);
        settle();
        QCOMPARE(json::parse(m_form->value())[u"v"].bytes(), "true");
        QCOMPARE(area->horizontalScrollBar()->maximum(), 0);
        QVERIFY(place(u"/v"_s).right() <= m_form->width());
        m_form->resize(700, 500);
        settle();
        const auto *picker = find<QWidget>(u"branch:/v"_s);
        const auto *button = find<QWidget>(u"true:/v"_s);
        QCOMPARE(picker->mapTo(m_form.get(), picker->rect().center()).y(),
                 button->mapTo(m_form.get(), button->rect().center()).y());
    }

    // A table may be wider than the form, whose names stay in sight.
    void aFocusScrollsDownOnly()
    {
        m_form->resize(300, 260);
        open(R"({"type":"object","properties":{"l":{"type":"array","items":{"type":"string"}},"z":{"type":"string"}}})",
             R"({"l":["a","b","c","d","e","f","g"]})");
        const QScrollArea *area = m_form->findChild<QScrollArea *>();
        area->widget()->setMinimumWidth(900);
        settle();
        m_form->focusPlace(json::Pointer({u"z"_s}));
        QTRY_VERIFY(area->verticalScrollBar()->value() > 0);
        QCOMPARE(area->horizontalScrollBar()->value(), 0);
    }

    void textTypedAtTheButtonToAddIsARow()
    {
        open(Strings);
        find<QWidget>(u"add:/l"_s)->setFocus();
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_A);
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_B);
        settle();
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_C);
        QCOMPARE(m_form->value(), R"({"l":["abc"]})");
        QCOMPARE(QApplication::focusWidget(), find<QWidget>(u"field:/l/0"_s));
    }

    void arrowsOpenAndCloseAGroup()
    {
        open(R"({"type":"object","properties":{"g":{"type":"object","properties":{"a":{"type":"string"}}}}})");
        auto *expander = find<QWidget>(u"open:/g"_s);
        expander->setFocus();
        press(Qt::Key_Right, Qt::AltModifier);  // goes to the next control
        expander->setFocus();
        QVERIFY(!find<QWidget>(u"field:/g/a"_s));
        press(Qt::Key_Right);
        QVERIFY(find<QWidget>(u"field:/g/a"_s)->isVisible());
        press(Qt::Key_Left);
        QVERIFY(!find<QWidget>(u"field:/g/a"_s)->isVisible());
        QCOMPARE(QApplication::focusWidget(), expander);
    }

    // In the middle, where a name that is cut to one line has its ellipsis.
    void longNamesAreToldApart()
    {
        m_form->resize(300, 700);
        const QByteArray name =
            "the_configuration_parameter_number_%_which_controls_retry_back_off_and_pooling_behaviour";
        const auto named = [&name](const char *number) { return QByteArray(name).replace("%", number); };
        open(R"({"type":"object","required":[")" + named("003") + R"("],"properties":{")" + named("003") +
             R"(":{"type":"integer","minimum":0,"maximum":10000},")" + named("004") +
             R"(":{"type":"integer","minimum":0,"maximum":10000},"short":{"type":"integer"}}})");
        const auto texts = [this](const QByteArray &field) {
            return find<QWidget>(u"place:/"_s + QString::fromUtf8(field))->findChildren<ui::ElidedText *>();
        };
        const QList<ui::ElidedText *> one = texts(named("003"));
        const QList<ui::ElidedText *> other = texts(named("004"));
        QCOMPARE(one.size(), 2);
        QCOMPARE(other.size(), 2);
        QVERIFY(one.at(0)->grab().toImage() != other.at(0)->grab().toImage());
        for (const ui::ElidedText *hint : {one.at(1), other.at(1)}) {
            QVERIFY(hint->text().contains(u"integer"_s));
            QVERIFY(hint->width() >= hint->sizeHint().width());
            QVERIFY(hint->mapTo(m_form.get(), QPoint(hint->width(), 0)).x() <= m_form->width());
        }
        // What fits stays on one line.
        const QList<ui::ElidedText *> both = texts("short");
        QCOMPARE(both.at(0)->mapTo(m_form.get(), both.at(0)->rect().center()).y(),
                 both.at(1)->mapTo(m_form.get(), both.at(1)->rect().center()).y());
        m_form->resize(1800, 700);
        settle();
        QVERIFY(one.at(0)->width() >= one.at(0)->sizeHint().width());
        QCOMPARE(one.at(0)->height(), both.at(0)->height());
    }

    void theValueOfANarrowUnionHasItsLine()
    {
        m_form->resize(250, 500);
        open(R"({"type":"object","properties":{"v":{"type":["string","number","boolean","null"]}}})", R"({"v":18})");
        const auto within = [this](const QString &name) {
            const auto *widget = find<QWidget>(name);
            return QRect(widget->mapTo(m_form.get(), QPoint()), widget->size());
        };
        const QRect presence = within(u"presence:/v"_s);
        const QRect input = within(u"field:/v"_s);
        QVERIFY(input.top() > presence.bottom());
        QVERIFY(input.right() > presence.left() + presence.width() / 2);
        QCOMPARE(within(u"branch:/v"_s).center().y(), presence.center().y());
        QCOMPARE(presence.right(), place(u"/v"_s).right());
        choose(u"presence:/v"_s, u"json"_s);
        settle();
        choose(u"presence:/v"_s, u"json"_s);
        settle();
        QCOMPARE(within(u"presence:/v"_s), presence);
    }

    void theButtonsOfATupleAreBesideItsValues()
    {
        open(R"({"type":"object","properties":{"at":{"type":"array","prefixItems":[
                 {"type":"number","title":"West"},{"type":"number","title":"South"}]}}})",
             R"({"at":[1,2]})");
        const auto centerOf = [this](const QString &name) {
            const auto *widget = find<QWidget>(name);
            return widget->mapTo(m_form.get(), widget->rect().center()).y();
        };
        QCOMPARE(centerOf(u"drag:/at/1"_s), centerOf(u"field:/at/1"_s));
        QCOMPARE(centerOf(u"remove:/at/1"_s), centerOf(u"field:/at/1"_s));
        const auto *title = find<QWidget>(u"place:/at/1"_s)->findChild<ui::ElidedText *>();
        const auto *input = find<QWidget>(u"field:/at/1"_s)->parentWidget();
        QCOMPARE(title->mapTo(m_form.get(), QPoint()).x(), input->mapTo(m_form.get(), QPoint()).x());
    }

    // The end of what is within may be far away.
    void whatIsWrongWithAGroupIsSaidAtItsName()
    {
        open(R"({"type":"object","required":["g"],"properties":{"g":{"type":"object","minProperties":1,"properties":{
                 "a":{"type":"string"},"b":{"type":"string"}}}}})");
        m_form->markSubmitted();
        QTRY_VERIFY(!issueAt(u"/g"_s).isEmpty());
        settle();
        const auto *issue = find<QLabel>(u"issue:/g"_s);
        QVERIFY(issue->mapTo(m_form.get(), QPoint(0, issue->height())).y() <= place(u"/g/a"_s).top());
        QVERIFY(issue->mapTo(m_form.get(), QPoint()).y() > place(u"/g"_s).top());
    }

    void aWrongNameIsMarkedAtTheName()
    {
        open(R"({"type":"object","properties":{"env":{"type":"object","additionalProperties":{"type":"integer"},
                 "propertyNames":{"pattern":"^[A-Z]+$"}}}})",
             R"({"env":{"path":1,"HOME":"x"}})");
        const auto isMarked = [this](const QString &name) {
            const QImage box = find<QWidget>(name)->parentWidget()->grab().toImage();
            for (int y = 0; y < 3; ++y) {
                if (box.pixelColor(box.width() / 2, y) == ui::colors().protocolError)
                    return true;
            }
            return false;
        };
        QTRY_VERIFY(!issueAt(u"/env/path"_s).isEmpty());
        QTRY_VERIFY(!issueAt(u"/env/HOME"_s).isEmpty());
        QVERIFY(isMarked(u"key:/env/path"_s));
        QVERIFY(!isMarked(u"field:/env/path"_s));
        QVERIFY(!isMarked(u"key:/env/HOME"_s));
        QVERIFY(isMarked(u"field:/env/HOME"_s));
    }

    void textTypedAtTheButtonToAddAListIsItsFirstItem()
    {
        open(R"({"type":"object","properties":{"m":{"type":"array",
                 "items":{"type":"array","items":{"type":"number"}}}}})");
        find<QWidget>(u"add:/m"_s)->setFocus();
        press(Qt::Key_Return);
        for (const Qt::Key digit : {Qt::Key_1, Qt::Key_2})
            QTest::keyClick(QApplication::focusWidget(), digit);
        QCOMPARE(m_form->value(), R"({"m":[[12]]})");
        settle();
        find<QWidget>(u"add:/m"_s)->setFocus();
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_3);
        settle();
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_4);
        QCOMPARE(m_form->value(), R"({"m":[[12],[34]]})");
    }

    void theStarComesWhileTyping()
    {
        open(R"({"type":"object","properties":{"a":{"type":"string"}},
                 "if":{"properties":{"a":{"const":"x"}},"required":["a"]},"then":{"required":["a"]}})");
        const auto hasStar = [this] {
            const QList<QLabel *> labels = find<QWidget>(u"place:/a"_s)->findChildren<QLabel *>();
            return std::any_of(labels.cbegin(), labels.cend(),
                               [](const QLabel *label) { return label->text() == u"*"_s && label->isVisible(); });
        };
        QVERIFY(!hasStar());
        type(u"field:/a"_s, u"x"_s);
        QVERIFY(hasStar());
        QCOMPARE(QApplication::focusWidget(), find<QWidget>(u"field:/a"_s));
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Y);
        QVERIFY(!hasStar());
    }
};

SONDE_TEST(TestFormLayout)
#include "tst_formlayout.moc"
