// Files in fields of encoded bytes: chosen, dropped, refused, and undone.
// SPDX-License-Identifier: Apache-2.0
#include "core/json/document.h"
#include "tests/support/files.h"
#include "tests/support/testregistry.h"
#include "tests/ui/form/formfixture.h"

#include <QApplication>
#include <QClipboard>
#include <QDropEvent>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <QUrl>

using namespace Qt::StringLiterals;
using sonde::test::FormFixture;
using sonde::test::writeFile;

class TestEncodedEditor : public QObject, FormFixture {
    Q_OBJECT

private Q_SLOTS:
    void init() { begin(); }
    void cleanup() { end(); }

    void aFileIsLoaded_data()
    {
        QTest::addColumn<QByteArray>("keywords");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("said");
        QTest::newRow("base64") << R"("contentEncoding":"base64","contentMediaType":"image/png")"_ba << u"+/8A"_s
                                << u"3 B, image/png"_s;
        QTest::newRow("base64url") << R"("contentEncoding":"base64url")"_ba << u"-_8A"_s << u"3 B"_s;
        QTest::newRow("base16") << R"("contentEncoding":"base16")"_ba << u"FBFF00"_s << u"3 B"_s;
        QTest::newRow("hex") << R"("contentEncoding":"hex")"_ba << u"FBFF00"_s << u"3 B"_s;
        QTest::newRow("base32") << R"("contentEncoding":"base32","contentMediaType":"image/png")"_ba << u"7P7QA==="_s
                                << u"3 B, image/png"_s;
        QTest::newRow("base32hex") << R"("contentEncoding":"BASE32HEX")"_ba << u"VFVG0==="_s << u"3 B"_s;
        QTest::newRow("byte") << R"("format":"byte")"_ba << u"+/8A"_s << u"3 B"_s;
        QTest::newRow("binary") << R"("format":"binary")"_ba << u"+/8A"_s << u"3 B"_s;
    }
    void aFileIsLoaded()
    {
        QFETCH(QByteArray, keywords);
        QFETCH(QString, text);
        QFETCH(QString, said);
        openWith(keywords, R"({"data":"old"})");
        const QString path = m_folder.filePath(u"a.bin"_s);
        writeFile(path, QByteArray("\xfb\xff\x00", 3));
        click(u"load:/data"_s);
        auto *dialog = m_form->findChild<QFileDialog *>(u"loadDialog"_s);
        QVERIFY(dialog);
        dialog->selectFile(path);
        QMetaObject::invokeMethod(dialog, "accept");
        QTRY_COMPARE(value(), text);
        QTRY_COMPARE(this->said(), said);
        QCOMPARE(find<QPlainTextEdit>(u"field:/data"_s)->toPlainText(), text);
        QVERIFY(m_form->undo());
        QCOMPARE(value(), u"old"_s);
        QVERIFY(m_form->redo());
        QCOMPARE(value(), text);
        settle();
        QTRY_COMPARE(this->said(), said);
    }

    void aDroppedFileIsLoaded()
    {
        openWith(R"("contentEncoding":"base64")");
        const QString path = m_folder.filePath(u"b.bin"_s);
        writeFile(path, "hello");
        type(u"field:/data"_s, u"x"_s);
        drop({QUrl::fromLocalFile(path)});
        QTRY_COMPARE(value(), u"aGVsbG8="_s);
        QVERIFY(m_form->undo());
        QCOMPARE(value(), u"x"_s);
        drop({QUrl::fromLocalFile(path), QUrl(u"https://example.com/x"_s)});
        QCOMPARE(value(), u"x"_s);
        QVERIFY(said().startsWith(u"▲ Drop one file"_s));
    }

    void theSizeIsThatOfTheContent()
    {
        openWith(R"("contentEncoding":"base64")", R"({"data":"aGVsbG8="})");
        QTRY_COMPARE(said(), u"5 B"_s);
        find<QPlainTextEdit>(u"field:/data"_s)->moveCursor(QTextCursor::Start);
        type(u"field:/data"_s, u"AAAA"_s);
        QTRY_COMPARE(said(), u"8 B"_s);
        type(u"field:/data"_s, u"*"_s);
        QTRY_COMPARE(said(), QString());
        QTRY_COMPARE(issueAt(u"/data"_s), u"◆ should be encoded in base64: character 5, “*”, is not allowed"_s);
    }

    void whatCannotBeReadIsSaid_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("reason");
        QTest::newRow("gone") << u"gone"_s << u"No such file"_s;
        QTest::newRow("folder") << u"folder"_s << u"a folder"_s;
        QTest::newRow("too large") << u"large"_s
                                   << u"▲ large has 50 MB. A message can carry a file of at most 47 MB."_s;
        QTest::newRow("device") << u"/dev/zero"_s << u"a device"_s;
    }
    void whatCannotBeReadIsSaid()
    {
        QFETCH(QString, name);
        QFETCH(QString, reason);
        QDir(m_folder.path()).mkdir(u"folder"_s);
        QFile large(m_folder.filePath(u"large"_s));
        QVERIFY(large.open(QIODevice::WriteOnly) && large.resize(50'000'000));
        openWith(R"("contentEncoding":"base64")", R"({"data":"AAAA"})");
        drop({QUrl::fromLocalFile(name.startsWith(u'/') ? name : m_folder.filePath(name))});
        QTRY_VERIFY2(said().contains(reason), qPrintable(said()));
        QVERIFY(said().startsWith(u"▲"_s));
        QCOMPARE(value(), u"AAAA"_s);
        type(u"field:/data"_s, u"B"_s);
        QTRY_VERIFY(!said().startsWith(u"▲"_s));
    }

    void aLargeFileIsShownInPart()
    {
        openWith(R"("contentEncoding":"base64","contentMediaType":"application/pdf")");
        const QString path = m_folder.filePath(u"c.pdf"_s);
        const QByteArray content(2'500'000, '7');
        writeFile(path, content);
        drop({QUrl::fromLocalFile(path)});
        QTRY_COMPARE(value().size(), content.toBase64().size());
        QTRY_COMPARE(said(), u"2.5 MB, application/pdf"_s);
        QVERIFY(find<QPlainTextEdit>(u"field:/data"_s)->document()->characterCount() < 5000);
        // What is typed behind it belongs to it.
        type(u"field:/data"_s, u"!"_s);
        QCOMPARE(value(), QString::fromLatin1(content.toBase64() + '!'));
        QVERIFY(m_form->undo());
        QCOMPARE(value(), QString::fromLatin1(content.toBase64()));
        QVERIFY(m_form->undo());
        QCOMPARE(m_form->value(), "{}");
    }

    // What is loaded again, as after undo, is not shown as JSON.
    void aVeryLargeFileComesBackInItsField()
    {
        openWith(R"("contentEncoding":"base64")");
        const QString path = m_folder.filePath(u"f.bin"_s);
        const QByteArray content(6'000'000, '7');
        writeFile(path, content);
        drop({QUrl::fromLocalFile(path)});
        const QString text = QString::fromLatin1(content.toBase64());
        QTRY_COMPARE(value().size(), text.size());
        QVERIFY(m_form->undo());
        QCOMPARE(m_form->value(), "{}");
        QVERIFY(m_form->redo());
        settle();
        QTRY_COMPARE(said(), u"6.0 MB"_s);
        auto *edit = find<QPlainTextEdit>(u"field:/data"_s);
        QTRY_VERIFY(!edit->isReadOnly());
        QVERIFY(edit->document()->characterCount() > 100 && edit->document()->characterCount() < 5000);
        QCOMPARE(value(), text);
        type(u"field:/data"_s, u"!"_s);
        QCOMPARE(value(), text + u'!');
    }

    void typingGivesUpReading()
    {
        openWith(R"("contentEncoding":"base64")");
        const QString path = m_folder.filePath(u"d.bin"_s);
        writeFile(path, QByteArray(5'000'000, 'x'));
        drop({QUrl::fromLocalFile(path)});
        type(u"field:/data"_s, u"AAAA"_s);
        QTRY_COMPARE(said(), u"3 B"_s);
        QCOMPARE(value(), u"AAAA"_s);
    }

    void theFormMayGoWhileAFileIsRead()
    {
        openWith(R"("contentEncoding":"base64")");
        const QString path = m_folder.filePath(u"e.bin"_s);
        writeFile(path, QByteArray(5'000'000, 'x'));
        drop({QUrl::fromLocalFile(path)});
        begin();
        QApplication::processEvents();
    }

    void theFocusGoesFromTheTextToTheNextValue()
    {
        openWith(R"("contentEncoding":"base64")");
        type(u"field:/data"_s, u"AAAA"_s);
        press(Qt::Key_Tab);
        QCOMPARE(QApplication::focusWidget()->objectName(), u"field:/n"_s);
        press(Qt::Key_Tab, Qt::ShiftModifier);
        QCOMPARE(QApplication::focusWidget()->objectName(), u"field:/data"_s);
        press(Qt::Key_Right, Qt::AltModifier);
        QCOMPARE(QApplication::focusWidget()->objectName(), u"load:/data"_s);
        press(Qt::Key_Return);
        auto *dialog = m_form->findChild<QFileDialog *>(u"loadDialog"_s);
        QVERIFY(dialog);
        dialog->reject();
        QCOMPARE(value(), u"AAAA"_s);
    }

    // A key that was pasted; its lines are not lost, and hidden whenever it is shown again.
    void aSecretOfSeveralLinesIsPasted()
    {
        open(R"({"type":"object","properties":{"private_key":{"type":"string"}}})");
        QApplication::clipboard()->setText(u"BEGIN\nabc\nEND"_s);
        find<QWidget>(u"field:/private_key"_s)->setFocus();
        press(Qt::Key_V, Qt::ControlModifier);
        QCOMPARE(m_form->value(), R"({"private_key":"BEGIN\nabc\nEND"})");
        m_form->setValue(sonde::json::parse(m_form->value()));
        settle();
        QVERIFY(find<QPlainTextEdit>(u"field:/private_key"_s));
        QVERIFY(find<QWidget>(u"reveal:/private_key"_s)->isVisible());
    }

    void aSecretFileIsNotShown()
    {
        openWith(R"("contentEncoding":"base64","writeOnly":true)");
        const QString path = m_folder.filePath(u"key.der"_s);
        for (const int size : {30, 300'000}) {
            const QByteArray content(size, 'k');
            const QString text = QString::fromLatin1(content.toBase64());
            writeFile(path, content);
            drop({QUrl::fromLocalFile(path)});
            QTRY_COMPARE(value(), text);
            QTRY_COMPARE(said(), size == 30 ? u"30 B"_s : u"300 kB"_s);
            QCOMPARE(find<QLineEdit>(u"field:/data"_s)->echoMode(), QLineEdit::Password);
            const QList<QWidget *> widgets = m_form->findChildren<QWidget *>();
            for (const QWidget *widget : widgets) {
                QVERIFY(!widget->toolTip().contains(text.left(20)));
                QVERIFY(!widget->accessibleName().contains(text.left(20)));
                QVERIFY(!widget->accessibleDescription().contains(text.left(20)));
                const auto *label = qobject_cast<const QLabel *>(widget);
                QVERIFY(!label || !label->text().contains(text.left(20)));
            }
        }
        QVERIFY(m_form->undo());
        QCOMPARE(value().size(), 40);
    }

private:
    void openWith(const QByteArray &keywords, const QByteArray &value = {})
    {
        open(R"({"type":"object","properties":{"data":{"type":"string",)" + keywords + R"(},"n":{"type":"string"}}})",
             value);
    }
    QString value() const { return sonde::json::parse(m_form->value())[u"data"].string(); }
    QString said() const
    {
        const auto *label = find<QLabel>(u"content:/data"_s);
        return label && label->isVisible() ? label->text() : QString();
    }
    void drop(const QList<QUrl> &urls) const
    {
        settle();
        QMimeData mime;
        mime.setUrls(urls);
        auto *text = find<QPlainTextEdit>(u"field:/data"_s);
        QWidget *target = text ? text->viewport() : find<QWidget>(u"field:/data"_s);
        QDragEnterEvent enter({5, 5}, Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(target, &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent event(QPointF(5, 5), Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(target, &event);
    }

    QTemporaryDir m_folder;
};

SONDE_TEST(TestEncodedEditor)
#include "tst_encodededitor.moc"
