#!/bin/sh
# Installs the dependencies of one workspace, at the versions in the lock file:
#   install.sh services/chat
#   install.sh web with-build-tools
set -eu
workspace=$1

if [ -s /run/secrets/ca ]; then export NODE_EXTRA_CA_CERTS=/run/secrets/ca; fi

# Does not use `npm ci`, which refuses a lock file that lacks optional packages for other platforms. `npm install` uses
# the same versions and verifies the same checksums.
if [ "${2:-}" = with-build-tools ]; then
  exec npm install --no-save --workspace "$workspace"
fi
npm install --no-save --omit=dev --workspace "$workspace"
npm cache clean --force >/dev/null 2>&1

# npm follows links to workspaces that only tests use. An image needs no files for compiling or debugging.
rm -rf node_modules/@nolo/testing node_modules/playwright-core node_modules/.cache
find . -type f \( -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' -o -name '*.map' \) -delete
