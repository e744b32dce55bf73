import { fileTypeFromBuffer } from 'file-type';
import { FairQueue } from '@nolo/kit/fairQueue';
import type { AudioExaminer, AudioFormat } from '../domain/ports.ts';
import { audioNotRecognised, transcriptionBusy } from '../errors.ts';
import { audioFormatByExtension, audioFormatFacts } from './formats.ts';
import { measureSound, type SoundMeasurement } from './measureSound.ts';
import { measureWebm } from './measureWebm.ts';
import { wavSeconds } from '../worker/wav.ts';

/** Bytes at the start that identify the format. */
const headBytes = 65_536;
const maxThreads = 4;
/** Maximum voice notes waiting to be measured. Each holds its bytes in memory, so the number is limited. */
const maxWaiting = 16;
/** Cost in bytes up to which a voice note counts as light. Slow ones are the largest. */
const lightBytes = 2 ** 20;

/** Reads formats that take no time, whatever the bytes: what most browsers record, and plain samples. */
function readInPassing(bytes: Uint8Array, format: AudioFormat): SoundMeasurement | undefined {
  if (format === 'webm') return measureWebm(bytes);
  const seconds = format === 'wav' ? wavSeconds(bytes) : undefined;
  return seconds === undefined ? undefined : { hasAudio: true, hasVideo: false, seconds };
}

export interface AudioExaminerOptions {
  /** Timeout in milliseconds for measuring the duration. */
  measureMs?: number;
}

/**
 * Determines the format of a voice note from its bytes, and its duration. Refuses unsupported formats, broken files,
 * files with video, and files without a duration, because minutes could not be counted.
 */
export function createAudioExaminer({ measureMs = 5_000 }: AudioExaminerOptions = {}): AudioExaminer {
  const threads = new FairQueue({
    atOnce: maxThreads,
    lightCost: lightBytes,
    heavyAtOnce: maxThreads - 1,
    maxWaiting,
    busy: transcriptionBusy,
  });
  return {
    async examine(userId, bytes) {
      const kind = await fileTypeFromBuffer(bytes.subarray(0, headBytes)).catch(() => undefined);
      const format = kind && audioFormatByExtension[kind.ext];
      if (!format) throw audioNotRecognised();
      const { mimeType } = audioFormatFacts[format];
      const { hasAudio, hasVideo, seconds } =
        readInPassing(bytes, format) ??
        (await threads.take(() => measureSound({ bytes, mimeType }, measureMs), { key: userId, cost: bytes.length }));
      if (hasVideo || !hasAudio || !Number.isFinite(seconds) || seconds <= 0) throw audioNotRecognised();
      return { bytes, format, seconds };
    },
  };
}
