import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { takeBuildLock } from './buildLock.ts';
import type { ChildLog } from './childLog.ts';
import { startNodeChild } from './childProcess.ts';
import { hashInputs } from './hashInputs.ts';
import { projectRoot } from './paths.ts';
import type { Progress } from './progress.ts';
import { CommandError } from './commandError.ts';

const cache = join(projectRoot, 'node_modules/.cache/nolo');
const built = join(projectRoot, 'web/dist/index.html');

/** Builds the web app unless its inputs are unchanged since the last build. */
export async function buildWeb(progress: Progress, log: ChildLog): Promise<void> {
  // Two instances of one checkout share the built app: one builds, the other waits for it.
  const unlock = await takeBuildLock(join(cache, 'web.lock'));
  try {
    const stamp = join(cache, 'web.hash');
    const inputs = hashInputs([
      'web',
      'packages/api',
      'packages/client',
      'packages/e2ee',
      'packages/rules',
      'package-lock.json',
    ]);
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
          throw new CommandError(
            `The web app could not be built. The last lines were:\n${log.lastLines(12).join('\n')}`,
          );
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
