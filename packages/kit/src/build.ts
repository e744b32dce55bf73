import { readFileSync } from 'node:fs';

/** All workspaces carry the same version, that of the installation. */
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

/** Which version runs, and from which commit where it is an image whose build was told (deploy/docker/Dockerfile). */
export const build: { readonly version: string; readonly commit: string | undefined } = {
  version,
  commit: readCommit(),
};

function readCommit(): string | undefined {
  try {
    return readFileSync(new URL('../../../commit', import.meta.url), 'utf8').trim() || undefined;
  } catch {
    return undefined;
  }
}
