// SPDX-License-Identifier: Apache-2.0
#include "app/cli/helptext.h"

#include "core/protocol/revision.h"

#include <QCoreApplication>

using namespace Qt::StringLiterals;

namespace sonde::cli {

namespace {

struct HelpText {
    Q_DECLARE_TR_FUNCTIONS(sonde::cli)
};

}  // namespace

QStringList revisionNames()
{
    QStringList names;
    for (const Revision revision : statelessRevisions() + statefulRevisions())
        names.append(toString(revision));
    return names;
}

QString helpText()
{
    return HelpText::
        tr("Usage: sonde-cli VERB [OPTIONS] (-- COMMAND… | --url URL | --server NAME)\n"
           "\n"
           "Connects to an MCP server, makes one request and prints the outcome.\n"
           "\n"
           "Verbs:\n"
           "  info                          server information and what it offers\n"
           "  list [tools] [resources] [templates] [prompts]\n"
           "                                everything the server offers, or only these lists\n"
           "  call TOOL [KEY=VALUE…]        call a tool\n"
           "  read URI [NAME=VALUE…]        read a resource; with values, URI is a template\n"
           "  prompt NAME [KEY=VALUE…]      get a prompt\n"
           "  request METHOD                send any other request, with --params\n"
           "  ping                          send a ping and print how long the response took\n"
           "  complete ARGUMENT [TEXT] [KEY=VALUE…]\n"
           "                                suggestions for an argument of --prompt NAME or --template URI; KEY=VALUE\n"
           "                                are the other arguments\n"
           "  subscribe URI…                print these resources each time they are updated, until Ctrl+C\n"
           "  log-level LEVEL               set the server's log level and print its log messages, until Ctrl+C\n"
           "  tasks [list | get ID | result ID | cancel ID]\n"
           "                                the tasks of the server; result waits until the task is over\n"
           "  run SCRIPT                    run one verb per line over one connection; - for standard input\n"
           "  export FILE --format FORMAT   export a session as jsonl, har, markdown or html; see export --help\n"
           "  log FILE [--filter FILTER]    print the records of a session\n"
           "  stats FILE                    print call statistics of a session\n"
           "  import FILE | --found         add servers of another host's configuration to Sonde's list; see import "
           "--help\n"
           "  export-servers [NAME…]        print Sonde's list of servers as mcpServers JSON\n"
           "  replay FILE                   repeat the calls of a session and compare the responses\n"
           "  mock FILE                     serve the recorded responses of a session, over stdio\n"
           "  diff A B                      compare what two servers offer; each is a session file, a URL, a\n"
           "                                command line in quotes, or --server NAME\n"
           "  login                         sign in to a server that requires it; prints the address to visit\n"
           "  logout                        forget the sign-in\n"
           "\n"
           "Arguments of a call:\n"
           "  KEY=VALUE                     typed by the tool's schema: numbers keep their digits; true, false\n"
           "                                and null where allowed; JSON for objects and arrays; otherwise a\n"
           "                                string. Repeating a key appends to an array\n"
           "  KEY:=JSON                     sent as is, whatever the schema says\n"
           "  --args FILE                   a JSON object, - for standard input; KEY=VALUE overrides it\n"
           "  --params JSON                 the complete params of call, read or prompt, sent as is, instead of\n"
           "                                TOOL, URI or NAME and the arguments; the params of request METHOD\n"
           "\n"
           "Server:\n"
           "  -- COMMAND [ARGUMENT…]        start this program and use its standard input and output\n"
           "  --url URL                     connect over HTTP; without a scheme, http:// for this machine and "
           "https://\n"
           "                                for others\n"
           "  --transport TRANSPORT         of a URL: streamable-http, sse (HTTP+SSE) or automatic, which tries both; "
           "of\n"
           "                                diff, for each side that is a URL\n"
           "  --server NAME                 a server saved in Sonde\n"
           "  --header 'NAME: VALUE'        send this HTTP header; can be repeated\n"
           "  --proxy PROXY                 system, none, http://HOST:PORT or socks5://HOST:PORT\n"
           "  --ca FILE                     also trust the certificate authorities in this PEM file\n"
           "  --client-cert FILE            show this certificate (PEM) to the server\n"
           "  --client-key FILE             its private key (PEM); default: in the file of the certificate\n"
           "  --accept-certificate SHA256   accept this one certificate of the server in spite of errors\n"
           "  --allow-host HOST             let the server lead to this host on a private address; can be repeated\n"
           "  --env NAME=VALUE              set this environment variable; can be repeated\n"
           "  --inherit-env                 pass the full environment to the program\n"
           "  --login-shell-path            PATH of the program is that of your login shell\n"
           "  --cwd FOLDER                  working directory of the program (default: current)\n"
           "  --revision REVISION           automatic, or the protocol revision to use:\n"
           "                                %1\n"
           "\n"
           "Call:\n"
           "  --task                        run the tool as a task where it allows that, and wait for its result\n"
           "  --ttl SECONDS                 the same; how long the server should keep the task\n"
           "\n"
           "List:\n"
           "  --pages N                     only the first N pages of each list (default: all)\n"
           "\n"
           "Complete, subscribe and log-level:\n"
           "  --prompt NAME, --template URI what the argument to complete belongs to\n"
           "  --count N                     end after N updates\n"
           "  --for SECONDS                 end after this time\n"
           "\n"
           "Run:\n"
           "  SCRIPT                        a line is a verb from info to tasks with its arguments, quoted as for\n"
           "                                a shell; # begins a comment line\n"
           "  --keep-going                  continue after a line that failed; the exit code is that of the worst "
           "line\n"
           "\n"
           "Replay:\n"
           "  --rules FILE                  ignore rules (default: NAME.rules.json beside NAME.mcpsession)\n"
           "  --filter FILTER               only matching calls; see filter-language.md\n"
           "  --allow-destructive           also call tools that are not annotated as read-only or non-destructive\n"
           "  --accept                      make the new responses the baseline; the previous session is kept\n"
           "  --junit FILE                  write a JUnit XML report\n"
           "\n"
           "Mock:\n"
           "  --timing                      respond with the recorded delays\n"
           "  --http [PORT]                 serve over HTTP instead, on 127.0.0.1 only; any program on this machine\n"
           "                                can then read the session\n"
           "\n"
           "Other options:\n"
           "  --timeout SECONDS             max time to wait for each response (60)\n"
           "  --json                        print one JSON object for scripts\n"
           "  --responses FILE|ask          responses to server requests: a JSON object with a result, or a list of\n"
           "                                results, for each of elicitation/create, sampling/createMessage and\n"
           "                                roots/list; only these are declared to the server. ask: enter them on the\n"
           "                                terminal. Default: elicitation and sampling are declined\n"
           "  --roots FOLDER                a folder to tell the server when it asks for roots; can be repeated\n"
           "  --without NAME[,NAME…]        do not declare these to the server: elicitation, elicitation.form,\n"
           "                                elicitation.url, sampling, sampling.tools, roots, tasks; clientInfo\n"
           "                                (2026-07-28 only)\n"
           "  --save FOLDER                 save images, audio and other binary content there; not with --json\n"
           "  --record FILE                 write the session to a new file\n"
           "  --verbose                     print the server's log messages to standard error\n"
           "  --help, --version\n"
           "\n"
           "Exit codes:\n"
           "  0  OK: a result\n"
           "  1  tool error: the tool ran and reported a failure\n"
           "  2  protocol error: the server returned a JSON-RPC error\n"
           "  3  no response: not connected, timed out, cancelled or connection lost; also when output could not be\n"
           "     written\n"
           "  4  usage error: no request was made\n"
           "\n"
           "Exit codes of replay:\n"
           "  0  all responses are the same, except for what the rules ignore\n"
           "  1  some responses changed\n"
           "  2  a new or different JSON-RPC error\n"
           "  3  no response: not connected, timed out or connection lost\n"
           "  4  usage error, or all calls of tools, prompts, resources and completions were skipped\n"
           "\n"
           "Exit codes of diff: 0 same offering, 1 different, 2 breaking differences, 3 no response, or a list could "
           "not\n"
           "  be read, 4 usage error\n")
            .arg(revisionNames().join(u", "_s));
}

}  // namespace sonde::cli
