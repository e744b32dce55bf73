#!/bin/sh
# Installs what one workspace needs, in the versions of the lock file:
#   install.sh services/chat
#   install.sh web with-build-tools
set -eu
workspace=$1

if [ -s /run/secrets/ca ]; then export NODE_EXTRA_CA_CERTS=/run/secrets/ca; fi

# Not `npm ci`: it refuses a lock file that lacks optional packages for other platforms. This takes the same versions
# and holds them against the same checksums.
if [ "${2:-}" = with-build-tools ]; then
  exec npm install --no-save --workspace "$workspace"
fi
npm install --no-save --omit=dev --workspace "$workspace"
npm cache clean --force >/dev/null 2>&1

# npm follows the links to workspaces that only tests use; and nobody compiles or debugs in an image.
rm -rf node_modules/@nolo/testing node_modules/playwright-core node_modules/.cache
find . -type f \( -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' -o -name '*.map' \) -delete
