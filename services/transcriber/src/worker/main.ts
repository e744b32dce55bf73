import { rmSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';
import { createRecogniser } from './createRecogniser.ts';
import { decodeAudio, sampleRate } from './decodeAudio.ts';
import {
  JobRefusedError,
  type TranscriptionJob,
  type TranscriptionJobResult,
  type WorkerStage,
  type WorkerMessage,
  type WorkerSettings,
} from './messages.ts';

/**
 * Worker process that transcribes voice notes, one at a time. It has no access to databases, user data, or keys: it
 * receives a voice note and returns text. If the service dies, the worker ends too, with its files and all programs
 * that it started.
 */
const settings = JSON.parse(process.argv[2] ?? '{}') as WorkerSettings;
// Loaded with the first voice note: loading takes a while, and its errors are then reported.
let recogniser: ReturnType<typeof createRecogniser> | undefined;
let folder: string | undefined;

function postMessage(message: WorkerMessage): void {
  process.send?.(message);
}

async function transcribeJob(job: TranscriptionJob): Promise<TranscriptionJobResult> {
  folder = job.folder;
  const enter = (stage: WorkerStage) => postMessage({ id: job.id, kind: 'stage', stage });
  try {
    enter('decoding');
    const samples = await decodeAudio(job, settings);
    if (!recogniser) enter('loading');
    recogniser ??= createRecogniser(settings);
    const loaded = await recogniser;
    enter('hearing');
    const text = await loaded.recognise(samples, job.folder);
    return { id: job.id, kind: 'heard', text, seconds: samples.length / sampleRate };
  } catch (error) {
    const known = error instanceof JobRefusedError ? error : undefined;
    const detail = error instanceof Error ? error.message : String(error);
    // Cuts: an error for the log; JSON escapes half a character.
    return { id: job.id, kind: 'refused', why: known?.why ?? 'failed', detail: detail.slice(0, 300) };
  }
}

process.on('message', (job: TranscriptionJob) => {
  void transcribeJob(job).then(postMessage);
});

process.on('disconnect', () => {
  try {
    // A program that is still writing may make several attempts necessary.
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  } finally {
    // The worker leads its process group, so killing the group ends its children too.
    process.kill(-process.pid, 'SIGKILL');
  }
});

// Lowers the priority below that of calls and messages on this machine. A process may not raise its own priority, so
// this must not fail in a container that runs at a lower one.
setPriority(Math.max(getPriority(), constants.priority.PRIORITY_BELOW_NORMAL));
