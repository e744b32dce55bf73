import type { FairQueue } from '@nolo/kit/fairQueue';
import type { UserId } from '@nolo/kit/ids';
import type { TranscriptionEngine, TranscriptionResult, VoiceRecording } from '../domain/ports.ts';
import { transcriptionFailed } from '../errors.ts';
import type { WorkerSettings } from '../worker/messages.ts';
import { createVoiceQueue } from './voiceQueue.ts';
import { WorkerProcess } from './WorkerProcess.ts';

export interface WorkerEngineOptions {
  settings: WorkerSettings;
  concurrency: number;
  /** Time that an idle process keeps its model in memory. */
  idleMs?: number;
}

/** Runs a local model or program in its own processes, which start with the first voice note. */
export class WorkerEngine implements TranscriptionEngine {
  readonly #options: WorkerEngineOptions;
  readonly #queue: FairQueue;
  readonly #idle = new Map<WorkerProcess, NodeJS.Timeout>();
  readonly #busy = new Set<WorkerProcess>();
  #stopped = false;

  constructor(options: WorkerEngineOptions) {
    this.#options = options;
    this.#queue = createVoiceQueue(options.concurrency);
  }

  get waiting(): number {
    return this.#queue.waiting;
  }

  async transcribe(userId: UserId, recording: VoiceRecording, signal: AbortSignal): Promise<TranscriptionResult> {
    return await this.#queue.take(
      async () => {
        if (this.#stopped) throw transcriptionFailed('the service is stopping');
        const worker = this.#take();
        try {
          return await worker.transcribe(recording, signal);
        } finally {
          this.#giveBack(worker);
        }
      },
      { key: userId, cost: recording.seconds, signal },
    );
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    const workers = [...this.#idle.keys(), ...this.#busy];
    for (const timer of this.#idle.values()) clearTimeout(timer);
    this.#idle.clear();
    await Promise.all(workers.map((worker) => worker.end()));
  }

  #take(): WorkerProcess {
    for (const [worker, timer] of this.#idle) {
      clearTimeout(timer);
      this.#idle.delete(worker);
      if (worker.alive) return this.#use(worker);
    }
    return this.#use(new WorkerProcess(this.#options.settings));
  }

  #use(worker: WorkerProcess): WorkerProcess {
    this.#busy.add(worker);
    return worker;
  }

  #giveBack(worker: WorkerProcess): void {
    this.#busy.delete(worker);
    if (!worker.alive || this.#stopped) return;
    const letGo = () => {
      this.#idle.delete(worker);
      void worker.end();
    };
    this.#idle.set(worker, setTimeout(letGo, this.#options.idleMs ?? 300_000).unref());
  }
}
