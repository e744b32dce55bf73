import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { takeBuildLock } from '../buildLock.ts';
import type { ChildLog } from '../childLog.ts';
import { startNodeChild } from '../childProcess.ts';
import { inputHash } from '../inputHash.ts';
import { projectRoot } from '../paths.ts';
import type { Progress } from '../progress.ts';

const cache = join(projectRoot, 'node_modules/.cache/nolo');

/**
 * The packages that services load, put together into few files: to find and read a thousand of them is most of what a
 * start costs. Made when something of them has changed.
 *
 * @returns their folder; undefined where they could not be made, and are loaded one by one.
 */
export async function provideDependencies(progress: Progress, log: ChildLog): Promise<string | undefined> {
  const all = join(cache, 'dependencies');
  const name = inputHash(['package-lock.json', 'scripts/dependencies', 'scripts/paths.ts']).slice(0, 16);
  const folder = join(all, name);
  if (existsSync(folder)) return folder;
  const unlock = await takeBuildLock(join(cache, 'dependencies.lock'));
  try {
    if (existsSync(folder)) return folder;
    const child = await startNodeChild({
      module: 'scripts/dependencies/bundle.ts',
      arguments: [folder],
      env: { PATH: process.env['PATH'] ?? '' },
      onLine: log.line,
      announcesReady: false,
    });
    const { code } = await child.exited;
    if (code !== 0) {
      const said = log.lastLines(6).join('\n    ');
      progress.warn(
        `The packages of the services could not be put together, which makes starting slower:\n    ${said}`,
      );
      return undefined;
    }
    for (const old of readdirSync(all)) if (old !== name) rmSync(join(all, old), { recursive: true, force: true });
    return folder;
  } finally {
    unlock();
  }
}

/** What Node is to be told, before the program, so that it takes them from there. */
export function fromDependencies(folder: string | undefined): string[] {
  return folder === undefined ? [] : ['--import', join(folder, 'register.mjs')];
}
