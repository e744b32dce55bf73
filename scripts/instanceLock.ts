import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive, identifyProcess, type ProcessIdentity } from './processes.ts';
import { CommandError } from './commandError.ts';

/** Owner of an instance, from its lock file. */
export interface InstanceOwner extends ProcessIdentity {
  /** Purpose, for the message to a second owner. */
  purpose: string;
}

/** Returns the owner of a home if it is alive. */
export function findInstanceOwner(home: string): InstanceOwner | undefined {
  try {
    const owner = JSON.parse(readFileSync(lockFile(home), 'utf8')) as InstanceOwner;
    return isAlive(owner) ? owner : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Acquires a home for this process. Throws a CommandError if another living process has it. Returns a function that
 * releases it.
 */
export function lockInstance(home: string, purpose: string): () => void {
  // Permits others to traverse the folder (Postgres may run as another user), but not to list it.
  mkdirSync(home, { recursive: true, mode: 0o711 });
  const file = lockFile(home);
  const identity = identifyProcess(process.pid);
  if (identity === undefined) throw new Error('This process has no entry in /proc.');
  const mine = `${file}.${String(process.pid)}`;
  writeFileSync(mine, JSON.stringify({ ...identity, purpose } satisfies InstanceOwner), { mode: 0o600 });
  try {
    for (let attempt = 0; attempt < 3; attempt += 1) {
      try {
        // Links are created atomically, so nobody reads a half-written lock.
        linkSync(mine, file);
        return () => {
          if (findInstanceOwner(home)?.pid === process.pid) rmSync(file, { force: true });
        };
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
        const owner = findInstanceOwner(home);
        if (owner !== undefined) {
          throw new CommandError(
            `The folder ${home} is in use by ${owner.purpose} (process ${String(owner.pid)}). Stop it with "npm stop", or choose another NOLO_HOME.`,
          );
        }
        rmSync(file, { force: true });
      }
    }
  } finally {
    rmSync(mine, { force: true });
  }
  throw new CommandError(`Another start is claiming the folder ${home}. Try again.`);
}

function lockFile(home: string): string {
  return join(home, 'instance.lock');
}
