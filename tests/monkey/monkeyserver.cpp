// monkey-server: an MCP server over stdio that does what signals tell it, so that a server can do something while a
// person does something else.
// SPDX-License-Identifier: Apache-2.0
//
// Revision 2025-11-25. Tools: wait (never responds), ask (elicits, then responds), fail, echo, and those that come and
// go.
//   SIGRTMIN+0 exits with code 3        +1 three server requests (elicitation, sampling, roots)
//         +2 withdraws what it asked    +3 500 log messages
//         +4 changes its lists          +5 reads nothing until the next signal
//         +6 responds to every call that waits
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace {

int signalPipe[2];
std::vector<std::string> waitingCalls;  // the IDs of calls without a response
std::vector<std::string> asked;         // the IDs of our requests
int requestNumber = 0;
int generation = 0;
bool isDeaf = false;

void onSignal(int number)
{
    const char act = char(number - SIGRTMIN);
    (void)!::write(signalPipe[1], &act, 1);
}

void send(const std::string &message)
{
    const std::string line = message + '\n';
    size_t at = 0;
    while (at < line.size()) {
        const ssize_t written = ::write(1, line.data() + at, line.size() - at);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            ::_exit(0);
        at += size_t(written);
    }
}

void respond(const std::string &id, const std::string &result)
{
    send(R"({"jsonrpc":"2.0","id":)" + id + R"(,"result":)" + result + '}');
}

void ask(const std::string &method, const std::string &params)
{
    const std::string id = "\"ask-" + std::to_string(++requestNumber) + '"';
    asked.push_back(id);
    send(R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":")" + method + R"(","params":)" + params + '}');
}

void elicit()
{
    ask("elicitation/create",
        R"({"message":"Which one, and how many?","requestedSchema":{"type":"object","properties":{)"
        R"("name":{"type":"string"},"count":{"type":"integer","minimum":0},"sure":{"type":"boolean"}},)"
        R"("required":["name"]}})");
}

void notifyChanged()
{
    ++generation;
    for (const char *list : {"tools", "prompts", "resources"})
        send(std::string(R"({"jsonrpc":"2.0","method":"notifications/)") + list + R"(/list_changed"})");
}

void endCalls()
{
    for (const std::string &id : waitingCalls)
        respond(id, R"({"content":[{"type":"text","text":"at last"}]})");
    waitingCalls.clear();
}

void act(int number)
{
    isDeaf = false;
    if (number == 0)
        ::_exit(3);
    if (number == 1) {
        elicit();
        ask("sampling/createMessage",
            R"({"messages":[{"role":"user","content":{"type":"text","text":"Say something."}}],"maxTokens":50})");
        ask("roots/list", "{}");
    } else if (number == 2) {
        for (const std::string &id : asked)
            send(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":)" + id +
                 R"(,"reason":"no longer needed"}})");
        asked.clear();
    } else if (number == 3) {
        for (int i = 0; i < 500; ++i)
            send(R"({"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"line )" +
                 std::to_string(i) + R"("}})");
    } else if (number == 4) {
        notifyChanged();
    } else if (number == 5) {
        isDeaf = true;
    } else if (number == 6) {
        endCalls();
    }
}

// The value of a member of the message, as it stands there; enough for what a well-behaved client sends.
std::string member(const std::string &line, const std::string &name)
{
    size_t at = line.find('"' + name + "\":");
    if (at == std::string::npos)
        return {};
    at += name.size() + 3;
    const size_t end = line[at] == '"' ? line.find('"', at + 1) + 1 : line.find_first_of(",}", at);
    return line.substr(at, end - at);
}

std::string tool(const std::string &name, const std::string &more)
{
    return R"({"name":")" + name +
           R"(","inputSchema":{"type":"object","properties":{"a":{"type":"string"},)"
           R"("n":{"type":"integer"},"list":{"type":"array","items":{"type":"number"}}}})" +
           more + '}';
}

std::string tools()
{
    std::string list = tool("echo", R"(,"annotations":{"readOnlyHint":true})");
    list += ',' + tool("wait", R"(,"annotations":{"readOnlyHint":true})");
    list += ',' + tool("ask", R"(,"annotations":{"destructiveHint":false})") + ',' + tool("fail", "");
    for (int i = 0; i < generation % 3; ++i)
        list += ',' + tool("later" + std::to_string(i), R"(,"description":")" + std::to_string(generation) + '"');
    return R"({"tools":[)" + list + "]}";
}

void call(const std::string &id, const std::string &line)
{
    const std::string name = member(line, "name");
    if (name == "\"wait\"") {
        waitingCalls.push_back(id);
    } else if (name == "\"ask\"") {
        waitingCalls.push_back(id);
        elicit();
    } else if (name == "\"fail\"") {
        respond(id, R"({"content":[{"type":"text","text":"it did not work"}],"isError":true})");
    } else {
        respond(id, R"({"content":[{"type":"text","text":"here"}],"structuredContent":{"generation":)" +
                        std::to_string(generation) + "}}");
    }
}

void handle(const std::string &line)
{
    const std::string method = member(line, "method");
    const std::string id = member(line, "id");
    if (method.empty()) {
        endCalls();  // a response to one of our requests
    } else if (method == "\"initialize\"") {
        respond(id, R"({"protocolVersion":"2025-11-25","serverInfo":{"name":"monkey","version":"1"},"capabilities":{)"
                    R"("tools":{"listChanged":true},"prompts":{"listChanged":true},"resources":{"listChanged":true},)"
                    R"("logging":{}}})");
    } else if (id.empty()) {
        return;  // a notification
    } else if (method == "\"tools/list\"") {
        respond(id, tools());
    } else if (method == "\"prompts/list\"") {
        respond(id, R"({"prompts":[{"name":"greet","arguments":[{"name":"who","required":true}]}]})");
    } else if (method == "\"resources/list\"") {
        respond(id, R"({"resources":[{"uri":"monkey://one","name":"one"}]})");
    } else if (method == "\"resources/templates/list\"") {
        respond(id, R"({"resourceTemplates":[{"uriTemplate":"monkey://{which}","name":"any"}]})");
    } else if (method == "\"resources/read\"") {
        respond(id, R"({"contents":[{"uri":"monkey://one","text":"a text"}]})");
    } else if (method == "\"prompts/get\"") {
        respond(id, R"({"messages":[{"role":"user","content":{"type":"text","text":"hello"}}]})");
    } else if (method == "\"tools/call\"") {
        call(id, line);
    } else if (method == "\"ping\"" || method == "\"logging/setLevel\"") {
        respond(id, "{}");
    } else {
        send(R"({"jsonrpc":"2.0","id":)" + id + R"(,"error":{"code":-32601,"message":"Method not found"}})");
    }
}

void handleSignals()
{
    char acts[64];
    const ssize_t got = ::read(signalPipe[0], acts, sizeof acts);
    for (ssize_t i = 0; i < got; ++i)
        act(acts[i]);
}

void readInput()
{
    static std::string buffer;
    char chunk[65536];
    const ssize_t got = ::read(0, chunk, sizeof chunk);
    if (got < 0 && errno == EINTR)
        return;
    if (got <= 0)
        ::_exit(0);
    buffer.append(chunk, size_t(got));
    for (size_t end = buffer.find('\n'); end != std::string::npos; end = buffer.find('\n')) {
        const std::string line = buffer.substr(0, end);
        buffer.erase(0, end + 1);
        handle(line);
    }
}

}  // namespace

int main()
{
    if (::pipe(signalPipe) != 0)
        return 1;
    for (int number = 0; number <= 6; ++number)
        ::signal(SIGRTMIN + number, onSignal);
    for (;;) {
        fd_set readable;
        FD_ZERO(&readable);
        FD_SET(signalPipe[0], &readable);
        if (!isDeaf)
            FD_SET(0, &readable);
        if (::select(signalPipe[0] + 1, &readable, nullptr, nullptr, nullptr) < 0)
            continue;  // a signal: its act is in the pipe
        if (FD_ISSET(signalPipe[0], &readable))
            handleSignals();
        else if (FD_ISSET(0, &readable))
            readInput();
    }
}
