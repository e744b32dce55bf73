import { parentPort, workerData } from 'node:worker_threads';
import { parseBuffer } from 'music-metadata';
import type { MeasureJob, SoundMeasurement } from './measureSound.ts';

/** Runs as a thread that measures one sound and ends. Broken files make it fail, which is its result. */
const { bytes, mimeType } = workerData as MeasureJob;
const { format } = await parseBuffer(bytes, { mimeType }, { duration: true, skipCovers: true });
const facts: SoundMeasurement = {
  // Formats that contain only audio do not state that they do.
  hasAudio: format.hasAudio ?? true,
  hasVideo: format.hasVideo ?? false,
  seconds: format.duration ?? 0,
};
parentPort?.postMessage(facts);
