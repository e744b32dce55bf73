import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChildLog } from './childLog.ts';
import { startNodeChild } from './childProcess.ts';
import { inputHash } from './inputHash.ts';
import { projectRoot } from './paths.ts';
import { isAlive, markOf, type ProcessMark } from './processes.ts';
import type { Progress } from './progress.ts';
import { Refusal } from './refusal.ts';

const cache = join(projectRoot, 'node_modules/.cache/nolo');
const built = join(projectRoot, 'web/dist/index.html');

/** Builds the web app unless what it is made from is what the last build was made from. */
export async function buildWeb(progress: Progress, log: ChildLog): Promise<void> {
  const unlock = await lockBuild();
  try {
    const stamp = join(cache, 'web.hash');
    const inputs = inputHash(['web', 'packages/api', 'packages/rules', 'package-lock.json']);
    if (existsSync(built) && existsSync(stamp) && readFileSync(stamp, 'utf8') === inputs) return;
    await progress.step(
      'Web',
      async () => {
        rmSync(stamp, { force: true });
        const child = await startNodeChild({
          module: 'web/scripts/build.ts',
          cwd: join(projectRoot, 'web'),
          env: buildEnv(),
          onLine: log.line,
          announcesReady: false,
        });
        const ending = await child.exited;
        if (ending.code !== 0 || !existsSync(built)) {
          throw new Refusal(`The web app could not be built; the last lines were:\n${log.lastLines(12).join('\n')}`);
        }
        writeFileSync(stamp, inputs);
      },
      () => 'built',
    );
  } finally {
    unlock();
  }
}

function buildEnv(): Record<string, string> {
  const kept: Record<string, string> = { NODE_ENV: 'production' };
  for (const name of ['PATH', 'HOME', 'LANG', 'TZ', 'TMPDIR']) {
    const value = process.env[name];
    if (value !== undefined) kept[name] = value;
  }
  return kept;
}

/** Two instances of one checkout share the built app: one builds, the other waits for it. */
async function lockBuild(): Promise<() => void> {
  mkdirSync(cache, { recursive: true });
  const file = join(cache, 'web.lock');
  for (;;) {
    try {
      writeFileSync(file, JSON.stringify(markOf(process.pid)), { flag: 'wx' });
      return () => {
        rmSync(file, { force: true });
      };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    try {
      const owner = JSON.parse(readFileSync(file, 'utf8')) as ProcessMark;
      if (!isAlive(owner)) rmSync(file, { force: true });
    } catch {
      // It is being written or was just removed.
    }
    await sleep(100);
  }
}
