// SPDX-License-Identifier: Apache-2.0
#include "app/cli/shellscripts.h"

using namespace Qt::StringLiterals;

namespace sonde::cli {
namespace {

// Words are quoted here rather than by compgen -W, which expands them: a server may have the name of a command.
QString bashScript()
{
    return uR"sh(_sonde_cli()
{
    local line=$COMP_LINE words=() word choices=() breaks='' kept='' i
    # Bash splits words at = and :, too. What is not separated by a blank is one word.
    for ((i = 0; i <= COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        if ((i > 0)) && [[ $line != [[:blank:]]* ]]; then
            words[-1]+=$word
        else
            words+=("$word")
        fi
        line=${line#"${line%%[![:blank:]]*}"}
        line=${line#"$word"}
    done
    local typed=${words[-1]}
    mapfile -t choices < <(sonde-cli completion bash -- "${words[@]:1}" 2>/dev/null)
    # Only what follows the last of these is replaced.
    [[ $COMP_WORDBREAKS == *=* ]] && breaks+='='
    [[ $COMP_WORDBREAKS == *:* ]] && breaks+=':'
    [[ $breaks && $typed == *[$breaks]* ]] && kept=${typed%"${typed##*[$breaks]}"}
    COMPREPLY=()
    for word in "${choices[@]:1}"; do
        case $typed in
            [\'\"]*)
                # Within quotes the shell would expand what these begin.
                [[ $word == *[\'\"\`\$\!\\]* ]] && continue
                ;;
            *)
                [[ $word == *= ]] && compopt -o nospace 2>/dev/null
                printf -v word %q "$word"
                ;;
        esac
        COMPREPLY+=("${word#"$kept"}")
    done
    case ${choices[0]} in
        files) compopt -o default 2>/dev/null ;;
        folders) compopt -o dirnames 2>/dev/null ;;
    esac
}
complete -F _sonde_cli sonde-cli
)sh"_s;
}

// Works from a folder of $fpath and from eval.
QString zshScript()
{
    return uR"sh(#compdef sonde-cli
_sonde-cli()
{
    local -a choices names lines open open_lines
    local choice name line
    choices=("${(@f)$(sonde-cli completion zsh -- "${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
    case $choices[1] in
        files) _files; return ;;
        folders) _files -/; return ;;
    esac
    for choice in $choices[2,-1]; do
        name=${choice%%$'\t'*}
        line=${choice/$'\t'/  -- }
        if [[ $name == *= ]]; then
            open+=("$name")
            open_lines+=("$line")
        else
            names+=("$name")
            lines+=("$line")
        fi
    done
    (( $#open )) && compadd -l -S '' -d open_lines -a open
    (( $#names )) && compadd -l -d lines -a names
    (( $#open + $#names ))
}
if [[ $funcstack[1] == _sonde-cli ]]; then
    _sonde-cli "$@"
else
    compdef _sonde-cli sonde-cli
fi
)sh"_s;
}

QString fishScript()
{
    return uR"sh(function __sonde_cli_complete
    set -l words (commandline -opc)
    set -l typed (commandline -ct)
    set -l choices (sonde-cli completion fish -- $words[2..-1] "$typed" 2>/dev/null)
    switch "$choices[1]"
        case files
            __fish_complete_path "$typed"
        case folders
            __fish_complete_directories "$typed"
    end
    test (count $choices) -gt 1; and printf '%s\n' $choices[2..-1]
end
complete -c sonde-cli -f -a '(__sonde_cli_complete)'
)sh"_s;
}

}  // namespace

QStringList shellNames()
{
    return {u"bash"_s, u"zsh"_s, u"fish"_s};
}

QString completionScript(const QString &shell)
{
    return shell == "zsh"_L1 ? zshScript() : shell == "fish"_L1 ? fishScript() : bashScript();
}

}  // namespace sonde::cli
