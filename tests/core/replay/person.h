// Somebody who answers what a server asks.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/connection/connection.h"
#include "core/json/builder.h"

namespace sonde::test {

// Answers each server request otherwise than the one before. Lives as long as the connection.
class Person {
public:
    Person(Connection *connection, const QStringList &roots)
    {
        json::Builder shared;
        shared.beginObject().key(u"roots").beginArray();
        for (const QString &root : roots) {
            shared.beginObject().member(u"uri", QStringLiteral("file://") + root);
            shared.member(u"name", u"here").endObject();
        }
        const QByteArray response = shared.endArray().endObject().take();
        const auto respond = [this, response](InputRequest *request) {
            ++asked[request->method()];
            if (request->kind() == InputRequest::Kind::Roots)
                request->respond(response);
            else if (request->kind() == InputRequest::Kind::Sampling)
                sample(request);
            else
                elicit(request);
        };
        for (const auto kind :
             {InputRequest::Kind::Elicitation, InputRequest::Kind::Sampling, InputRequest::Kind::Roots})
            connection->setResponder(kind, connection, respond);
    }

    QHash<QString, int> asked;

private:
    void sample(InputRequest *request) const
    {
        if (asked[request->method()] == 2)
            request->decline();
        else
            request->respond(R"({"role":"assistant","content":{"type":"text","text":"42"},"model":"nobody"})");
    }

    void elicit(InputRequest *request) const
    {
        const json::Value fields = request->params()[u"requestedSchema"][u"properties"];
        if (request->params()[u"mode"].string() == QLatin1String("url"))
            request->respond(R"({"action":"accept"})");
        else if (fields.contains(u"interpretation"))
            request->respond(R"({"action":"accept","content":{"interpretation":"snake"}})");
        else if (const int turn = asked[request->method()] % 3; turn == 2)
            request->decline();
        else if (turn == 0)
            request->cancel();
        else
            request->respond(R"({"action":"accept","content":{"name":"Ada","check":true,"integer":7}})");
    }
};

}  // namespace sonde::test
