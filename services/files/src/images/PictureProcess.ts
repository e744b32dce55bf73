import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { fileNotImage, imageTooLarge, pictureChanged, picturesBusy } from '../errors.ts';
import type { Job, JobResult, Made, Work } from '../worker/messages.ts';

const workerModule = fileURLToPath(new URL('../worker/main.ts', import.meta.url));

export interface PictureLimits {
  /** Bytes that decoding and encoding may take, beyond what the process takes with nothing to do. */
  readonly memoryBytes: number;
  /** Milliseconds of a processor: what takes longer is made to take longer. */
  readonly cpuMs: number;
  /** Milliseconds by the clock, which pass for an honest picture too where the machine is busy. */
  readonly wallMs: number;
}

/** What Node and libvips have mapped for writing before the first picture. */
const ownBytes = 640 * 2 ** 20;
/** Linux counts a process' time in hundredths of a second (proc_pid_stat(5), fields 14 and 15). */
const msPerTick = 10;
const checkEveryMs = 500;

/** Processor time of a process so far, in milliseconds. */
async function cpuMsOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  // The name in brackets may hold spaces, so that fields are counted from behind it; the third is the first there.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * msPerTick;
}

/** How long one piece of work may take, and who is told how long it took. */
export interface WorkTime {
  /** Milliseconds of a processor that it may take, and never more than the limit. */
  readonly cpuMs: number;
  /** The same by the clock. */
  readonly wallMs?: number;
  /** Told what it took of a processor, where that is known. */
  readonly onCpu?: (cpuMs: number) => void;
}

/** A process that makes one picture at a time, with a limit on its memory that the kernel holds it to. */
export class PictureProcess {
  readonly #limits: PictureLimits;
  readonly #child: ChildProcess;
  readonly #exited: Promise<unknown>;
  #ended = false;
  #jobs = 0;

  constructor(limits: PictureLimits) {
    this.#limits = limits;
    const kilobytes = Math.ceil((ownBytes + limits.memoryBytes) / 1024);
    // Only a shell can set a limit for what it becomes.
    this.#child = spawn(
      '/bin/sh',
      ['-c', 'ulimit -d "$0" && exec "$@"', String(kilobytes), process.execPath, '--no-warnings', workerModule],
      {
        cwd: tmpdir(),
        // Two threads for libvips, each of which would keep an arena of its own.
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
   * One at a time.
   *
   * @throws AppError file_not_image, image_too_large; pictures_busy where it is no fault of the picture
   */
  async work<W extends Work>(work: W, time: WorkTime): Promise<Made[W['kind']]> {
    const id = (this.#jobs += 1);
    const { promise, resolve, reject } = Promise.withResolvers<JobResult>();
    const answer = (result: JobResult) => {
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
      const job: Job = { id, work };
      this.#child.send(job, (error) => {
        if (error) reject(picturesBusy());
      });
      const result = await promise;
      time.onCpu?.(result.cpuMs);
      // The process answers with what its kind of work makes.
      if ('made' in result) return result.made as Made[W['kind']];
      if (result.refused === 'changed') throw pictureChanged();
      const cause = new Error(result.detail);
      throw result.refused === 'image_too_large' ? imageTooLarge(cause) : fileNotImage(cause);
    } finally {
      clearInterval(watch);
      this.#child.off('message', answer);
      this.#child.off('exit', gone);
    }
  }

  /** Idempotent. */
  async end(): Promise<void> {
    this.#kill();
    await this.#exited;
  }

  /** Ends what takes too long: the picture's fault where it took the processor, the machine's where it only waited. */
  #watch(time: WorkTime, end: (reason: Error) => void): NodeJS.Timeout {
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

/** A decoder that crashes is the picture's fault; being killed from outside, for the machine has no memory, is not. */
function whyItEnded(signal: NodeJS.Signals | null | undefined): Error {
  const cause = new Error(`the process ended by ${signal ?? 'itself'}`);
  // Node ends itself like that where it gets no memory.
  if (signal === 'SIGABRT') return imageTooLarge(cause);
  return signal === 'SIGSEGV' || signal === 'SIGBUS' || signal === 'SIGILL' || signal === 'SIGTRAP'
    ? fileNotImage(cause)
    : picturesBusy();
}
