// The window with servers that ask something, and the hand that responds.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/builder.h"
#include "core/protocol/methods.h"
#include "core/transport/process/commandline.h"
#include "tests/app/gui/testwindow.h"
#include "tests/support/programs.h"
#include "ui/panels/problemline.h"
#include "ui/requests/requestpanel.h"
#include "ui/theme/widgets.h"

#include <QAbstractButton>
#include <QDesktopServices>
#include <QMenu>

namespace sonde::test {

using namespace Qt::StringLiterals;

// Qt 6.4's moc loses its way in raw strings whose text ends in a quote.
inline QByteArray askUrl(const QString &url)
{
    json::Builder params;
    params.beginObject().member(u"mode", u"url").member(u"elicitationId", u"e1");
    return params.member(u"message", u"Please sign in").member(u"url", url).endObject().take();
}

inline QString asks(const QString &id, QStringView method, const QByteArray &params)
{
    json::Builder request;
    request.beginObject().member(u"jsonrpc", u"2.0").member(u"id", id).member(u"method", method);
    return u"say:"_s + QString::fromUtf8(request.rawMember(u"params", params).endObject().take());
}

// A server that does this once it is connected. Each has a name of its own in its command line.
inline QString serverThat(const QStringList &steps, const QString &revision = u"2025-11-25"_s)
{
    static int number = 0;
    QStringList words{
        test::builtProgram(QStringLiteral("fake-stdio-server")), u"readline"_s,
        QString::fromUtf8(R"(say:{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{},)"
                          R"("serverInfo":{"name":"asker","version":"1"}}})")
            .replace(u"2025-11-25"_s, revision),
        u"readline"_s};
    words += steps;
    words += {u"waiteof"_s, u"argsbegin"_s, QString::number(++number)};
    return joinCommandLine(words);
}

// Accepts what the desktop would open.
class Browser : public QObject {
    Q_OBJECT
public:
    Browser()
    {
        for (const auto &scheme : {u"https"_s, u"http"_s, u"file"_s})
            QDesktopServices::setUrlHandler(scheme, this, "open");
    }
    ~Browser() override
    {
        for (const auto &scheme : {u"https"_s, u"http"_s, u"file"_s})
            QDesktopServices::unsetUrlHandler(scheme);
    }
    QList<QUrl> opened;

public Q_SLOTS:
    void open(const QUrl &url) { opened.append(url); }
};

class RequestWindow : public TestWindow {
public:
    ui::RequestPanel *panel() { return window().requests; }

    // The name that the server got.
    QString start(const QStringList &steps, const QString &revision = u"2025-11-25"_s)
    {
        QStringList before;
        for (const auto &item : workspace().items())
            before << item->spec.name;
        servers().connectLine(serverThat(steps, revision));
        for (const auto &item : workspace().items()) {
            if (!before.contains(item->spec.name))
                return isConnected(item->spec.name) ? item->spec.name : QString();
        }
        return {};
    }

    QWidget *page() const
    {
        QWidget *found = nullptr;
        for (auto *title :
             const_cast<RequestWindow *>(this)->panel()->findChildren<ui::TextLabel *>(u"requestTitle"_s)) {
            if (title->isVisible())
                found = title->parentWidget();
        }
        return found;
    }
    template <typename T = QWidget>
    T *shown(const QString &name) const
    {
        return page() ? page()->findChild<T *>(name) : nullptr;
    }
    bool waitsForPerson(int count)
    {
        const int patience = count < 100 ? Patience : 3 * Patience;
        const bool waits =
            QTest::qWaitFor([&] { return panel()->openCount() == count && (count == 0 || page()); }, patience);
        if (!waits)
            qWarning("%d requests are open, not %d", panel()->openCount(), count);
        return waits;
    }
    QString text(const QString &name) const
    {
        const auto *label = shown<QLabel>(name);
        return label && label->isVisible() ? label->text() : QString();
    }
    QString problem() const
    {
        const auto *line = shown<ui::ProblemLine>(u"requestProblem"_s);
        return line && line->isVisible() ? line->sentence() : QString();
    }
    bool pressButton(const QString &name)
    {
        const auto canBePressed = [&] {
            const auto *button = shown<QAbstractButton>(name);
            return button && button->isVisible() && button->isEnabled();
        };
        if (!QTest::qWaitFor(canBePressed, Patience)) {
            qWarning("%s cannot be pressed", qUtf8Printable(name));
            return false;
        }
        QTest::mouseClick(shown<QAbstractButton>(name), Qt::LeftButton);
        return true;
    }
    bool choose(const QString &entry)
    {
        bool chosen = false;
        WhenMenu menu([&](QMenu *opened) { chosen = chooseInMenu(opened, entry); });
        return pressButton(u"requestMore"_s) && QTest::qWaitFor([&] { return menu.hasRun(); }, Patience) && chosen;
    }
    QString focused()
    {
        const QWidget *widget = window().focusWidget();
        return widget ? widget->objectName() : QString();
    }
    bool fill(const QString &place, const QString &text)
    {
        QWidget *field = nullptr;
        if (!QTest::qWaitFor([&] { return (field = shown(u"field:"_s + place)) && field->isVisible(); }, Patience))
            return false;
        field->setFocus();
        QTest::keyClick(field, Qt::Key_A, Qt::ControlModifier);
        QTest::keyClicks(field, text);
        return true;
    }

    // What went to that server as the response to this request; empty: nothing.
    QByteArray sent(const QString &server, const QString &id)
    {
        Session *session = workspace().serverNamed(server)->connection->session();
        session->flush();
        for (qsizetype row = 0; row < session->size(); ++row) {
            const RecordInfo &record = session->at(row);
            if (record.kind != WireEvent::Kind::Message || record.direction != Direction::ToServer)
                continue;
            const json::Value message = json::parse(session->bytes(row));
            if (message[u"id"].string() == id)
                return message.contains(u"result") ? message[u"result"].bytes() : message[u"error"].bytes();
        }
        return {};
    }
    bool getsResponse(const QString &server, const QString &id, const QByteArray &expected)
    {
        if (QTest::qWaitFor([&] { return sent(server, id) == expected; }, Patience))
            return true;
        qWarning("%s got %s", qUtf8Printable(server), sent(server, id).constData());
        return false;
    }
};

}  // namespace sonde::test
