# What ./run and ./test share: installing packages that are missing, and building. Sourced from the project's root.
# Quiet when there is nothing to do; everything it does is printed before it is done.

# shellcheck shell=bash disable=SC2034
# Names are Debian's and Ubuntu's; fedora_names has those of Fedora where they differ.
BUILD_PACKAGES=(g++ cmake ninja-build ccache qt6-base-dev qt6-svg-dev libdeflate-dev libssl-dev libtomlplusplus-dev
                qtkeychain-qt6-dev qt6-l10n-tools)
RUNTIME_PACKAGES=(qt6-qpa-plugins qt6-translations-l10n libqt6svg6 fonts-dejavu-core ca-certificates libsecret-1-0)
TEST_PACKAGES=(npm python3 file procps gnome-keyring dbus dbus-user-session jq mandoc zsh fish)
CHECK_PACKAGES=(python3 git clang clang-format clang-tidy clazy desktop-file-utils appstream mandoc shellcheck libxml2-utils)

fedora_names() {
    local name
    for name in "$@"; do
        case $name in
            g++) echo gcc-c++ ;;
            qt6-base-dev) echo qt6-qtbase-devel ;;
            qt6-svg-dev) echo qt6-qtsvg-devel ;;
            libdeflate-dev) echo libdeflate-devel ;;
            libssl-dev) echo openssl-devel ;;
            libtomlplusplus-dev) echo tomlplusplus-devel ;;
            qtkeychain-qt6-dev) echo qtkeychain-qt6-devel ;;
            qt6-l10n-tools) echo qt6-linguist ;;
            qt6-translations-l10n) echo qt6-qttranslations ;;
            qt6-qpa-plugins) echo qt6-qtbase-gui ;;
            libqt6svg6) echo qt6-qtsvg ;;
            fonts-dejavu-core) echo dejavu-sans-fonts ;;
            libsecret-1-0) echo libsecret ;;
            npm) echo nodejs-npm ;;
            procps) echo procps-ng ;;
            dbus | dbus-user-session) echo dbus-daemon ;;
            clang-format | clang-tidy) echo clang-tools-extra ;;
            shellcheck) echo ShellCheck ;;
            libxml2-utils) echo libxml2 ;;
            *) echo "$name" ;;
        esac
    done | sort -u
}

# is_installed PACKAGE, by the package manager of this system.
is_installed() {
    if command -v dpkg-query >/dev/null; then
        dpkg-query -W -f='${db:Status-Abbrev}' "$1" 2>/dev/null | grep -q '^ii'
    else
        rpm -q --quiet --whatprovides "$1"
    fi
}

install_packages() {
    local as_root=()
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null || { echo "Missing packages: $*. Install them as root, then try again." >&2; return 1; }
        as_root=(sudo)
    fi
    echo "Installing: $*"
    local out
    out=$(mktemp)
    if command -v apt-get >/dev/null; then
        "${as_root[@]}" apt-get update && "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
            apt-get install -y --no-install-recommends "$@"
    else
        "${as_root[@]}" dnf install -y --setopt=install_weak_deps=False "$@"
    fi >"$out" 2>&1 || { cat "$out" >&2; rm -f "$out"; return 1; }
    rm -f "$out"
}

# need_packages NAME…: installs those that are missing.
need_packages() {
    local names=("$@") wanted=() name
    if command -v dnf >/dev/null; then
        mapfile -t names < <(fedora_names "$@")
    elif ! command -v apt-get >/dev/null; then
        echo "This script installs packages on Debian, Ubuntu and Fedora; elsewhere install: $*" >&2
        return 0
    fi
    for name in "${names[@]}"; do
        is_installed "$name" && continue
        # A program that is there already, in whatever way it came, is good enough.
        case $name in
            npm | nodejs-npm) command -v npm >/dev/null && continue ;;
            python3 | ccache | cmake | file | shellcheck | g++) command -v "$name" >/dev/null && continue ;;
        esac
        wanted+=("$name")
    done
    if [ ${#wanted[@]} -gt 0 ]; then
        install_packages "${wanted[@]}" || return
    fi
    # Since Debian 13 the plugins of libqt6svg6 are a package of their own.
    if [[ " ${names[*]} " == *" libqt6svg6 "* ]] && ! compgen -G '/usr/lib/*/qt6/plugins/iconengines/libqsvgicon.so' >/dev/null
    then
        install_packages qt6-svg-plugins
    fi
}

# build PRESET: configures when needed and builds; prints only what goes wrong, and a line when it takes long.
build() {
    local preset=$1 out
    out=$(mktemp)
    if [ ! -f "build/$preset/build.ninja" ]; then
        echo "Configuring build/$preset"
        cmake --preset "$preset" >"$out" 2>&1 || { cat "$out" >&2; rm -rf "$out" "build/$preset"; return 1; }
    fi
    if ! ninja -C "build/$preset" -n 2>/dev/null | grep -q 'no work to do'; then
        echo "Building build/$preset (the first time takes some minutes)"
    fi
    ninja -C "build/$preset" -j"$(nproc)" >"$out" 2>&1 || { cat "$out" >&2; rm -f "$out"; return 1; }
    # Our own warnings are errors in the test builds; elsewhere they are shown.
    grep -E 'warning:' "$out" >&2 || true
    rm -f "$out"
}

# The real servers that the tests run against, pinned by their lock file. Node comes with them.
install_peers() {
    local dir=tests/peers stamp=tests/peers/node_modules/.installed
    [ -f "$stamp" ] && cmp -s "$dir/package-lock.json" "$stamp" && return 0
    echo "Installing the test servers from npm"
    local out
    out=$(mktemp)
    if ! (cd "$dir" && npm ci --ignore-scripts --no-audit --no-fund) >"$out" 2>&1; then
        cat "$out" >&2
        rm -f "$out"
        return 1
    fi
    rm -f "$out"
    # Debian's npm makes no link to a program of an optional package.
    local node
    for node in "$dir"/node_modules/node-linux-*/bin/node; do
        [ -e "$node" ] && ln -sf "../${node#"$dir"/node_modules/}" "$dir/node_modules/.bin/node"
    done
    cp "$dir/package-lock.json" "$stamp"
}
