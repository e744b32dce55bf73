import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { getBundledDependencyArguments } from '../../../scripts/dependencies/provideBundledDependencies.ts';
import { projectRoot } from '../../../scripts/paths.ts';

export interface ForkedService {
  readonly child: ChildProcess;
  readonly gone: Promise<void>;
  /** Kills the process without a clean shutdown. */
  kill(): Promise<void>;
}

/**
 * Starts a service or its worker as a separate process, and resolves when it is ready.
 * @param file program to run
 * @param clockOffMs error of its clock in milliseconds
 */
export async function forkService(
  file: string,
  env: Record<string, string | undefined>,
  clockOffMs = 0,
): Promise<ForkedService> {
  const clock = join(import.meta.dirname, 'wrongClock.mjs');
  const child = fork(file, {
    execArgv: [
      '--no-warnings',
      ...getBundledDependencyArguments(process.env['NOLO_TEST_DEPENDENCIES']),
      ...(clockOffMs === 0 ? [] : ['--import', clock]),
    ],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: join(projectRoot, 'node_modules/.cache/nolo/compile'),
      NOLO_MODE: 'demo',
      NOLO_TEST_CLOCK_OFF_MS: String(clockOffMs),
      LOG_LEVEL: 'warn',
      ...env,
    },
  });
  const gone = once(child, 'exit').then(() => undefined);
  const ready = await Promise.race([once(child, 'message').then(() => true), gone.then(() => false)]);
  if (!ready) throw new Error('A process exited before it was ready.');
  return {
    child,
    gone,
    async kill() {
      child.kill('SIGKILL');
      await gone;
    },
  };
}
