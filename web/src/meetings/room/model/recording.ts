import { toPortableFileName } from '@nolo/rules';
/** Recording by this browser, from the request to the file. */

export interface RecordedFile {
  name: string;
  bytes: number;
  /** Null if the file is already on disk. */
  blob: Blob | null;
  /** Reason why the recording ended without a request here. */
  cut: RecordingEndReason | undefined;
}

/** Reason why a recording ended without a request. */
export type RecordingEndReason = 'failed' | 'full' | 'ended';

/** Reason why there is no recording: it was refused, did not start, or could not be saved. */
export type RecordingProblem = 'refused' | 'notStarted' | 'lost';

export type RecordingState =
  | { name: 'idle' }
  | { name: 'starting' }
  | { name: 'running'; since: number }
  /** The last chunks are being written to the file. */
  | { name: 'finishing' }
  /** Complete, but not yet at the user's destination. */
  | { name: 'ready'; file: RecordedFile };

export function hasUnsavedRecording(state: RecordingState): boolean {
  return state.name !== 'idle';
}

/** Returns a file name that is valid everywhere, without characters that some system forbids. */
export function recordingName(meeting: string, at: Date, extension: string): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  const time = `${two(at.getHours())}-${two(at.getMinutes())}`;
  const title = toPortableFileName(meeting.replace(/["*/:<>?\\|.]/g, ' '), 80);
  return `${[title || 'Nolo', day, time].join(' ')}.${extension}`;
}

const units = ['kilobyte', 'megabyte', 'gigabyte'] as const;

/** Formats a size: 1.4 MB. */
export function sizeInWords(bytes: number, locale: string): string {
  let [value, unit] = [bytes / 1_000, 0];
  while (value >= 1_000 && unit < units.length - 1) [value, unit] = [value / 1_000, unit + 1];
  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: units[unit] ?? 'kilobyte',
    maximumFractionDigits: value < 10 ? 1 : 0,
  }).format(value);
}
