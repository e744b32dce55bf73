import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { availableParallelism, cpus, loadavg, setPriority } from 'node:os';

/** Lowest priority in the range from -20 to 19. */
export const lowPriority = 19;
const behindPages = 10;

/** USER_HZ: the unit of the times in /proc/<pid>/stat, 100 on every Linux that Nolo runs on. */
const ticksPerSecond = 100;

function fieldsOf(pid: number): string[] {
  // The program's name comes second, in parentheses, and may itself contain some.
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** Returns the milliseconds of CPU that a process has used so far, user and system. */
export function readCpuMs(pid: number): number {
  const fields = fieldsOf(pid);
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / ticksPerSecond;
}

/**
 * Returns the CPU of a process and its children, such as Postgres and its connections, including children that ended.
 */
export function readProcessTreeCpuMs(pid: number): number {
  let sum = 0;
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const fields = fieldsOf(Number(name));
      if (Number(name) === pid) sum += [11, 12, 13, 14].reduce((ticks, at) => ticks + Number(fields[at]), 0);
      else if (Number(fields[1]) === pid) sum += Number(fields[11]) + Number(fields[12]);
    } catch {
      // The process ended after the listing.
    }
  }
  return (sum * 1000) / ticksPerSecond;
}

/** Lists the descendants of this process. */
function descendants(): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      parents.set(Number(name), Number(fieldsOf(Number(name))[1]));
    } catch {
      // The process ended after the listing.
    }
  }
  const comesOfUs = (pid: number | undefined): boolean =>
    pid !== undefined && (pid === process.pid || comesOfUs(parents.get(pid)));
  return [...parents.keys()].filter((pid) => pid !== process.pid && comesOfUs(pid));
}

function setProcessPriority(pid: number, priority: number): void {
  try {
    // Linux treats the threads of a process as separate processes here.
    for (const thread of readdirSync(`/proc/${pid}/task`)) setPriority(Number(thread), priority);
  } catch {
    // The process has ended since.
  }
}

/**
 * Gives all present descendants of this process a lower priority than later ones, as if they ran on another machine:
 * the measurement then does not wait for a CPU that its server or the measuring code occupies.
 */
export function lowerDescendantPriority(): void {
  for (const pid of descendants()) setProcessPriority(pid, lowPriority);
}

/**
 * Gives Chromium's pages priority over its other processes. A phone has a GPU and separate CPU cores for their drawing;
 * here they would take a page's CPU time, and preempt it if they could.
 */
export function prioritizePages(): void {
  for (const pid of descendants()) {
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, 'latin1');
      // New pages inherit the priority of the process that they are forked from.
      if (!command.includes('chrom') || /--type=(?:renderer|zygote)/.test(command)) continue;
    } catch {
      continue;
    }
    setProcessPriority(pid, behindPages);
  }
}

/** Returns the resident memory of a process, in bytes. */
export function readResidentBytes(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1];
  return Number(kilobytes) * 1024;
}

/**
 * Returns the packets that the kernel dropped before this process took them, for lack of space in a UDP socket that is
 * still open. Reads the kernel's counters, because a busy media worker answers late.
 */
export function countDroppedPackets(pid: number): number {
  const folder = `/proc/${pid}/fd`;
  const own = new Set(readdirSync(folder).map((name) => readlinkSync(join(folder, name))));
  const [, ...sockets] = readFileSync('/proc/net/udp', 'utf8').trim().split('\n');
  return sockets.reduce((sum, line) => {
    const columns = line.trim().split(/\s+/);
    return own.has(`socket:[${columns[9]}]`) ? sum + Number(columns.at(-1)) : sum;
  }, 0);
}

/** Returns milliseconds since 1970, finer than Date, to compare with what another process on this machine recorded. */
export const getWallClockMs = (): number => performance.timeOrigin + performance.now();

/** Returns the value below which a share of the values lies; 0.5 is the median. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

export function printLine(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Prints a table as Markdown, in the format of docs/performance.md. */
export function printTable(head: readonly string[], rows: readonly (readonly (string | number)[])[]): void {
  const lines = [head, ...rows].map((row) => row.map((cell) => (typeof cell === 'number' ? round(cell) : cell)));
  const widths = head.map((_, column) => Math.max(3, ...lines.map((line) => line[column]?.length ?? 0)));
  const show = (line: readonly string[]) =>
    `| ${widths.map((width, column) => (column === 0 ? (line[column] ?? '').padEnd(width) : (line[column] ?? '').padStart(width))).join(' | ')} |`;
  const rule = widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`));
  printLine(['', show(lines[0] ?? []), `| ${rule.join(' | ')} |`, ...lines.slice(1).map(show), ''].join('\n'));
}

/** Rounds to three significant digits, more than a shared machine can reproduce. */
function round(value: number): string {
  if (Math.abs(value) >= 100) return value.toFixed(0);
  return value.toFixed(Math.abs(value) >= 10 ? 1 : 2);
}

/** Describes the machine, without which a figure means nothing. */
export function describeConditions(): string {
  const load = loadavg().map((one) => one.toFixed(1));
  const stolen = /^cpu +(?:\d+ ){7}(\d+)/m.exec(readFileSync('/proc/stat', 'latin1'))?.[1] ?? '0';
  return [
    new Date().toISOString().slice(0, 16).replace('T', ' ') + ' UTC',
    `${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? 'unknown'})`,
    `load average ${load.join(' ')}`,
    `${stolen} ticks stolen since boot`,
    `Node ${process.version}`,
  ].join(', ');
}
