// SPDX-License-Identifier: Apache-2.0
#include "tests/support/testregistry.h"
#include "ui/json/jsontreemodel.h"
#include "ui/json/jsontreeview.h"

#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QGuiApplication>
#include <QTest>

using namespace Qt::StringLiterals;

namespace sonde::ui {

class TestJsonTreeView : public QObject {
    Q_OBJECT

private:
    static QString textAt(const JsonTreeModel &model, const QModelIndex &index)
    {
        return model.data(index, Qt::DisplayRole).toString();
    }

    static void fetchAll(JsonTreeModel &model, const QModelIndex &index)
    {
        while (model.canFetchMore(index))
            model.fetchMore(index);
    }

private Q_SLOTS:
    void showsWhatWasWritten()
    {
        JsonTreeModel model;
        model.setValue(json::parse(R"({"z":1.0,"a":[true,null],"z":12345678901234567890,"s":"tab\tbidi\u202e"})"),
                       u"result"_s);
        // Made now: one that is there during a reset fetches rows within it, and takes that for the model's fault.
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(model.rowCount(), 1);
        const QModelIndex root = model.index(0, 0);
        QCOMPARE(textAt(model, root), u"result: {4}"_s);
        fetchAll(model, root);
        QCOMPARE(model.rowCount(root), 4);  // both of the same name, in their order
        QCOMPARE(textAt(model, model.index(0, 0, root)), u"z: 1.0"_s);
        QCOMPARE(textAt(model, model.index(1, 0, root)), u"a: [2]"_s);
        QCOMPARE(textAt(model, model.index(2, 0, root)), u"z: 12345678901234567890"_s);
        QVERIFY(!textAt(model, model.index(3, 0, root)).contains(QChar(0x202e)));
        const QModelIndex list = model.index(1, 0, root);
        fetchAll(model, list);
        QCOMPARE(textAt(model, model.index(1, 0, list)), u"1: null"_s);
        QCOMPARE(model.parent(list), root);
    }

    void childrenComeInPieces()
    {
        QByteArray text = "[";
        for (int i = 0; i < 100000; ++i)
            text += (i ? "," : "") + QByteArray::number(i);
        text += ']';
        JsonTreeModel model;
        model.setValue(json::parse(text), u"list"_s);
        const QModelIndex root = model.index(0, 0);
        QCOMPARE(textAt(model, root), u"list: [100000]"_s);
        model.fetchMore(root);
        QVERIFY(model.rowCount(root) > 0 && model.rowCount(root) < 5000);
        while (model.canFetchMore(root))
            model.fetchMore(root);
        QCOMPARE(model.rowCount(root), 100000);
        QCOMPARE(textAt(model, model.index(99999, 0, root)), u"99999: 99999"_s);
    }

    void longStringsAreNotDecoded()
    {
        JsonTreeModel model;
        model.setValue(json::parse("[\"" + QByteArray(5000000, 'x') + "\"]"), {});
        model.fetchMore({});
        QVERIFY(textAt(model, model.index(0, 0)).size() < 2000);
    }

    void scalarsAndNothing()
    {
        JsonTreeModel model;
        model.setValue(json::parse("42"), {});
        QCOMPARE(model.rowCount(), 1);
        QCOMPARE(textAt(model, model.index(0, 0)), u"42"_s);
        model.setValue({}, {});
        QCOMPARE(model.rowCount(), 0);
        model.setValue(json::parse("{}"), {});
        QCOMPARE(model.rowCount(), 0);
    }

    void firstLevelsAreExpandedUpToALimit()
    {
        JsonTreeView view;
        view.setValue(json::parse(R"({"few":{"a":1},"many":[)" + QByteArray("0,").repeated(200) + "0]}"), u"result"_s);
        const QModelIndex root = view.model()->index(0, 0);
        QVERIFY(view.isExpanded(root));
        QVERIFY(view.isExpanded(view.model()->index(0, 0, root)));
        QVERIFY(!view.isExpanded(view.model()->index(1, 0, root)));
    }

    void findingsStandBesideTheirNodes()
    {
        JsonTreeView view;
        view.setValue(json::parse(R"({"a":{"b":"0"},"c":1})"));
        view.setFindings({{json::Pointer({u"a"_s, u"b"_s}), u"must be integer"_s},
                          {json::Pointer({u"missing"_s}), u"is required"_s}});
        const QAbstractItemModel *model = view.model();
        const QModelIndex a = model->index(0, 0);
        QVERIFY(a.data(JsonTreeModel::WithinRole).toBool());
        QVERIFY(view.isExpanded(a));
        QCOMPARE(model->index(0, 0, a).data(JsonTreeModel::FindingRole).toString(), u"must be integer"_s);
        QVERIFY(model->index(1, 0).data(JsonTreeModel::FindingRole).toString().isEmpty());
        view.resize(300, 200);
        view.grab();
    }

    void tellsAndCopiesTheCurrentValue()
    {
        JsonTreeView view;
        view.setValue(json::parse(R"({"text":"one\ntwo","n":1.50})"));
        json::Value told;
        connect(&view, &JsonTreeView::currentValueChanged, this, [&told](const json::Value &value) { told = value; });
        view.setCurrentIndex(view.model()->index(1, 0));
        QCOMPARE(told.numberText(), "1.50"_ba);
        QTest::keyClick(&view, Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(QGuiApplication::clipboard()->text(), u"1.50"_s);
        view.setCurrentIndex(view.model()->index(0, 0));
        QTest::keyClick(&view, Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(QGuiApplication::clipboard()->text(), u"one\ntwo"_s);
    }
};

}  // namespace sonde::ui

using TestJsonTreeView = sonde::ui::TestJsonTreeView;
SONDE_TEST(TestJsonTreeView)
#include "tst_jsontreeview.moc"
