import { rmSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';
import { createRecogniser } from './createRecogniser.ts';
import { decodeAudio, sampleRate } from './decodeAudio.ts';
import {
  JobRefused,
  type Job,
  type JobResult,
  type Stage,
  type WorkerMessage,
  type WorkerSettings,
} from './messages.ts';

/**
 * A process that listens to voice notes, one at a time. It knows nothing of databases, people or keys; it is given a voice
 * note and answers words. When the service is gone it goes too, with its files and with all that it started.
 */
const settings = JSON.parse(process.argv[2] ?? '{}') as WorkerSettings;
// Loaded with the first voice note: a model takes its time, and a mistake in it is then told to somebody.
let recogniser: ReturnType<typeof createRecogniser> | undefined;
let folder: string | undefined;

function say(message: WorkerMessage): void {
  process.send?.(message);
}

async function hear(job: Job): Promise<JobResult> {
  folder = job.folder;
  const enter = (stage: Stage) => say({ id: job.id, kind: 'stage', stage });
  try {
    enter('decoding');
    const samples = await decodeAudio(job, settings);
    if (!recogniser) enter('loading');
    recogniser ??= createRecogniser(settings);
    const loaded = await recogniser;
    enter('hearing');
    const text = await loaded.recognise(samples, job.folder);
    // Cuts: an error for the log, which is JSON and escapes half a character.
    return { id: job.id, kind: 'heard', text, seconds: samples.length / sampleRate };
  } catch (error) {
    const known = error instanceof JobRefused ? error : undefined;
    const detail = error instanceof Error ? error.message : String(error);
    // Cuts: an error for the log, which is JSON and escapes half a character.
    return { id: job.id, kind: 'refused', why: known?.why ?? 'failed', detail: detail.slice(0, 300) };
  }
}

process.on('message', (job: Job) => {
  void hear(job).then(say);
});

process.on('disconnect', () => {
  try {
    // A program that still writes there makes it a matter of several tries.
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  } finally {
    // It leads a group of its own, in which are the programs that it started, and it itself.
    process.kill(-process.pid, 'SIGKILL');
  }
});

// Calls and messages on the same machine come first.
// A process may not raise its own priority, which would fail in a container that runs at a lower one.
setPriority(Math.max(getPriority(), constants.priority.PRIORITY_BELOW_NORMAL));
