import { availableParallelism, freemem, setPriority } from 'node:os';
import { startProgram } from '../childProcess.ts';

export interface NinjaBuild {
  ninja: string;
  /** Folder with meson's build plan. */
  folder: string;
  target: string;
  env: Record<string, string>;
  /** File that identifies the process, so that the next build ends one that lost its launcher. */
  processFile: string;
  onLine: (line: string) => void;
}

/** Approximate memory of one compiler for the sources of the worker. */
const compilerBytes = 700 * 1024 * 1024;

/** Builds one target. Returns whether it succeeded. Ninja ends its compilers when it is asked to end. */
export async function runNinja(build: NinjaBuild): Promise<boolean> {
  const child = await startProgram({
    command: build.ninja,
    args: ['-C', build.folder, '-j', String(chooseCompilerJobs(availableParallelism(), freemem())), build.target],
    cwd: build.folder,
    env: build.env,
    stopSignal: 'INT',
    processFile: build.processFile,
    onLine: build.onLine,
    probe: async () => await Promise.resolve(),
  });
  try {
    // Lowers the priority below everything else on this machine; the compilers inherit it.
    setPriority(child.pid, 10);
  } catch {
    // The process has already ended.
  }
  const { code } = await child.exited;
  return code === 0;
}

/** Returns the number of compilers that may run at once. */
export function chooseCompilerJobs(cores: number, freeBytes: number): number {
  return Math.max(1, Math.min(cores, Math.floor(freeBytes / compilerBytes)));
}

/** Parses ninja's progress from "[57/263] Compiling …", in tenths. Returns undefined for any other line. */
export function parseNinjaProgress(line: string): number | undefined {
  const match = /^\[(\d+)\/(\d+)\]/.exec(line);
  return match === null ? undefined : Math.floor((Number(match[1]) * 10) / Number(match[2]));
}
