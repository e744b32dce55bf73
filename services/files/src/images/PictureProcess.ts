import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { fileNotImage, imageTooLarge, pictureChanged, picturesBusy } from '../errors.ts';
import type { PictureJob, PictureJobResult, PictureResults, PictureJobTask } from '../worker/messages.ts';

const workerModule = fileURLToPath(new URL('../worker/main.ts', import.meta.url));

export interface PictureProcessLimits {
  /** Bytes that decoding and encoding may use, in addition to those of the idle process. */
  readonly memoryBytes: number;
  /** Milliseconds of CPU time; only crafted pictures take longer. */
  readonly cpuMs: number;
  /** Milliseconds of wall-clock time, which ordinary pictures may also exceed on a busy machine. */
  readonly wallMs: number;
}

/** Writable memory that Node and libvips map before the first picture. */
const ownBytes = 640 * 2 ** 20;
/** Linux counts a process's time in hundredths of a second (proc_pid_stat(5), fields 14 and 15). */
const msPerTick = 10;
const checkEveryMs = 500;

/** Returns the CPU time of a process so far, in milliseconds. */
async function cpuMsOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  // The name in brackets may contain spaces, so fields are counted from its end; the first one there is the third.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * msPerTick;
}

/** Time limits of one piece of work, and a callback for the time used. */
export interface WorkTimeLimits {
  /** CPU limit in milliseconds, capped by the process limit. */
  readonly cpuMs: number;
  /** Wall-clock limit in milliseconds. */
  readonly wallMs?: number;
  /** Receives the CPU time used, if known. */
  readonly onCpu?: (cpuMs: number) => void;
}

/** Process that handles one picture at a time, with a memory limit that the kernel enforces. */
export class PictureProcess {
  readonly #limits: PictureProcessLimits;
  readonly #child: ChildProcess;
  readonly #exited: Promise<unknown>;
  #ended = false;
  #jobs = 0;

  constructor(limits: PictureProcessLimits) {
    this.#limits = limits;
    const kilobytes = Math.ceil((ownBytes + limits.memoryBytes) / 1024);
    // A shell is required to set a limit for the program it executes.
    this.#child = spawn(
      '/bin/sh',
      ['-c', 'ulimit -d "$0" && exec "$@"', String(kilobytes), process.execPath, '--no-warnings', workerModule],
      {
        cwd: tmpdir(),
        // libvips uses two threads, each of which would otherwise have its own arena.
        env: { UV_THREADPOOL_SIZE: '2', MALLOC_ARENA_MAX: '2' },
        stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
        serialization: 'advanced',
      },
    );
    this.#exited = once(this.#child, 'exit').catch(() => undefined);
    this.#child.once('exit', () => {
      this.#ended = true;
    });
    this.#child.on('error', () => this.#kill());
  }

  get alive(): boolean {
    return !this.#ended;
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /**
   * Runs one piece of work at a time.
   *
   * @throws AppError file_not_image, image_too_large; pictures_busy if the picture is not at fault
   */
  async work<W extends PictureJobTask>(work: W, time: WorkTimeLimits): Promise<PictureResults[W['kind']]> {
    const id = (this.#jobs += 1);
    const { promise, resolve, reject } = Promise.withResolvers<PictureJobResult>();
    const answer = (result: PictureJobResult) => {
      if (result.id === id) resolve(result);
    };
    const gone = (_: unknown, signal?: NodeJS.Signals | null) => reject(whyItEnded(signal));
    this.#child.on('message', answer);
    this.#child.once('exit', gone);
    const watch = this.#watch(time, (reason) => {
      reject(reason);
      this.#kill();
    });
    try {
      if (!this.#child.connected) throw picturesBusy();
      const job: PictureJob = { id, work };
      this.#child.send(job, (error) => {
        if (error) reject(picturesBusy());
      });
      const result = await promise;
      time.onCpu?.(result.cpuMs);
      // The reply matches the kind of work.
      if ('made' in result) return result.made as PictureResults[W['kind']];
      if (result.refused === 'changed') throw pictureChanged();
      const cause = new Error(result.detail);
      throw result.refused === 'image_too_large' ? imageTooLarge(cause) : fileNotImage(cause);
    } finally {
      clearInterval(watch);
      this.#child.off('message', answer);
      this.#child.off('exit', gone);
    }
  }

  /** Ends the process; idempotent. */
  async end(): Promise<void> {
    this.#kill();
    await this.#exited;
  }

  /** Ends work that takes too long. The picture is at fault if it used the CPU, the machine if it only waited. */
  #watch(time: WorkTimeLimits, end: (reason: Error) => void): NodeJS.Timeout {
    const wallMs = Math.min(time.wallMs ?? Infinity, this.#limits.wallMs);
    const cpuMs = Math.min(time.cpuMs, this.#limits.cpuMs);
    const { pid } = this.#child;
    const beganAt = performance.now();
    let before: number | undefined;
    const check = async () => {
      if (pid === undefined) return;
      const used = await cpuMsOf(pid);
      before ??= used;
      if (used - before > cpuMs) {
        time.onCpu?.(used - before);
        end(imageTooLarge());
      } else if (performance.now() - beganAt > wallMs) end(picturesBusy());
    };
    return setInterval(() => void check().catch(() => undefined), checkEveryMs);
  }

  #kill(): void {
    this.#ended = true;
    this.#child.kill('SIGKILL');
  }
}

/**
 * Determines the cause: a crash of a decoder is the picture's fault, being killed because the machine is out of memory
 * is not.
 */
function whyItEnded(signal: NodeJS.Signals | null | undefined): Error {
  const cause = new Error(`the process was ended by ${signal ?? 'itself'}`);
  // Node aborts like this if it gets no memory.
  if (signal === 'SIGABRT') return imageTooLarge(cause);
  return signal === 'SIGSEGV' || signal === 'SIGBUS' || signal === 'SIGILL' || signal === 'SIGTRAP'
    ? fileNotImage(cause)
    : picturesBusy();
}
