import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { availableParallelism, cpus, loadavg, setPriority } from 'node:os';

/** Of the priorities from -20 to 19. */
export const behind = 19;
const behindPages = 10;

/** USER_HZ: the unit of the times in /proc/<pid>/stat, which is 100 on every Linux that Nolo runs on. */
const ticksPerSecond = 100;

function fieldsOf(pid: number): string[] {
  // The program's name comes second, in parentheses, and may itself hold some.
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** Milliseconds of CPU that a process has used so far, user and system. */
export function cpuMs(pid: number): number {
  const fields = fieldsOf(pid);
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / ticksPerSecond;
}

/** The same for a process and its children, such as Postgres and its connections; those that ended are counted with it. */
export function familyCpuMs(pid: number): number {
  let sum = 0;
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const fields = fieldsOf(Number(name));
      if (Number(name) === pid) sum += [11, 12, 13, 14].reduce((ticks, at) => ticks + Number(fields[at]), 0);
      else if (Number(fields[1]) === pid) sum += Number(fields[11]) + Number(fields[12]);
    } catch {
      // It ended between the listing and the look.
    }
  }
  return (sum * 1000) / ticksPerSecond;
}

/** The processes that came of this one. */
function descendants(): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      parents.set(Number(name), Number(fieldsOf(Number(name))[1]));
    } catch {
      // It ended between the listing and the look.
    }
  }
  const comesOfUs = (pid: number | undefined): boolean =>
    pid !== undefined && (pid === process.pid || comesOfUs(parents.get(pid)));
  return [...parents.keys()].filter((pid) => pid !== process.pid && comesOfUs(pid));
}

function setProcessPriority(pid: number, priority: number): void {
  try {
    // Linux counts the threads of a process as processes of their own here.
    for (const thread of readdirSync(`/proc/${pid}/task`)) setPriority(Number(thread), priority);
  } catch {
    // It has ended since.
  }
}

/**
 * Lets every process that came of this one so far go behind those that come later, as if it was on another machine: what
 * is measured then does not wait for a processor that its server, or whoever measures, has at the moment.
 */
export function giveWay(): void {
  for (const pid of descendants()) setProcessPriority(pid, behind);
}

/**
 * Lets the pages of Chromium go before its other processes. Those draw what a phone has a GPU for, beside processors of
 * their own; here they would take a page's processor, and put themselves before it where they may.
 */
export function letPagesGoFirst(): void {
  for (const pid of descendants()) {
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, 'latin1');
      // New pages have the priority of the process that they are forked from.
      if (!command.includes('chrom') || /--type=(?:renderer|zygote)/.test(command)) continue;
    } catch {
      continue;
    }
    setProcessPriority(pid, behindPages);
  }
}

/** Bytes of memory that a process has resident. */
export function residentBytes(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1];
  return Number(kilobytes) * 1024;
}

/**
 * Packets that the kernel threw away before this process took them, for want of room in a UDP socket that it still has
 * open. Asked of the kernel, since a media worker that is late answers late.
 */
export function droppedBySockets(pid: number): number {
  const folder = `/proc/${pid}/fd`;
  const own = new Set(readdirSync(folder).map((name) => readlinkSync(join(folder, name))));
  const [, ...sockets] = readFileSync('/proc/net/udp', 'utf8').trim().split('\n');
  return sockets.reduce((sum, line) => {
    const columns = line.trim().split(/\s+/);
    return own.has(`socket:[${columns[9]}]`) ? sum + Number(columns.at(-1)) : sum;
  }, 0);
}

/** Milliseconds since 1970, finer than Date has them, to hold against what another process on this machine noted. */
export const wallClockMs = (): number => performance.timeOrigin + performance.now();

/** The value below which a share of the values lies; 0.5 is the median. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Prints a table as Markdown, as docs/performance.md wants it. */
export function printTable(head: readonly string[], rows: readonly (readonly (string | number)[])[]): void {
  const lines = [head, ...rows].map((row) => row.map((cell) => (typeof cell === 'number' ? round(cell) : cell)));
  const widths = head.map((_, column) => Math.max(3, ...lines.map((line) => line[column]?.length ?? 0)));
  const show = (line: readonly string[]) =>
    `| ${widths.map((width, column) => (column === 0 ? (line[column] ?? '').padEnd(width) : (line[column] ?? '').padStart(width))).join(' | ')} |`;
  const rule = widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`));
  say(['', show(lines[0] ?? []), `| ${rule.join(' | ')} |`, ...lines.slice(1).map(show), ''].join('\n'));
}

/** Three digits that mean something, which is more than a shared machine can promise. */
function round(value: number): string {
  if (Math.abs(value) >= 100) return value.toFixed(0);
  return value.toFixed(Math.abs(value) >= 10 ? 1 : 2);
}

/** What has to be known about the machine to make anything of a figure. */
export function conditions(): string {
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
