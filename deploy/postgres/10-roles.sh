#!/bin/sh
# The image runs this once, when it has made an empty cluster.
set -eu
psql --set=ON_ERROR_STOP=1 --quiet --username="$POSTGRES_USER" --dbname=postgres \
  --set=owner_password="$(cat /run/secrets/database_owner_password)" --set=password="$(cat /run/secrets/database_password)" \
  --file=/docker-entrypoint-initdb.d/roles.psql
