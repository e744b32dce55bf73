import { readdirSync, readFileSync } from 'node:fs';

/** A process as it can be found again: a pid alone may since belong to somebody else. */
export interface ProcessMark {
  pid: number;
  /** Start time in clock ticks since boot, field 22 of /proc/<pid>/stat. */
  startedAt: string;
}

/** The mark of a running process, or undefined when there is none with that pid. */
export function markOf(pid: number): ProcessMark | undefined {
  const stat = readStat(pid);
  if (stat === undefined || stat.state === 'Z') return undefined;
  return { pid, startedAt: stat.startedAt };
}

/** Whether the very process of the mark still runs. */
export function isAlive(mark: ProcessMark): boolean {
  return markOf(mark.pid)?.startedAt === mark.startedAt;
}

/** Sends a signal and does not mind when there is nobody to receive it. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It is gone already, or was never ours.
  }
}

/** Waits until the process is gone; answers whether that happened in time. */
export async function waitUntilGone(mark: ProcessMark, timeoutMs: number): Promise<boolean> {
  const end = Date.now() + timeoutMs;
  while (isAlive(mark)) {
    if (Date.now() > end) return false;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  return true;
}

/**
 * The processes that carry `name=value` in the environment they were started with. A process that
 * was given to init when its parent died is found as well, which a walk from parents would miss.
 */
export function processesWithEnv(name: string, value: string): ProcessMark[] {
  const wanted = `${name}=${value}`;
  const found: ProcessMark[] = [];
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry) || Number(entry) === process.pid) continue;
    try {
      const environment = readFileSync(`/proc/${entry}/environ`, 'latin1').split('\0');
      if (!environment.includes(wanted)) continue;
    } catch {
      continue;
    }
    const mark = markOf(Number(entry));
    if (mark !== undefined) found.push(mark);
  }
  return found;
}

function readStat(pid: number): { state: string; startedAt: string } | undefined {
  try {
    const text = readFileSync(`/proc/${String(pid)}/stat`, 'latin1');
    // The second field is the program's name in brackets and may contain anything.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const state = fields[0];
    const startedAt = fields[19];
    return state === undefined || startedAt === undefined ? undefined : { state, startedAt };
  } catch {
    return undefined;
  }
}
