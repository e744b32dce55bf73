import { accessSync, constants } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Root of the checkout. */
export const projectRoot = dirname(dirname(fileURLToPath(import.meta.url)));

/** Returns the folder for fetched files, shared by all clones of the project. */
export function getCacheFolder(env: NodeJS.ProcessEnv = process.env): string {
  const base = env['XDG_CACHE_HOME'] || join(env['HOME'] || '/tmp', '.cache');
  return join(base, 'nolo');
}

/**
 * Returns the path of a program in PATH, or undefined. Links are not resolved: redis-server is a link to a program that
 * acts by its name.
 */
export function findProgram(name: string, env: NodeJS.ProcessEnv = process.env): string | undefined {
  // An ordinary user's PATH lacks the folders where Debian installs servers.
  const folders = [...(env['PATH'] ?? '').split(delimiter), '/usr/local/sbin', '/usr/sbin'];
  for (const folder of folders.filter((one) => one !== '')) {
    const candidate = join(folder, name);
    if (isExecutable(candidate)) return candidate;
  }
  return undefined;
}

/** Returns true if this process may run the file. */
export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
