import { fileTypeFromBuffer } from 'file-type';
import { FairQueue } from '@nolo/kit/fairQueue';
import type { AudioExaminer, AudioFormat } from '../domain/ports.ts';
import { audioNotRecognised, transcriptionBusy } from '../errors.ts';
import { formatOfExtension, formats } from './formats.ts';
import { measure, type SoundFacts } from './measure.ts';
import { readWebm } from './readWebm.ts';
import { wavSeconds } from '../worker/wav.ts';

/** What tells the format is at the beginning. */
const headBytes = 65_536;
const mostThreads = 4;
/** Voice notes whose length waits to be found out; the bytes of each are held, and what all hold is limited. */
const maxWaiting = 16;
/** In bytes. Those that take long are of the most bytes. */
const lightBytes = 2 ** 20;

/** What most browsers record, and plain samples, take no time, whatever the bytes are. */
function readInPassing(bytes: Uint8Array, format: AudioFormat): SoundFacts | undefined {
  if (format === 'webm') return readWebm(bytes);
  const seconds = format === 'wav' ? wavSeconds(bytes) : undefined;
  return seconds === undefined ? undefined : { hasAudio: true, hasVideo: false, seconds };
}

export interface ExaminerOptions {
  /** Milliseconds that finding out the length may take. */
  measureMs?: number;
}

/**
 * Says what a voice note is, by its bytes, and how long. What is none of our formats, is broken, shows pictures too, or does
 * not tell its length, without which nobody's minutes could be counted, is not recognised.
 */
export function createExaminer({ measureMs = 5_000 }: ExaminerOptions = {}): AudioExaminer {
  const threads = new FairQueue({
    atOnce: mostThreads,
    lightCost: lightBytes,
    heavyAtOnce: mostThreads - 1,
    maxWaiting,
    busy: transcriptionBusy,
  });
  return {
    async examine(userId, bytes) {
      const kind = await fileTypeFromBuffer(bytes.subarray(0, headBytes)).catch(() => undefined);
      const format = kind && formatOfExtension[kind.ext];
      if (!format) throw audioNotRecognised();
      const { mimeType } = formats[format];
      const { hasAudio, hasVideo, seconds } =
        readInPassing(bytes, format) ??
        (await threads.take(() => measure({ bytes, mimeType }, measureMs), { key: userId, cost: bytes.length }));
      if (hasVideo || !hasAudio || !Number.isFinite(seconds) || seconds <= 0) throw audioNotRecognised();
      return { bytes, format, seconds };
    },
  };
}
