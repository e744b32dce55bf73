import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Heard, Recording } from '../domain/ports.ts';
import { audioNotRecognised, audioTooLong, transcriptionFailed } from '../errors.ts';
import type { Job, JobResult, Stage, WorkerMessage, WorkerSettings } from '../worker/messages.ts';
import { inJobFolder } from './jobFolders.ts';

const workerModule = fileURLToPath(new URL('../worker/main.ts', import.meta.url));

/** Of what a library complains about, the end says most. */
const mostComplaint = 400;

/**
 * A process that listens to one voice note at a time, and the leader of a group of its own: ending the group ends with it
 * every program that it started.
 */
export class WorkerProcess {
  readonly #child: ChildProcess;
  readonly #exited: Promise<unknown>;
  /** What was complained about before anything was heard; what comes after may be what was said, and is dropped. */
  #complaint: string | undefined = '';
  #stage: Stage | undefined;
  #ended = false;
  #gone = false;
  #jobs = 0;

  constructor(settings: WorkerSettings) {
    this.#child = spawn(process.execPath, [workerModule, JSON.stringify(settings)], {
      cwd: tmpdir(),
      env: { ...settings.environment },
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      serialization: 'advanced',
    });
    this.#exited = once(this.#child, 'exit').catch(() => undefined);
    this.#child.stderr?.on('data', (chunk: Buffer) => {
      if (this.#complaint !== undefined) {
        this.#complaint = `${this.#complaint}${chunk.toString()}`.slice(-mostComplaint);
      }
    });
    // What it started may outlive it, so the group is ended even then; afterwards its number may be somebody else's.
    this.#child.once('exit', () => {
      this.#endGroup();
      this.#gone = true;
    });
    this.#child.on('error', () => this.#endGroup());
  }

  get alive(): boolean {
    return !this.#ended;
  }

  /** One at a time. Once the signal is aborted, or where the process fails, it is ended with all that it started. */
  async hear(recording: Recording, signal: AbortSignal): Promise<Heard> {
    return await inJobFolder(async (folder) => {
      const id = (this.#jobs += 1);
      const { bytes, format } = recording;
      try {
        const result = await this.#ask({ id, bytes, format, folder }, signal);
        if (result.kind === 'refused') {
          // Nobody knows what a program that failed has left running.
          if (result.why === 'failed') this.#endGroup();
          throw this.#explain(result);
        }
        return { text: result.text, seconds: result.seconds };
      } finally {
        // Nothing writes into the folder any more when it is removed.
        if (!this.alive) await this.end();
      }
    });
  }

  /** Idempotent. */
  async end(): Promise<void> {
    this.#endGroup();
    await this.#exited;
  }

  async #ask(job: Job, signal: AbortSignal): Promise<JobResult> {
    const { promise, resolve, reject } = Promise.withResolvers<JobResult>();
    const answer = (message: WorkerMessage) => {
      if (message.id !== job.id) return;
      if (message.kind === 'stage') this.#enter(message.stage);
      else resolve(message);
    };
    const gone = () => reject(this.#failed(`the worker process ended${this.#how()}`));
    const give = () => {
      this.#endGroup();
      reject(signal.reason as Error);
    };
    this.#child.on('message', answer);
    // Once all that it wrote has come.
    this.#child.once('close', gone);
    this.#child.once('error', gone);
    signal.addEventListener('abort', give, { once: true });
    try {
      signal.throwIfAborted();
      if (!this.#child.connected) throw transcriptionFailed('the worker process is gone');
      this.#child.send(job, (error) => {
        if (error) reject(transcriptionFailed('the worker process took nothing', error));
      });
      return await promise;
    } finally {
      this.#child.off('message', answer);
      this.#child.off('close', gone);
      this.#child.off('error', gone);
      signal.removeEventListener('abort', give);
    }
  }

  #explain({ why, detail }: JobResult & { kind: 'refused' }): Error {
    if (why === 'not_audio') return audioNotRecognised(new Error(detail));
    if (why === 'too_long') return audioTooLong();
    return this.#failed(detail);
  }

  #failed(reason: string): Error {
    const complaint = this.#complaint?.trim() ?? '';
    return transcriptionFailed(complaint === '' ? reason : `${reason}: ${complaint}`);
  }

  #enter(stage: Stage): void {
    this.#stage = stage;
    if (stage === 'hearing') this.#complaint = undefined;
  }

  /** ", while loading, by SIGABRT" */
  #how(): string {
    const { signalCode, exitCode } = this.#child;
    const by = signalCode ?? (exitCode === null ? undefined : `status ${exitCode}`);
    return [this.#stage && `while ${this.#stage}`, by && `by ${by}`].map((part) => (part ? `, ${part}` : '')).join('');
  }

  #endGroup(): void {
    this.#ended = true;
    const { pid } = this.#child;
    if (pid === undefined || this.#gone) return;
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      // Nobody of the group is left.
    }
  }
}
