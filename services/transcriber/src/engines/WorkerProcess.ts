import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { TranscriptionResult, VoiceRecording } from '../domain/ports.ts';
import { audioNotRecognised, audioTooLong, transcriptionFailed } from '../errors.ts';
import type {
  TranscriptionJob,
  TranscriptionJobResult,
  WorkerStage,
  WorkerMessage,
  WorkerSettings,
} from '../worker/messages.ts';
import { withJobFolder } from './jobFolders.ts';

const workerModule = fileURLToPath(new URL('../worker/main.ts', import.meta.url));

/** Maximum characters of error output, taken from its end, which is the most informative part. */
const maxStderrLength = 400;

/**
 * Process that transcribes one voice note at a time. It leads its own process group, so ending the group also ends
 * every program that it started.
 */
export class WorkerProcess {
  readonly #child: ChildProcess;
  readonly #exited: Promise<unknown>;
  /** Error output before transcription starts. Later output may contain what was said and is dropped. */
  #complaint: string | undefined = '';
  #stage: WorkerStage | undefined;
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
        this.#complaint = `${this.#complaint}${chunk.toString()}`.slice(-maxStderrLength);
      }
    });
    // Programs of the worker may outlive it, so the group is ended on exit too. Afterwards the group ID may be reused.
    this.#child.once('exit', () => {
      this.#endGroup();
      this.#gone = true;
    });
    this.#child.on('error', () => this.#endGroup());
  }

  get alive(): boolean {
    return !this.#ended;
  }

  /**
   * Transcribes one voice note at a time. If the signal is aborted or the process fails, ends it with all programs that
   * it started.
   */
  async transcribe(recording: VoiceRecording, signal: AbortSignal): Promise<TranscriptionResult> {
    return await withJobFolder(async (folder) => {
      const id = (this.#jobs += 1);
      const { bytes, format } = recording;
      try {
        const result = await this.#ask({ id, bytes, format, folder }, signal);
        if (result.kind === 'refused') {
          // A failed program may have left others running.
          if (result.why === 'failed') this.#endGroup();
          throw this.#explain(result);
        }
        return { text: result.text, seconds: result.seconds };
      } finally {
        // The group must have ended before its folder is removed, so that nothing writes to it.
        if (!this.alive) await this.end();
      }
    });
  }

  /** Idempotent. */
  async end(): Promise<void> {
    this.#endGroup();
    await this.#exited;
  }

  async #ask(job: TranscriptionJob, signal: AbortSignal): Promise<TranscriptionJobResult> {
    const { promise, resolve, reject } = Promise.withResolvers<TranscriptionJobResult>();
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
    // `close` follows all of its output.
    this.#child.once('close', gone);
    this.#child.once('error', gone);
    signal.addEventListener('abort', give, { once: true });
    try {
      signal.throwIfAborted();
      if (!this.#child.connected) throw transcriptionFailed('the worker process is gone');
      this.#child.send(job, (error) => {
        if (error) reject(transcriptionFailed('sending a job to the worker process failed', error));
      });
      return await promise;
    } finally {
      this.#child.off('message', answer);
      this.#child.off('close', gone);
      this.#child.off('error', gone);
      signal.removeEventListener('abort', give);
    }
  }

  #explain({ why, detail }: TranscriptionJobResult & { kind: 'refused' }): Error {
    if (why === 'not_audio') return audioNotRecognised(new Error(detail));
    if (why === 'too_long') return audioTooLong();
    return this.#failed(detail);
  }

  #failed(reason: string): Error {
    const complaint = this.#complaint?.trim() ?? '';
    return transcriptionFailed(complaint === '' ? reason : `${reason}: ${complaint}`);
  }

  #enter(stage: WorkerStage): void {
    this.#stage = stage;
    if (stage === 'hearing') this.#complaint = undefined;
  }

  /** Returns text such as ", while loading, by SIGABRT". */
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
      // The group has already ended.
    }
  }
}
