#!/bin/sh
# Usage: image.sh LAYOUT [ARCHITECTURE...]
#
# Builds the container image without a container engine: makes the package, and writes an image of it for each architecture
# (amd64 and arm64 unless told) into the folder LAYOUT, in the OCI format, tagged VERSION-ARCHITECTURE. Needs umoci, and what
# root.sh needs; run it as root, so that files belong to whom they should.
set -eu

layout=$(realpath "$1")
shift
[ $# -gt 0 ] || set -- amd64 arm64
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
version=$(node -p 'require("./package.json").version')
node=$(node -p 'require("./package.json").devDependencies.node')

npm pack --silent --pack-destination "$work" >&2
[ -e "$layout" ] || umoci init --layout "$layout"
for arch; do
  case $arch in amd64) cpu=x64 ;; *) cpu=$arch ;; esac
  npm pack --silent --pack-destination "$work" "node-linux-$cpu@$node" >&2
  mkdir "$work/node-$arch"
  tar -xzf "$work/node-linux-$cpu-$node.tgz" -C "$work/node-$arch" package/bin/node
  packaging/root.sh "$work/freehold-$version.tgz" "$work/node-$arch/package/bin/node" "$work/$arch" "$arch"

  image=$layout:$version-$arch
  umoci new --image "$image"
  umoci config --image "$image" --os linux --architecture "$arch" \
    --config.user 10001:10001 --config.workingdir /data --config.volume /data --config.exposedports 8080/tcp \
    --config.env PATH=/usr/local/bin:/usr/bin --config.env DATA_DIR=/data --config.env IN_CONTAINER=true \
    --config.stopsignal SIGTERM --config.entrypoint freehold --config.cmd start
  umoci insert --image "$image" "$work/$arch" /
  du -k "$layout/blobs" | tail -1 | awk -v arch="$arch" '{ print arch ": " $1 " KiB so far" }' >&2
done
umoci gc --layout "$layout"
