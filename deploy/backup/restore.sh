#!/bin/sh
# restore.sh DUMP REGISTER: replace the database's contents by a dump, and its register of erasures by a newer one.
# Stop everything else that uses the database first; then run the migrations and `python -m worker erasures --reapply`.
set -eu
if [ $# -ne 2 ] || [ ! -s "$1" ] || [ ! -s "$2" ]; then
  echo "usage: restore.sh DUMP REGISTER   (the newest of each, unless there is a reason)" >&2
  exit 2
fi
if [ -n "${PGPASSWORD_FILE:-}" ]; then
  PGPASSWORD=$(cat "$PGPASSWORD_FILE")
  export PGPASSWORD
fi
PGDATABASE=${PGDATABASE:-clinic}
export PGDATABASE
pg_restore --clean --if-exists --no-owner --exit-on-error --single-transaction --dbname="$PGDATABASE" "$1"
psql --quiet --set=ON_ERROR_STOP=1 --command='TRUNCATE erasures, erased_rows, erased_keys'
pg_restore --data-only --exit-on-error --single-transaction --dbname="$PGDATABASE" "$2"
echo "Restored $1, with the register of erasures of $2."
echo "Next: the migrations, then: python -m worker erasures --reapply"
