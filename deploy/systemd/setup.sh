#!/bin/sh
# Make a Debian server ready, as root, once: `deploy/systemd/setup.sh` in the folder of a release. What is done is left alone.
# Users, secrets, PostgreSQL's roles, Valkey's settings, the proxy with its certificate, the firewall. install.sh comes after it.
set -eu
cd "$(dirname "$0")/../.."
[ -s /etc/clinic/settings ] || { echo "Fill in /etc/clinic/settings first (docs/deployment.md)." >&2; exit 2; }
set -a
. /etc/clinic/settings
set +a
: "${SITE_HOST:?is missing in /etc/clinic/settings}" "${CLINIC_PHONE:?is missing too}" "${WHATSAPP_NUMBER:?is missing too}"

install -D -m 644 deploy/systemd/clinic.sysusers /etc/sysusers.d/clinic.conf
systemd-sysusers clinic.conf
SECRETS_DIR=/etc/clinic/secrets deploy/make-secrets.sh host

# PostgreSQL: the roles; and which user of this host is which role, by the socket, without a password.
postgres=$(ls -d /etc/postgresql/*/main | tail -n 1)
as_postgres() { runuser -u postgres -- "$@"; }
if ! grep -q 'map=clinic' "$postgres/pg_hba.conf"; then
  sed -i 's/^local  *all  *all  *peer/local clinic all peer map=clinic\n&/' "$postgres/pg_hba.conf"
  grep -q 'map=clinic' "$postgres/pg_hba.conf" || { echo "pg_hba.conf has no line 'local all all peer'." >&2; exit 1; }
  for user in web worker flower; do echo "clinic clinic-$user clinic"; done >>"$postgres/pg_ident.conf"
  echo "clinic clinic-owner clinic_owner" >>"$postgres/pg_ident.conf"
fi
systemctl enable --quiet --now postgresql
systemctl reload postgresql
if [ -z "$(as_postgres psql -tAc "SELECT 1 FROM pg_database WHERE datname = 'clinic'")" ]; then
  as_postgres env PGOPTIONS=--client-min-messages=warning psql --quiet --set=ON_ERROR_STOP=1 \
    --set=owner_password= --set=password= <deploy/postgres/roles.psql
fi

# Valkey: a password, and nothing is ever evicted.
if ! grep -q '^# clinic$' /etc/valkey/valkey.conf; then
  printf '# clinic\nrequirepass %s\nappendonly yes\nmaxmemory 256mb\nmaxmemory-policy noeviction\n' \
    "$(cat /etc/clinic/secrets/valkey_password)" >>/etc/valkey/valkey.conf
fi
systemctl enable --quiet valkey-server
systemctl restart valkey-server

# nginx: the files of deploy/proxy, with this host's names in them.
export SITE_UPSTREAM=127.0.0.1:8000 SITE_LOG=/var/log/nginx/access.log HTTP_PORT=80 HTTPS_PORT=443 \
  ACME_ROOT=/var/www/acme CERTIFICATE_DIR=/etc/clinic/certificate
install -d "$ACME_ROOT"
deploy/proxy/10-certificate.sh
sed 's/^user nginx;/user www-data;/; s|/dev/stderr|/var/log/nginx/error.log|' deploy/proxy/nginx.conf >/etc/nginx/nginx.conf
envsubst "$(env | sed -n 's/^\([A-Z][A-Z_]*\)=.*/${\1}/p' | tr '\n' ' ')" <deploy/proxy/site.conf.template >/etc/nginx/conf.d/clinic.conf
nginx -tq
systemctl enable --quiet nginx
systemctl restart nginx

install -m 644 deploy/systemd/nftables.conf /etc/nftables.conf
systemctl enable --quiet nftables
systemctl restart nftables
echo "Ready for a release: deploy/systemd/install.sh"
