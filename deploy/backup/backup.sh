#!/bin/sh
# Dump the database once a day, and the register of erasures every quarter of an hour, into another volume: a restore
# brings erased people back, until a newer register is applied (docs/deployment.md). `backup.sh once` dumps both now,
# `backup.sh due` what is due, for a timer.
# The database is that of libpq's variables (PGHOST, PGUSER …); the password may be in PGPASSWORD_FILE.
set -eu
dumps=${BACKUP_DIR:-/backups} registers=${REGISTER_DIR:-/register} days=${BACKUP_DAYS:-14}
if [ -n "${PGPASSWORD_FILE:-}" ]; then
  PGPASSWORD=$(cat "$PGPASSWORD_FILE")
  export PGPASSWORD
fi

# dump FILE OPTION…: a file that has its name is whole. Nothing is left of one that failed: the disk may be full.
dump() {
  file=$1
  shift
  if pg_dump --format=custom --file="$file.part" "$@" && [ -s "$file.part" ] && sync "$file.part" && mv "$file.part" "$file"; then
    echo "Wrote $file"
  else
    rm -f "$file.part"
    echo "FAILED: $file was not written" >&2
    return 1
  fi
}
dump_all() { dump "$dumps/clinic-$(date -u +%Y%m%d-%H%M%S).dump"; }
dump_register() {
  dump "$registers/erasures-$(date -u +%Y%m%d-%H%M%S).dump" --data-only \
    --table=erasures --table=erased_rows --table=erased_keys
}
# prune FOLDER DAYS: the newest file stays, however old it is.
prune() {
  newest=$(ls -t "$1"/*.dump | head -n 1)
  find "$1" -name '*.dump' -mtime "+$2" ! -path "$newest" -delete
}

# The register, and the database unless there is a dump of the last day.
dump_due() {
  failed=0
  if dump_register; then prune "$registers" 2; else failed=1; fi
  if [ -z "$(find "$dumps" -name 'clinic-*.dump' -mmin -1430)" ]; then
    if dump_all; then prune "$dumps" "$days"; else failed=1; fi
  fi
  return $failed
}

case ${1:-} in
  once) dump_all && dump_register ;;
  due) dump_due ;;
  *)
    trap 'exit 0' TERM INT
    while true; do
      dump_due || true
      sleep 900 &
      wait $!
    done
    ;;
esac
