import { availableParallelism, freemem, setPriority } from 'node:os';
import { startProgram } from '../childProcess.ts';

export interface NinjaBuild {
  ninja: string;
  /** Where meson has put the plan. */
  folder: string;
  target: string;
  env: Record<string, string>;
  /** Remembers the process, so that one which lost its launcher is ended by the next build. */
  markFile: string;
  onLine: (line: string) => void;
}

/** A compiler takes about this much with the sources of the worker. */
const compilerBytes = 700 * 1024 * 1024;

/** Builds one target; answers whether that went well. Ninja ends its compilers when it is asked to end. */
export async function runNinja(build: NinjaBuild): Promise<boolean> {
  const child = await startProgram({
    command: build.ninja,
    args: ['-C', build.folder, '-j', String(jobs(availableParallelism(), freemem())), build.target],
    cwd: build.folder,
    env: build.env,
    stopSignal: 'INT',
    markFile: build.markFile,
    onLine: build.onLine,
    probe: async () => await Promise.resolve(),
  });
  try {
    // Whatever else this machine does goes first; the compilers inherit it.
    setPriority(child.pid, 10);
  } catch {
    // It has ended already.
  }
  const { code } = await child.exited;
  return code === 0;
}

/** How many compilers may run at once. */
export function jobs(cores: number, freeBytes: number): number {
  return Math.max(1, Math.min(cores, Math.floor(freeBytes / compilerBytes)));
}

/** "[57/263] Compiling …": how far ninja is, in tenths; nothing for any other line. */
export function tenthsDone(line: string): number | undefined {
  const match = /^\[(\d+)\/(\d+)\]/.exec(line);
  return match === null ? undefined : Math.floor((Number(match[1]) * 10) / Number(match[2]));
}
