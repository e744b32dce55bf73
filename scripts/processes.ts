import { readdirSync, readFileSync } from 'node:fs';

/** Process identity that survives reuse of its pid. */
export interface ProcessIdentity {
  pid: number;
  /** Start time in clock ticks since boot, field 22 of /proc/<pid>/stat. */
  startedAt: string;
}

/** Returns the mark of a running process, or undefined if no process has that pid. */
export function identifyProcess(pid: number): ProcessIdentity | undefined {
  const stat = readStat(pid);
  if (stat === undefined || stat.state === 'Z') return undefined;
  return { pid, startedAt: stat.startedAt };
}

/** Returns true if the process identified by the mark is still running. */
export function isAlive(identity: ProcessIdentity): boolean {
  return identifyProcess(identity.pid)?.startedAt === identity.startedAt;
}

/** Sends a signal; a missing process is not an error. */
export function sendSignal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // The process is gone, or was never ours.
  }
}

/** Waits until the process is gone. Returns false on timeout. */
export async function waitUntilGone(identity: ProcessIdentity, timeoutMs: number): Promise<boolean> {
  const end = Date.now() + timeoutMs;
  while (isAlive(identity)) {
    if (Date.now() > end) return false;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  return true;
}

/**
 * Returns the processes whose initial environment contains `name=value`. This includes processes that init adopted when
 * their parent died, which a walk from the parents would miss.
 */
export function findProcessesWithEnv(name: string, value: string): ProcessIdentity[] {
  const wanted = `${name}=${value}`;
  const found: ProcessIdentity[] = [];
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry) || Number(entry) === process.pid) continue;
    try {
      const environment = readFileSync(`/proc/${entry}/environ`, 'latin1').split('\0');
      if (!environment.includes(wanted)) continue;
    } catch {
      continue;
    }
    const identity = identifyProcess(Number(entry));
    if (identity !== undefined) found.push(identity);
  }
  return found;
}

function readStat(pid: number): { state: string; startedAt: string } | undefined {
  try {
    const text = readFileSync(`/proc/${String(pid)}/stat`, 'latin1');
    // The second field is the program's name in brackets and may contain any character.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const state = fields[0];
    const startedAt = fields[19];
    return state === undefined || startedAt === undefined ? undefined : { state, startedAt };
  } catch {
    return undefined;
  }
}
