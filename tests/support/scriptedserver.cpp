// fake-stdio-server: does what its arguments say, one after the other; misbehaves on request.
// SPDX-License-Identifier: Apache-2.0
//
//   say:TEXT         one line on standard output          raw:TEXT      the same without a line end (\n \r \xHH work)
//   big:N            a response to id 1 of N bytes         noise:N       a line of N bytes that is no JSON
//   flood:N          N numbered notifications             err:TEXT      one line on standard error
//   errflood:N       N bytes of lines on standard error   echo          sends every line back until end of input
//   readline         waits for a line (see below)         waiteof       reads until end of input
//   hang             waits for ever                       ignore:N      ignores signal N
//   exit:N           exits                                signal:N      dies by that signal
//   closeout closein closes standard output or input      spawn         a child in the same group that waits for ever
//   spawnstubborn    the same, ignoring SIGTERM           pid           tells its own process id
//   large:KIND:N:ID  a response to that id (1) of about N bytes: text, escapes, records, numbers, or a batch that ends
//                    with it
//   spawnflood:N     a child in the same group that floods standard output (N is 1), standard error (2) or both (3)
//   pingflood:N      N requests, of which no response is read
//   env cwd args     tells them in a notification         argsbegin     the rest are plain arguments
//   calls            responds to each tools/call with a text that has its line in it, until end of input
// Scripts are written for clients that shake hands: readline refuses server/discover by itself and waits for the next
// line, unless the script has a response to that request.
#include <fcntl.h>
#include <signal.h>
#include <sys/types.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

extern char **environ;

namespace {

void put(int fd, const std::string &text)
{
    size_t at = 0;
    while (at < text.size()) {
        const ssize_t written = ::write(fd, text.data() + at, text.size() - at);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            ::_exit(3);
        at += size_t(written);
    }
}

std::string unescaped(const std::string &text)
{
    std::string result;
    for (size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '\\' || i + 1 == text.size()) {
            result += text[i];
        } else if (text[i + 1] == 'n' || text[i + 1] == 'r') {
            result += text[++i] == 'n' ? '\n' : '\r';
        } else if (text[i + 1] == 'x' && i + 3 < text.size()) {
            result += char(std::strtol(text.substr(i + 2, 2).c_str(), nullptr, 16));
            i += 3;
        } else {
            result += text[i];
        }
    }
    return result;
}

std::string quoted(const std::string &text)
{
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\')
            result += '\\';
        if (static_cast<unsigned char>(c) < 0x20) {
            char hex[8];
            std::snprintf(hex, sizeof hex, "\\u%04x", unsigned(c));
            result += hex;
        } else {
            result += c;
        }
    }
    return result + '"';
}

void tell(const std::string &method, const std::string &value)
{
    put(1, "{\"jsonrpc\":\"2.0\",\"method\":\"" + method + "\",\"params\":{\"value\":" + value + "}}\n");
}

void tellList(const std::string &method, const std::vector<std::string> &values)
{
    std::string list = "[";
    for (const std::string &value : values)
        list += (list.size() > 1 ? "," : "") + quoted(value);
    tell(method, list + "]");
}

bool readLine(std::string *line)
{
    static std::string buffer;
    for (;;) {
        const size_t end = buffer.find('\n');
        if (end != std::string::npos) {
            *line = buffer.substr(0, end);
            buffer.erase(0, end + 1);
            return true;
        }
        char chunk[65536];
        const ssize_t got = ::read(0, chunk, sizeof chunk);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        buffer.append(chunk, size_t(got));
    }
}

void flood(long count)
{
    std::string batch;
    for (long i = 0; i < count; ++i) {
        batch += "{\"jsonrpc\":\"2.0\",\"method\":\"flood\",\"params\":{\"value\":" + std::to_string(i) + "}}\n";
        if (batch.size() > 60000) {
            put(1, batch);
            batch.clear();
        }
    }
    put(1, batch);
}

void spawn(bool isStubborn)
{
    // Ignored before the fork: a child that had yet to say so could be reached by the signal first.
    const auto before = isStubborn ? ::signal(SIGTERM, SIG_IGN) : SIG_DFL;
    const pid_t pid = ::fork();
    if (pid == 0) {
        for (;;)
            ::pause();
    }
    if (isStubborn)
        ::signal(SIGTERM, before);
    tell("spawned", std::to_string(pid));
}

void spawnFlood(long outputs)
{
    int told[2] = {-1, -1};
    if (::pipe(told) != 0)
        ::_exit(5);
    const pid_t pid = ::fork();
    if (pid == 0) {
        ::close(told[1]);
        char byte = 0;
        (void)!::read(told[0], &byte, 1);
        const std::string lines(4000, '\n');
        for (;;) {
            if ((outputs & 1) != 0)
                put(1, lines);
            if ((outputs & 2) != 0)
                put(2, lines);
        }
    }
    tell("spawned", std::to_string(pid));
    ::close(told[1]);
}

void pingFlood(long count)
{
    for (long i = 0; i < count; ++i)
        put(1, "{\"jsonrpc\":\"2.0\",\"id\":" + std::to_string(i) + ",\"method\":\"no/such/method\"}\n");
}

void repeat(int fd, long bytes, const std::string &unit)
{
    std::string chunk;
    while (chunk.size() < 64000)
        chunk += unit;
    for (long left = bytes; left > 0; left -= long(chunk.size())) {
        if (left < long(chunk.size()))
            chunk.resize(size_t(left));
        put(fd, chunk);
    }
}

void large(const std::string &kind, long bytes, const std::string &id)
{
    if (kind == "batch") {
        put(1, "[");
        std::string element =
            R"({"jsonrpc":"2.0","method":"part","params":{"text":")" + std::string(300, 'p') + "\"}},";
        repeat(1, bytes / long(element.size()) * long(element.size()), element);
        put(1, "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":{\"text\":\"done\"}}]\n");
        return;
    }
    const bool isText = kind == "text" || kind == "escapes";
    put(1, "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":{\"v\":" + (isText ? "\"" : "["));
    const std::string unit = kind == "escapes"   ? R"(a line of \"quoted\" text\n)"
                             : kind == "records" ? R"({"name":"Somebody or other","street":"Long Road 12","age":42},)"
                             : kind == "numbers" ? "1,"
                                                 : "b";
    repeat(1, bytes / long(unit.size()) * long(unit.size()), unit);
    put(1, isText ? "\"}}\n" : "0]}}\n");
}

// The ID of the request is a string.
void refuse(const std::string &request)
{
    const size_t from = request.find(':', request.find("\"id\"")) + 1;
    const std::string id = request.substr(from, request.find('"', from + 1) + 1 - from);
    put(1, "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"error\":{\"code\":-32601,\"message\":\"Method not found\"}}\n");
}

// The ID of the request is before its params.
void respondToCall(const std::string &line)
{
    const size_t from = line.find(':', line.find("\"id\"")) + 1;
    const std::string id = line.substr(from, line.find_first_of(",}", from) - from);
    put(1, "{\"jsonrpc\":\"2.0\",\"id\":" + id +
               ",\"result\":{\"content\":[{\"type\":\"text\",\"text\":" + quoted("received " + line) + "}]}}\n");
}

void run(const std::string &step, const std::vector<std::string> &arguments)
{
    const size_t colon = step.find(':');
    const std::string name = step.substr(0, colon);
    const std::string value = colon == std::string::npos ? std::string() : step.substr(colon + 1);
    const long number = std::atol(value.c_str());
    std::string line;
    if (name == "say") {
        put(1, unescaped(value) + "\n");
    } else if (name == "raw") {
        put(1, unescaped(value));
    } else if (name == "big") {
        const std::string head = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"text\":\"";
        put(1, head);
        repeat(1, number - long(head.size()) - 3, "a");
        put(1, "\"}}\n");
    } else if (name == "large") {
        const size_t second = value.find(':');
        const size_t third = value.find(':', second + 1);
        large(value.substr(0, second), std::atol(value.substr(second + 1).c_str()),
              third == std::string::npos ? "1" : value.substr(third + 1));
    } else if (name == "noise") {
        repeat(1, number, "x");
        put(1, "\n");
    } else if (name == "flood") {
        flood(number);
    } else if (name == "err") {
        put(2, unescaped(value) + "\n");
    } else if (name == "errflood") {
        repeat(2, number, std::string(99, 'e') + "\n");
    } else if (name == "echo") {
        while (readLine(&line))
            put(1, line + "\n");
    } else if (name == "calls") {
        while (readLine(&line)) {
            if (line.find("\"tools/call\"") != std::string::npos)
                respondToCall(line);
        }
    } else if (name == "readline") {
        const bool hasDiscovery = std::any_of(arguments.begin(), arguments.end(), [](const std::string &argument) {
            return argument.find("server-discover") != std::string::npos;
        });
        while (readLine(&line) && !hasDiscovery && line.find("\"server/discover\"") != std::string::npos)
            refuse(line);
    } else if (name == "waiteof") {
        while (readLine(&line)) {
        }
    } else if (name == "hang") {
        for (;;)
            ::pause();
    } else if (name == "ignore") {
        ::signal(int(number), SIG_IGN);
    } else if (name == "exit") {
        ::_exit(int(number));
    } else if (name == "signal") {
        ::signal(int(number), SIG_DFL);
        ::raise(int(number));
    } else if (name == "closeout") {
        ::close(1);
    } else if (name == "closein") {
        ::close(0);
    } else if (name == "spawn" || name == "spawnstubborn") {
        spawn(name == "spawnstubborn");
    } else if (name == "spawnflood") {
        spawnFlood(number);
    } else if (name == "pingflood") {
        pingFlood(number);
    } else if (name == "pid") {
        tell("pid", std::to_string(::getpid()));
    } else if (name == "env") {
        std::vector<std::string> entries;
        for (char **entry = environ; *entry; ++entry)
            entries.emplace_back(*entry);
        tellList("env", entries);
    } else if (name == "cwd") {
        char path[4096];
        tell("cwd", quoted(::getcwd(path, sizeof path) ? path : "?"));
    } else if (name == "args") {
        tellList("args", arguments);
    } else {
        std::fprintf(stderr, "fake-stdio-server: no such step: %s\n", step.c_str());
        ::_exit(4);
    }
}

}  // namespace

int main(int argc, char *argv[])
{
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    for (const std::string &step : arguments) {
        if (step == "argsbegin")
            break;
        run(step, arguments);
    }
    return 0;
}
