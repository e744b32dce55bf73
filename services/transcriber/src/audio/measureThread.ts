import { parentPort, workerData } from 'node:worker_threads';
import { parseBuffer } from 'music-metadata';
import type { MeasureJob, SoundFacts } from './measure.ts';

/** A thread that reads through one sound and ends. What is broken fails it, which is its answer then. */
const { bytes, mimeType } = workerData as MeasureJob;
const { format } = await parseBuffer(bytes, { mimeType }, { duration: true, skipCovers: true });
const facts: SoundFacts = {
  // Of formats that hold nothing but sound, it is not said that they do.
  hasAudio: format.hasAudio ?? true,
  hasVideo: format.hasVideo ?? false,
  seconds: format.duration ?? 0,
};
parentPort?.postMessage(facts);
