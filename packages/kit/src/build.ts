import { readFileSync } from 'node:fs';

/** Version of the installation, which all workspaces share. */
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

/** Running version, and its commit if an image was built with it (deploy/docker/Dockerfile). */
export const buildInfo: { readonly version: string; readonly commit: string | undefined } = {
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
