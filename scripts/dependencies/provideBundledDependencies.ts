import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { takeBuildLock } from '../buildLock.ts';
import type { ChildLog } from '../childLog.ts';
import { startNodeChild } from '../childProcess.ts';
import { hashInputs } from '../hashInputs.ts';
import { projectRoot } from '../paths.ts';
import type { Progress } from '../progress.ts';

const cache = join(projectRoot, 'node_modules/.cache/nolo');

/**
 * Bundles the packages that services load into a few files: finding and reading a thousand files is most of the start
 * time. Rebuilds the bundle when its inputs change.
 *
 * @returns their folder, or undefined if bundling failed and they are loaded one by one.
 */
export async function provideBundledDependencies(progress: Progress, log: ChildLog): Promise<string | undefined> {
  const all = join(cache, 'dependencies');
  const name = hashInputs(['package-lock.json', 'scripts/dependencies', 'scripts/paths.ts']).slice(0, 16);
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
      const lastOutput = log.lastLines(6).join('\n    ');
      progress.warn(`The packages of the services could not be bundled, so starting takes longer:\n    ${lastOutput}`);
      return undefined;
    }
    for (const old of readdirSync(all)) if (old !== name) rmSync(join(all, old), { recursive: true, force: true });
    return folder;
  } finally {
    unlock();
  }
}

/** Returns the Node arguments that load the bundled packages. */
export function getBundledDependencyArguments(folder: string | undefined): string[] {
  return folder === undefined ? [] : ['--import', join(folder, 'register.mjs')];
}
