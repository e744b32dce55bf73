import { findInstanceOwner } from './instanceLock.ts';
import type { LauncherOptions } from './launcherOptions.ts';
import { sendSignal, waitUntilGone } from './processes.ts';

/** Runs `npm stop`: ends the instance of NOLO_HOME. Returns the exit code. */
export async function stopInstance(options: LauncherOptions): Promise<number> {
  const owner = findInstanceOwner(options.home);
  if (owner === undefined) {
    process.stdout.write(`Nothing is running in ${options.home}.\n`);
    return 0;
  }
  sendSignal(owner.pid, 'SIGTERM');
  if (await waitUntilGone(owner, 30_000)) {
    process.stdout.write(`Stopped the instance in ${options.home}.\n`);
    return 0;
  }
  sendSignal(owner.pid, 'SIGKILL');
  process.stdout.write(
    `Process ${String(owner.pid)} in ${options.home} did not stop within 30 s and was killed. The processes it started will exit by themselves.\n`,
  );
  return 1;
}
