#!/bin/sh
# Set the product up on a fresh Debian server as docs/deployment.md says, without such a server: `sudo deploy/rehearse-debian.sh`.
# The server is a minimal Debian in a folder, run by its own systemd in namespaces for processes, mounts and network, so that
# nothing of this machine is touched. A visitor's enquiry comes from outside through TLS, and must be in the CRM's stand-in: on
# the fresh server, after a reboot, after an upgrade and after the way back. Needs root, debootstrap, iproute2, cgroup v2 and
# built pages (`make run`). With DEBIAN=FOLDER the downloaded system is kept for the next time.
set -eu
cd "$(dirname "$0")/.."
self=$(pwd)/deploy/rehearse-debian.sh
until_ready='until curl --silent --fail --output /dev/null http://127.0.0.1:8000/readyz; do sleep 0.2; done'
suite=trixie site=www.clinic.example server=10.99.0.2 outside=10.99.0.1

say() { printf '%6d s  %s\n' "$(($(date +%s) - ${began:-$(date +%s)}))" "$*"; }

# The downloads: Debian with the packages that docs/deployment.md names, those of the monitoring too.
download() {
  packages=$(sed -n 's/^apt-get install --no-install-recommends //p' docs/deployment.md)
  debootstrap --variant=minbase --include=ca-certificates,dbus,iproute2,systemd,systemd-sysv "$suite" "$base" >"$work/debootstrap.log"
  for file in /etc/resolv.conf /etc/ssl/certs/ca-certificates.crt /etc/pip.conf; do # this machine's way to the registries
    [ ! -f "$file" ] || cp "$file" "$base$file"
  done
  printf '#!/bin/sh\nexit 101\n' >"$base/usr/sbin/policy-rc.d" # nothing is started in a folder
  chmod +x "$base/usr/sbin/policy-rc.d"
  # shellcheck disable=SC2086 - words
  chroot "$base" env DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends $packages >"$work/apt.log" 2>&1
  rm "$base/usr/sbin/policy-rc.d"
  touch "$base/ready"
}

# Two releases in /opt/clinic, as `git clone` leaves them, with the pages that were built here.
prepare() {
  mount -t overlay overlay -o "lowerdir=$base,upperdir=$work/upper,workdir=$work/overlay" "$root"
  mkdir -p "$root/etc/clinic" "$root/.machine"
  echo "127.0.0.1 localhost server" >"$root/etc/hosts"
  ln -sf /dev/null "$root/etc/systemd/system/systemd-modules-load.service" # the kernel is this machine's
  cat >"$root/etc/clinic/settings" <<SETTINGS
SITE_HOST=$site
SITE_URL=https://$site
CLINIC_PHONE="+90 212 555 01 02"
WHATSAPP_NUMBER=902125550102
ZOHO_CLIENT_ID=$(.venv/bin/python -c 'from tools.sandbox import credentials; print(credentials.CLIENT_ID)')
ZOHO_URL=http://$outside:8900
MAIL_FROM="Clinic enquiries <enquiries@clinic.example>"
STAFF_MAIL_TO=sales@clinic.example
SETTINGS
  for release in 1.0.0 1.0.1; do
    mkdir -p "$root/opt/clinic/$release/frontend"
    git ls-files -z --cached --others --exclude-standard | tar --create --null --files-from=- | tar --extract --directory="$root/opt/clinic/$release"
    cp -r frontend/dist "$root/opt/clinic/$release/frontend/dist"
    echo "[]" >"$root/opt/clinic/$release/frontend/dist/go-live.json" # as if the clinic's content were complete
    chroot "$root" "/opt/clinic/$release/deploy/systemd/build.sh" >>"$work/build.log" 2>&1 || { cat "$work/build.log" >&2; exit 1; }
  done
  say "two releases built: $(du -sm "$root/opt/clinic/1.0.0/.venv" | cut -f1) MB of packages each"
}

# Start the server's systemd as process 1 of its own namespaces; $init is its process here.
boot() {
  mkdir -p "$group"
  sh -c 'echo $$ >"$1/cgroup.procs"; exec unshare --pid --fork --kill-child --mount --net --uts --ipc --cgroup sh -c "$2" sh "$3"' \
    sh "$group" '
    cd "$1"
    mount --bind . . && cd "$1"
    mount -t proc proc proc
    mount --bind proc/sys proc/sys && mount -o remount,ro,bind proc/sys
    mount -t sysfs -o ro sysfs sys
    mount -t cgroup2 cgroup2 sys/fs/cgroup
    for folder in run tmp dev; do mount -t tmpfs -o mode=755 tmpfs $folder; done
    chmod 1777 tmp
    # Devices of its own: systemd changes the modes of some.
    for device in null:3 zero:5 full:7 random:8 urandom:9; do mknod -m 666 "dev/${device%:*}" c 1 "${device#*:}"; done
    mknod -m 666 dev/tty c 5 0
    mkdir dev/pts dev/shm
    mount -t devpts -o newinstance,ptmxmode=0666,mode=620,gid=5 devpts dev/pts
    mount -t tmpfs -o mode=1777 tmpfs dev/shm
    ln -s pts/ptmx dev/ptmx
    ln -s /proc/self/fd dev/fd
    hostname server
    ip link set lo up
    pivot_root . .machine
    exec env -i container=rehearsal PATH=/usr/sbin:/usr/bin chroot . sh -c "
      umount --lazy /.machine
      mount --make-rshared /
      exec /lib/systemd/systemd --system --log-target=journal"' "$root" \
    >"$work/boot.log" 2>&1 &
  holder=$!
  until init=$(pgrep --parent "$holder") && [ "$(cat "/proc/$init/comm" 2>/dev/null)" = systemd ]; do sleep 0.2; done
  ip link add outside type veth peer name eth0 netns "$init"
  ip address add "$outside/30" dev outside
  ip link set outside up
  nsenter --target "$init" --net sh -c "ip address add $server/30 dev eth0 && ip link set eth0 up"
  until inside systemctl is-system-running --wait >"$work/state" 2>/dev/null || grep -q degraded "$work/state"; do sleep 0.2; done
}
inside() {
  nsenter --target "$init" --pid --mount --net --uts --ipc --cgroup --root --wdns=/ \
    env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin TERM=dumb "$@"
}
power_off() {
  inside systemctl poweroff --no-block || true
  wait "$holder" || true
  ip link delete outside 2>/dev/null || true
}

# enquire SURNAME: a visitor opens the page, types for a while, and sends the form; then the record must come.
enquire() {
  inside cat /etc/clinic/certificate/fullchain.pem >"$work/certificate.pem"
  .venv/bin/python - "$site" "$server" "$work/certificate.pem" "http://$outside:8900" "$1" <<'VISITOR'
import json, socket, ssl, sys, threading, time, urllib.request

site, server, certificate, crm, surname = sys.argv[1:]
find = socket.getaddrinfo
socket.getaddrinfo = lambda name, *rest, **more: find(server if name == site else name, *rest, **more)
tls = ssl.create_default_context(cafile=certificate)


def ask(path, body=None, **headers):
    headers = {"Content-Type": "application/json", **headers}
    request = urllib.request.Request(f"https://{site}{path}", body and json.dumps(body).encode(), headers)
    return urllib.request.urlopen(request, timeout=30, context=tls).read()


assert b"<form" in ask("/"), "the page has no form"
start = json.loads(ask("/api/start"))
threading.Event().wait(start["waitSeconds"] + 0.5)
person = {"name": "Ada", "surname": surname, "email": f"{surname.lower()}@example.com", "countryCode": "+44"}
began = time.monotonic()
receipt = json.loads(ask("/api/leads", person | {"phone": "07911 123456"}, **{"Start-Token": start["token"]}))
answered = time.monotonic()
while time.monotonic() < began + 60:
    looked = urllib.request.Request(f"{crm}/_sandbox/records?Last_Name={surname}", headers={"Host": "localhost"})
    records = json.load(urllib.request.urlopen(looked))["records"]
    if records:
        print(f"          {surname}: receipt {receipt['reference']} after {answered - began:.2f} s, "
              f"in the CRM after {time.monotonic() - began:.2f} s, records: {len(records)}")
        sys.exit(len(records) != 1)
    threading.Event().wait(0.05)
sys.exit(f"{surname} is not in the CRM after a minute")
VISITOR
}

# Everything that the page describes, one after the other.
walk() {
  ip link set lo up
  boot
  say "systemd $(inside systemctl --version | head -n 1 | cut -d' ' -f2) runs: $(inside systemctl is-system-running || true)"
  inside install -d -m 700 /etc/clinic/secrets
  .venv/bin/python -c 'from tools.sandbox import credentials as c; print(c.CLIENT_SECRET)' >"$root/etc/clinic/secrets/zoho_client_secret"
  .venv/bin/python -c 'from tools.sandbox import credentials as c; print(c.REFRESH_TOKEN)' >"$root/etc/clinic/secrets/zoho_refresh_token"
  echo "smtp://$outside:8925" >"$root/etc/clinic/secrets/smtp_url"
  .venv/bin/python -m tools.sandbox --host "$outside" --port 8900 --mail-port 8925 --data "$work/sandbox" >"$work/sandbox.log" 2>&1 &
  crm=$!
  inside /opt/clinic/1.0.0/deploy/systemd/setup.sh
  say "the server is set up"
  inside /opt/clinic/1.0.0/deploy/systemd/install.sh
  say "the release is installed"
  enquire Fresh
  inside clinic check
  inside clinic status
  inside clinic show Fresh@example.com | head -n 12
  inside clinic pause --why rehearsal && inside clinic resume

  say "monitoring, as docs/deployment.md says"
  inside sh -ec "$(sed -n '/^## Monitoring on Debian/,/^```$/p' docs/deployment.md | sed '1,/^```sh/d; /^```/d; /^apt-get/d')"

  say "walls"
  for port in 5432 5555 6379 8000 8001 9090 9093 9094; do
    ! .venv/bin/python -c "import socket; socket.create_connection(('$server', $port), 1)" 2>/dev/null ||
      { echo "port $port is open to the outside" >&2; exit 1; }
  done
  inside ss --listening --tcp --numeric --no-header | awk '{print "         ", $4}' | sort -u
  inside systemd-analyze security --no-pager | grep clinic-
  inside systemctl start clinic-backup clinic-worker-reconcile
  inside sh -c 'ls -l /var/lib/clinic-backups /var/lib/clinic-register; systemctl list-timers --no-pager "clinic-*"'
  worker=$(inside systemctl show --property=MainPID --value clinic-worker)
  inside kill -KILL "$worker"
  enquire Killed

  say "a certificate, as certbot leaves it"
  inside sh -c "mkdir -p /etc/letsencrypt/live/$site && cp /etc/clinic/certificate/*.pem /etc/letsencrypt/live/$site"
  inside /opt/clinic/1.0.0/deploy/systemd/setup.sh
  inside readlink /etc/clinic/certificate
  enquire Certified

  inside systemctl stop nginx clinic-web clinic-worker clinic-flower clinic-backup.timer
  inside sh -c 'runuser -u clinic-owner -- env PGHOST=/run/postgresql PGUSER=clinic_owner /opt/clinic/current/deploy/backup/restore.sh \
    "$(ls -t /var/lib/clinic-backups/*.dump | head -n 1)" "$(ls -t /var/lib/clinic-register/*.dump | head -n 1)"'
  inside systemctl start clinic-migrate@1.0.0
  inside clinic erasures --reapply
  inside systemctl start nginx clinic-web clinic-worker clinic-flower clinic-backup.timer
  say "restored"
  inside sh -c "$until_ready"
  enquire Restored

  power_off
  boot
  say "rebooted: $(inside systemctl is-system-running || true)"
  inside sh -c "$until_ready"
  inside sh -c 'until curl --silent http://127.0.0.1:9090/api/v1/targets | grep -q "\"health\":\"up\""; do sleep 1; done'
  inside sh -c 'until curl --silent http://127.0.0.1:9090/api/v1/alertmanagers | grep -q 127.0.0.1:9093; do sleep 1; done'
  inside promtool query instant http://127.0.0.1:9090 'clinic_trouble > 0'
  enquire Rebooted
  inside /opt/clinic/1.0.1/deploy/systemd/install.sh
  say "upgraded"
  enquire Upgraded
  inside /opt/clinic/1.0.0/deploy/systemd/install.sh back
  say "back"
  enquire Back
  inside systemctl list-units --failed --no-pager --no-legend
  [ -z "$(inside systemctl list-units --failed --no-legend --plain 'clinic-*' postgresql nginx valkey-server nftables)" ]
  power_off
  say "the server is off"
}

# End what was started; after a failure say what the server logged last.
end() {
  code=$?
  set +e
  if [ "$code" != 0 ] && [ -d "/proc/${init:-none}" ]; then
    inside systemctl list-units --failed --no-pager --no-legend
    inside journalctl --no-pager --lines=40 --output=short-iso --unit="clinic-*"
  fi
  [ -z "${crm:-}" ] || kill "$crm"
  [ ! -d "/proc/${init:-none}" ] || kill -KILL "$init"
  exit "$code"
}

case ${1:-} in
  prepare | walk)
    mode=$1 work=$2 base=$3 began=$4
    root=$work/root
    group=$(findmnt --noheadings --output=TARGET --types=cgroup2 | head -n 1)/rehearsal
    if [ "$mode" = prepare ]; then
      prepare
      unshare --net --fork --kill-child sh "$self" walk "$work" "$base" "$began"
    else
      trap end EXIT
      walk
    fi
    ;;
  *)
    [ "$(id -u)" = 0 ] || { echo "This needs root: it starts a system in namespaces." >&2; exit 2; }
    for tool in debootstrap ip nsenter unshare; do
      command -v "$tool" >/dev/null || { echo "$tool is missing: apt-get install debootstrap iproute2 util-linux" >&2; exit 2; }
    done
    [ -x .venv/bin/python ] && [ -e frontend/dist/routes.json ] || { echo "Run make run once first." >&2; exit 2; }
    work=$(mktemp -d /var/tmp/rehearsal.XXXXXX)
    trap 'rm -rf "$work"; find /sys/fs/cgroup -depth -path "*/rehearsal*" -type d -exec rmdir {} + 2>/dev/null || true' EXIT
    mkdir "$work/root" "$work/upper" "$work/overlay"
    base=${DEBIAN:-$work/debian} began=$(date +%s)
    [ -e "$base/ready" ] || download
    say "Debian $suite with the packages of docs/deployment.md: $(du -sm "$base" | cut -f1) MB"
    unshare --mount --fork --kill-child sh "$self" prepare "$work" "$base" "$began"
    ;;
esac
