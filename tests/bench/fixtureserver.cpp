// The server that clients are measured against: a small MCP server without an SDK and without Qt, so that what is
// measured is the client. Speaks stdio, or HTTP on a free port of the loopback, which it prints.
// SPDX-License-Identifier: Apache-2.0
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <string_view>
#include <thread>

namespace {

using Sink = std::function<void(std::string_view)>;  // one message, without framing

// The raw text of a member, wherever it stands in the message. Enough for messages of clients we measure, in which
// none of these names occurs as a string before it occurs as a member.
std::string_view member(std::string_view text, std::string_view name)
{
    const std::string quoted = '"' + std::string(name) + '"';
    size_t at = text.find(quoted);
    if (at == std::string_view::npos)
        return {};
    at = text.find_first_not_of(" :", at + quoted.size());
    if (at == std::string_view::npos)
        return {};
    const size_t end = text[at] == '"' ? text.find('"', at + 1) + 1 : text.find_first_of(",}] ", at);
    return text.substr(at, end - at);
}

long numberIn(std::string_view text, std::string_view name)
{
    return std::strtol(std::string(member(text, name)).c_str(), nullptr, 10);
}

std::string response(std::string_view id, std::string_view result)
{
    std::string text = R"({"jsonrpc":"2.0","id":)";
    text.append(id).append(R"(,"result":)").append(result);
    return text += '}';
}

std::string textResult(std::string_view text)
{
    std::string result = R"({"content":[{"type":"text","text":")";
    result.append(text);
    return result += R"("}]})";
}

bool rewords = false;  // describes its tools in other words each time

std::string toolList(long count)
{
    static bool isReworded = false;
    std::string tools = R"({"tools":[)";
    for (long i = 0; i < count; ++i) {
        const std::string number = std::to_string(i);
        tools.append(i == 0 ? "" : ",").append(R"({"name":"tool_)").append(number);
        tools.append(R"(","title":"Tool number )").append(number).append(R"(","description":")");
        tools.append(isReworded ? "Finds things in a catalogue " : "Looks things up in a catalogue ");
        tools.append("that is long enough to be worth describing. ");
        tools.append(R"(Its number is )").append(number).append(R"(.","inputSchema":{"type":"object","properties":{)");
        for (const char *field : {"query", "language", "region", "page", "order"})
            tools.append(field[0] == 'q' ? "" : ",")
                .append("\"")
                .append(field)
                .append(
                    R"(":{"type":"string","description":"What to look for, and how, in a sentence or two of plain text."})");
        tools.append(R"(},"required":["query"]}})");
    }
    isReworded = rewords && !isReworded;
    return tools += "]}";
}

bool hasBatches = false;  // speaks the one revision that has them

void flood(long count, const Sink &send)
{
    const std::string pad(100, 'f');
    for (long i = 0; i < count; ++i)
        send(
            R"({"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","logger":"flood","data":{"seq":)" +
            std::to_string(i) + R"(,"text":")" + pad + R"("}}})");
}

void call(std::string_view message, std::string_view id, const Sink &send)
{
    const std::string_view tool = member(message, "name");
    if (tool == "\"flood\"") {
        flood(numberIn(message, "count"), send);
        send(response(id, textResult("done")));
    } else if (tool == "\"batch\"") {
        // The response comes last, behind notifications of about that many bytes.
        const std::string part =
            R"({"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":")" +
            std::string(200, 'p') + "\"}},";
        std::string batch = "[";
        for (long left = numberIn(message, "bytes"); left > 0; left -= long(part.size()))
            batch += part;
        send(batch += response(id, textResult("done")) + ']');
    } else if (tool == "\"sleep\"") {
        std::this_thread::sleep_for(std::chrono::milliseconds(numberIn(message, "ms")));
        send(response(id, textResult("done")));
    } else if (tool == "\"blob\"" || tool == "\"event\"") {
        send(response(id, textResult(std::string(size_t(numberIn(message, "bytes")), 'b'))));
    } else {
        const std::string_view text = member(message, "text");
        send(response(id, textResult(text.size() > 2 ? text.substr(1, text.size() - 2) : "")));
    }
}

void handle(std::string_view message, long tools, const Sink &send)
{
    const std::string_view id = member(message, "id");
    const std::string_view method = member(message, "method");
    if (id.empty() || method.empty())
        return;
    if (method == "\"initialize\"") {
        std::string result = std::string(R"({"protocolVersion":")") + (hasBatches ? "2025-03-26" : "2025-11-25");
        result += R"(","capabilities":{"tools":{},"logging":{}},)";
        result += R"("serverInfo":{"name":"bench","version":"1"}})";
        send(response(id, result));
    } else if (method == "\"tools/call\"") {
        call(message, id, send);
    } else if (method == "\"tools/list\"") {
        send(response(id, toolList(tools)));
    } else if (method == "\"ping\"" || method == "\"logging/setLevel\"") {
        send(response(id, "{}"));
    } else {
        std::string text = R"({"jsonrpc":"2.0","id":)";
        send(text.append(id).append(R"(,"error":{"code":-32601,"message":"Method not found"}})"));
    }
}

bool writeAll(int descriptor, std::string_view bytes)
{
    while (!bytes.empty()) {
        const ssize_t count = ::write(descriptor, bytes.data(), bytes.size());
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return false;
        bytes.remove_prefix(size_t(count));
    }
    return true;
}

// Collects small pieces, so that a flood is bounded by the client rather than by our system calls.
class Writer {
public:
    explicit Writer(int descriptor) : m_descriptor(descriptor) {}
    void add(std::string_view bytes)
    {
        m_buffer.append(bytes);
        if (m_buffer.size() >= 64 * 1024)
            flush();
    }
    void flush()
    {
        if (!writeAll(m_descriptor, m_buffer))
            std::_Exit(0);  // the client has left
        m_buffer.clear();
    }

private:
    int m_descriptor;
    std::string m_buffer;
};

int serveStdio(long tools)
{
    Writer writer(STDOUT_FILENO);
    std::string buffer;
    char piece[64 * 1024];
    while (true) {
        const ssize_t count = ::read(STDIN_FILENO, piece, sizeof piece);
        if (count <= 0)
            return 0;
        buffer.append(piece, size_t(count));
        size_t begin = 0;
        for (size_t end = 0; (end = buffer.find('\n', begin)) != std::string::npos; begin = end + 1) {
            handle(std::string_view(buffer).substr(begin, end - begin), tools, [&writer](std::string_view message) {
                writer.add(message);
                writer.add("\n");
            });
        }
        buffer.erase(0, begin);
        writer.flush();
    }
}

std::string head(const char *status, const char *fields)
{
    return std::string("HTTP/1.1 ") + status + "\r\n" + fields + "\r\n";
}

void respond(int socket, std::string_view method, std::string_view body, long tools)
{
    if (method != "POST") {
        writeAll(socket, head("405 Method Not Allowed", "Content-Length: 0\r\n"));
        return;
    }
    if (member(body, "id").empty()) {
        writeAll(socket, head("202 Accepted", "Content-Length: 0\r\n"));
        return;
    }
    if (member(body, "name") == "\"flood\"" || member(body, "name") == "\"event\"") {
        writeAll(socket, head("200 OK", "Content-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n"));
        std::string events;
        const auto flush = [&] {
            char size[32];
            std::snprintf(size, sizeof size, "%zx\r\n", events.size());
            writeAll(socket, size + events + "\r\n");
            events.clear();
        };
        handle(body, tools, [&](std::string_view message) {
            events.append("data: ").append(message).append("\n\n");
            if (events.size() >= 64 * 1024)
                flush();
        });
        flush();
        writeAll(socket, "0\r\n\r\n");
        return;
    }
    handle(body, tools, [&](std::string_view message) {
        const std::string length =
            "Content-Type: application/json\r\nContent-Length: " + std::to_string(message.size()) + "\r\n";
        std::string all = head("200 OK", length.c_str());
        writeAll(socket, all.append(message));
    });
}

size_t contentLength(std::string_view head)
{
    std::string lower(head);
    for (char &c : lower)
        c = char(c >= 'A' && c <= 'Z' ? c + 32 : c);
    const size_t at = lower.find("\r\ncontent-length:");
    return at == std::string::npos ? 0 : size_t(std::strtoul(lower.c_str() + at + 17, nullptr, 10));
}

void serveSocket(int socket, long tools)
{
    const int on = 1;
    ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    std::string buffer;
    char piece[64 * 1024];
    while (true) {
        const size_t headEnd = buffer.find("\r\n\r\n");
        const size_t length = headEnd == std::string::npos ? 0 : headEnd + 4 + contentLength(buffer.substr(0, headEnd));
        if (headEnd != std::string::npos && buffer.size() >= length) {
            const std::string request = buffer.substr(0, length);
            buffer.erase(0, length);
            respond(socket, std::string_view(request).substr(0, request.find(' ')),
                    std::string_view(request).substr(headEnd + 4), tools);
            continue;
        }
        const ssize_t count = ::read(socket, piece, sizeof piece);
        if (count <= 0)
            break;
        buffer.append(piece, size_t(count));
    }
    ::close(socket);
}

int serveHttp(long tools)
{
    const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    if (listener < 0 || ::bind(listener, reinterpret_cast<sockaddr *>(&address), size) != 0 ||
        ::listen(listener, 64) != 0 || ::getsockname(listener, reinterpret_cast<sockaddr *>(&address), &size) != 0) {
        std::perror("sonde-bench-server");
        return 1;
    }
    std::printf("http://127.0.0.1:%d/mcp\n", ntohs(address.sin_port));
    std::fflush(stdout);
    // Whoever started it holds the other end of its standard input.
    std::thread([] {
        char ignored;
        while (::read(STDIN_FILENO, &ignored, 1) > 0) {
        }
        std::_Exit(0);
    }).detach();
    while (true) {
        const int socket = ::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
        if (socket >= 0)
            std::thread(serveSocket, socket, tools).detach();
    }
}

}  // namespace

// usage: sonde-bench-server [--http] [--batches] [--tools N] [--rewords]
int main(int argc, char *argv[])
{
    std::signal(SIGPIPE, SIG_IGN);
    bool http = false;
    long tools = 4;
    for (int i = 1; i < argc; ++i) {
        if (std::strcmp(argv[i], "--batches") == 0)
            hasBatches = true;
        else if (std::strcmp(argv[i], "--http") == 0)
            http = true;
        else if (std::strcmp(argv[i], "--rewords") == 0)
            rewords = true;
        else if (std::strcmp(argv[i], "--tools") == 0 && i + 1 < argc)
            tools = std::strtol(argv[++i], nullptr, 10);
    }
    return http ? serveHttp(tools) : serveStdio(tools);
}
