import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { audioNotRecognised, transcriptionFailed } from '../errors.ts';

export interface SoundMeasurement {
  readonly hasAudio: boolean;
  readonly hasVideo: boolean;
  readonly seconds: number;
}

export interface MeasureJob {
  readonly bytes: Uint8Array;
  readonly mimeType: string;
}

const thread = fileURLToPath(new URL('./measureThread.ts', import.meta.url));
const maxMemoryMb = 256;

/**
 * Measures the duration of a sound in its own thread: crafted bytes can keep a parser busy for half a minute, during
 * which this process would be blocked.
 *
 * @throws AppError audio_not_recognised; transcription_failed if it takes longer than `limitMs`
 */
export async function measureSound(job: MeasureJob, limitMs: number): Promise<SoundMeasurement> {
  const worker = new Worker(thread, { workerData: job, resourceLimits: { maxOldGenerationSizeMb: maxMemoryMb } });
  const { promise, resolve, reject } = Promise.withResolvers<SoundMeasurement>();
  worker.once('message', resolve);
  worker.once('error', (error) => reject(audioNotRecognised(error)));
  worker.once('exit', () => reject(audioNotRecognised()));
  const timer = setTimeout(() => reject(transcriptionFailed(`not measured within ${limitMs} ms`)), limitMs);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}
