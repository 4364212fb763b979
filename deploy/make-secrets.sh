#!/bin/sh
# Make the secrets of a deployment, each a file in the folder `secrets`. Files that exist are left alone.
# The folder is closed to others; the files can be read by the users inside the containers that they are given to.
# `make-secrets.sh host`: for processes on one host, which PostgreSQL knows by its socket and needs no password of.
set -eu
cd "$(dirname "$0")/.."
folder=${SECRETS_DIR:-secrets}
mkdir -p "$folder"
chmod 700 "$folder"

random() { od -An -N24 -tx1 /dev/urandom | tr -d ' \n'; }
# keep NAME VALUE: write the file, unless it exists.
keep() {
  if [ ! -e "$folder/$1" ]; then
    printf '%s\n' "$2" >"$folder/$1"
    chmod 644 "$folder/$1"
    echo "  $folder/$1"
  fi
}

echo "Making what is missing:"
if [ "${1:-}" = host ]; then
  valkey=127.0.0.1
else
  valkey=valkey
  for name in postgres_password database_owner_password database_password; do
    keep "$name" "$(random)"
  done
  keep database_owner_url "postgresql://clinic_owner:$(cat "$folder/database_owner_password")@postgres:5432/clinic"
  keep database_url "postgresql://clinic:$(cat "$folder/database_password")@postgres:5432/clinic"
fi
keep valkey_password "$(random)"
keep erasure_key "$(random)"
keep lead_webhook_secret "whsec_$(head -c 32 /dev/urandom | base64)"
keep redis_url "redis://:$(cat "$folder/valkey_password")@$valkey:6379/0"
keep flower_basic_auth "operator:$(random)"
for name in zoho_client_secret zoho_refresh_token smtp_url; do
  keep "$name" ""
done
echo "Fill in zoho_client_secret and zoho_refresh_token; smtp_url for mail. Keep erasure_key for good."
