# What ./run and ./test share: installing packages that are missing, and building. Sourced from the project's root.
# Quiet when there is nothing to do; everything it does is printed before it is done.

BUILD_PACKAGES=(g++ cmake ninja-build ccache qt6-base-dev qt6-svg-dev libdeflate-dev libssl-dev libtomlplusplus-dev
                qtkeychain-qt6-dev)
RUNTIME_PACKAGES=(qt6-qpa-plugins libqt6svg6 fonts-dejavu-core ca-certificates libsecret-1-0)
TEST_PACKAGES=(npm python3 file procps gnome-keyring dbus dbus-user-session)

need_packages() {
    command -v dpkg-query >/dev/null || { echo "This script installs packages on Debian; elsewhere install: $*" >&2; return 0; }
    local missing=() name
    for name in "$@"; do
        dpkg-query -W -f='${db:Status-Abbrev}' "$name" 2>/dev/null | grep -q '^ii' || missing+=("$name")
    done
    # A program that is there already, in whatever way it came, is good enough.
    local wanted=()
    for name in ${missing[@]+"${missing[@]}"}; do
        case $name in
            npm | python3 | ccache | cmake | file) command -v "$name" >/dev/null && continue ;;
            g++) command -v g++ >/dev/null && continue ;;
        esac
        wanted+=("$name")
    done
    [ ${#wanted[@]} -eq 0 ] && return 0

    local as_root=()
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null || { echo "Missing packages: ${wanted[*]}. Install them as root, then try again." >&2; return 1; }
        as_root=(sudo)
    fi
    echo "Installing: ${wanted[*]}"
    local out
    out=$(mktemp)
    if ! { "${as_root[@]}" apt-get update && "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
            apt-get install -y --no-install-recommends "${wanted[@]}"; } >"$out" 2>&1; then
        cat "$out" >&2
        rm -f "$out"
        return 1
    fi
    rm -f "$out"
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
