#!/bin/sh
# Install the release in whose folder this stands, /opt/clinic/RELEASE, and switch to it, as root: `deploy/systemd/install.sh`.
# The way back, in the folder of the release before: `deploy/systemd/install.sh back`, which leaves the database as it is.
set -eu
cd "$(dirname "$0")/../.."
folder=$(pwd -P)
release=${folder##*/}
[ "$folder" = "/opt/clinic/$release" ] || { echo "A release stands in /opt/clinic/RELEASE, not in $folder." >&2; exit 2; }
deploy/systemd/build.sh

units=$(ls deploy/systemd | grep -E '^clinic-.*\.(service|timer)$')
for unit in $units; do install -m 644 "deploy/systemd/$unit" /etc/systemd/system/; done
for extra in clinic-.service.d clinic-worker-.service.d clinic-worker.service.d; do
  install -D -m 644 -t "/etc/systemd/system/$extra" "deploy/systemd/$extra"/*
done
install -m 755 deploy/systemd/clinic /usr/local/bin/clinic
systemctl daemon-reload

[ "${1:-}" = back ] || systemctl start "clinic-migrate@$release"
ln -sfn "$folder" /opt/clinic/current
systemctl enable --quiet clinic-web clinic-worker clinic-flower clinic-backup.timer clinic-worker-reconcile.timer
systemctl restart clinic-web clinic-worker clinic-flower
systemctl start clinic-backup.timer clinic-worker-reconcile.timer
if ! curl --silent --fail --output /dev/null --retry 60 --retry-delay 1 --retry-all-errors http://127.0.0.1:8000/readyz; then
  echo "The site of $release is not ready: journalctl -u clinic-web" >&2
  exit 1
fi
echo "$release runs."
