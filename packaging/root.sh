#!/bin/sh
# Usage: root.sh PACKAGE.tgz NODE FOLDER [ARCHITECTURE]
#
# Fills FOLDER with the root file system of the container image: the package, installed with the versions of its lockfile; the
# Node.js binary NODE; and of Debian only the libraries that these need and a shell, in which image processing sets its limit of
# memory. ARCHITECTURE is amd64 or arm64. Needs npm, apt-get and dpkg-deb, and no right that an ordinary user does not have.
set -eu

package=$(realpath "$1")
node=$(realpath "$2")
mkdir -p "$3"
root=$(realpath "$3")
arch=${4:-$(dpkg --print-architecture)}
suite=trixie
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Debian: files alone. Nothing is configured, so packages of another architecture do as well.
mkdir -p "$work/lists/partial" "$work/cache/archives/partial" "$work/debs" "$root/usr/bin" "$root/usr/lib" "$root/usr/sbin"
: > "$work/status"
for line in "debian $suite" "debian $suite-updates" "debian-security $suite-security"; do
  # shellcheck disable=SC2086
  set -- $line
  echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/$1 $2 main"
done > "$work/sources.list"
apt() {
  apt-get -q -o APT::Architecture="$arch" -o APT::Architectures="$arch" -o APT::Sandbox::User= -o APT::Update::Error-Mode=any \
    -o Dir::Etc::SourceList="$work/sources.list" -o Dir::Etc::SourceParts=- -o Dir::Etc::Preferences=- \
    -o Dir::State::Lists="$work/lists" -o Dir::State::status="$work/status" -o Dir::Cache="$work/cache" "$@"
}
apt update >&2
(cd "$work/debs" && apt download base-files libc6 libgcc-s1 libstdc++6 libatomic1 dash >&2)
for name in bin lib sbin; do ln -sfn "usr/$name" "$root/$name"; done
if [ "$arch" = amd64 ]; then mkdir -p "$root/usr/lib64" && ln -sfn usr/lib64 "$root/lib64"; fi
for deb in "$work"/debs/*.deb; do dpkg-deb -x "$deb" "$root"; done
# The licences in usr/share/doc stay.
rm -rf "$root/usr/share/man" "$root/usr/share/locale" "$root/usr/share/lintian" "$root"/usr/lib/*-linux-gnu/gconv
find "$root/usr/share/doc" -type f ! -name copyright -delete
ln -sf dash "$root/usr/bin/sh"

# The package.
case $arch in amd64) cpu=x64 ;; *) cpu=$arch ;; esac
home=/usr/local/lib/node_modules/freehold
mkdir -p "$root$home" "$root/usr/local/bin"
tar -xzf "$package" -C "$root$home" --strip-components=1
# npm would install what the lockfile names for developers, too.
cp "$root$home/package.json" "$work/package.json"
node "$(dirname "$0")/run-time-lock.ts" "$root$home"
npm ci --prefix "$root$home" --ignore-scripts --prefer-offline --no-audit --no-fund --os=linux --cpu="$cpu" --libc=glibc >&2
mv "$work/package.json" "$root$home/package.json"
# For developers.
find "$root$home/node_modules" -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete
find "$root$home/node_modules" -type d \( -name test -o -name tests \) -prune -exec rm -r {} +
rm -rf "$root$home/package-lock.json" "$root$home/node_modules/.package-lock.json"
install -m 755 "$node" "$root/usr/local/bin/node"
printf '#!/bin/sh\nexec /usr/local/bin/node -- %s/lib/cli/main.js "$@"\n' "$home" > "$root/usr/local/bin/freehold"
# What a container engine asks now and then. The port of the metrics has the answer, where there is one.
cat > "$root/usr/local/bin/freehold-health" <<'END'
#!/bin/sh
exec /usr/local/bin/node -e "fetch('http://127.0.0.1:${METRICS_PORT:-${PORT:-8080}}/readyz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"
END
chmod 755 "$root/usr/local/bin/freehold" "$root/usr/local/bin/freehold-health"

# Who runs it, and where it writes.
echo 'root:x:0:0:root:/root:/usr/sbin/nologin' > "$root/etc/passwd"
echo 'freehold:x:10001:10001:Freehold:/data:/usr/sbin/nologin' >> "$root/etc/passwd"
printf 'root:x:0:\nfreehold:x:10001:\n' > "$root/etc/group"
echo 'hosts: files dns' > "$root/etc/nsswitch.conf"
mkdir -p "$root/tmp" "$root/data"
chmod 1777 "$root/tmp"
if [ "$(id -u)" = 0 ]; then
  chown -R 0:0 "$root"
  chown 10001:10001 "$root/data"
fi
