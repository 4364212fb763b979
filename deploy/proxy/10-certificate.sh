#!/bin/sh
# Before nginx starts: a certificate must exist. Until the real one is fetched (docs/deployment.md) it is self-signed,
# for a day, so that a forgotten step is seen at once.
set -eu
real=/etc/letsencrypt/live/$SITE_HOST
if [ -s "$real/fullchain.pem" ]; then
  [ -L "$CERTIFICATE_DIR" ] || rm -rf "$CERTIFICATE_DIR" # the self-signed one
  ln -sfn "$real" "$CERTIFICATE_DIR"
  exit 0
fi
echo "No certificate in $real: making a self-signed one"
mkdir -p "$CERTIFICATE_DIR"
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1 -subj "/CN=$SITE_HOST" \
  -addext "subjectAltName=DNS:$SITE_HOST" -keyout "$CERTIFICATE_DIR/privkey.pem" -out "$CERTIFICATE_DIR/fullchain.pem" \
  2>/dev/null
