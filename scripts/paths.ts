import { accessSync, constants } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of the checkout. */
export const projectRoot = dirname(dirname(fileURLToPath(import.meta.url)));

/** Where what was brought is kept; clones of the project share it. */
export function cacheFolder(env: NodeJS.ProcessEnv = process.env): string {
  const base = env['XDG_CACHE_HOME'] || join(env['HOME'] || '/tmp', '.cache');
  return join(base, 'nolo');
}

/** The path of a program in PATH, or undefined. Links stay: redis-server is one, to a program that acts by its name. */
export function findProgram(name: string, env: NodeJS.ProcessEnv = process.env): string | undefined {
  // An ordinary user's PATH lacks the folders in which Debian puts servers.
  const folders = [...(env['PATH'] ?? '').split(delimiter), '/usr/local/sbin', '/usr/sbin'];
  for (const folder of folders.filter((one) => one !== '')) {
    const candidate = join(folder, name);
    if (isExecutable(candidate)) return candidate;
  }
  return undefined;
}

/** Whether this process may run the file. */
export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
