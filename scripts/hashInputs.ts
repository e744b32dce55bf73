import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { projectRoot } from './paths.ts';

/** Returns a hash of the names and contents of files and folders, given from the root of the checkout. */
export function hashInputs(paths: string[], skip: string[] = ['node_modules', 'dist']): string {
  const hash = createHash('sha256');
  function add(path: string): void {
    if (!existsSync(path)) return;
    if (statSync(path).isDirectory()) {
      for (const entry of readdirSync(path).sort()) {
        if (!skip.includes(entry)) add(join(path, entry));
      }
      return;
    }
    hash.update(`${relative(projectRoot, path)}\0`);
    hash.update(readFileSync(path));
    hash.update('\0');
  }
  for (const path of paths) add(join(projectRoot, path));
  return hash.digest('hex');
}
