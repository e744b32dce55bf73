import { randomUUID } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { requireLaunchAllowed } from './liveChildren.ts';
import { isAlive, identifyProcess, type ProcessIdentity } from './processes.ts';

/**
 * Acquires a lock file for this process, so that one process builds and the others wait. Returns a function that
 * releases it. Takes over the lock of a dead process.
 */
export async function takeBuildLock(file: string, onWait: () => void = () => undefined): Promise<() => void> {
  mkdirSync(dirname(file), { recursive: true });
  const mine = `${file}.${randomUUID()}`;
  let waiting = false;
  writeFileSync(mine, JSON.stringify(identifyProcess(process.pid)));
  try {
    for (;;) {
      requireLaunchAllowed();
      try {
        // Links are created atomically, so nobody reads a half-written lock.
        linkSync(mine, file);
        return () => {
          rmSync(file, { force: true });
        };
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      }
      if (!hasLivingOwner(file)) {
        rmSync(file, { force: true });
        continue;
      }
      if (!waiting) onWait();
      waiting = true;
      await sleep(100);
    }
  } finally {
    rmSync(mine, { force: true });
  }
}

function hasLivingOwner(file: string): boolean {
  try {
    return isAlive(JSON.parse(readFileSync(file, 'utf8')) as ProcessIdentity);
  } catch {
    return false;
  }
}
