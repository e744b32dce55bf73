import { portableFileName } from '@nolo/rules';
/** A recording that this browser makes, from the wish to the file. */

export interface RecordedFile {
  name: string;
  bytes: number;
  /** Null where it is on the disk already. */
  blob: Blob | null;
  /** Why it ended, where nobody here asked for that. */
  cut: RecordingCut | undefined;
}

/** Why a recording ended although nobody asked for it. */
export type RecordingCut = 'failed' | 'full' | 'ended';

/** Why there is no recording: it may not begin, did not, or cannot be made a file. */
export type RecordingProblem = 'refused' | 'notStarted' | 'lost';

export type RecordingState =
  | { name: 'idle' }
  | { name: 'starting' }
  | { name: 'running'; since: number }
  /** The last pieces are on the way into the file. */
  | { name: 'finishing' }
  /** Made, and not yet where the person wants it. */
  | { name: 'ready'; file: RecordedFile };

/** Whether closing the page now would lose something. */
export function wouldBeLost(state: RecordingState): boolean {
  return state.name !== 'idle';
}

/** What a file may be called everywhere: without the characters that some system or other refuses. */
export function recordingName(meeting: string, at: Date, extension: string): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  const time = `${two(at.getHours())}-${two(at.getMinutes())}`;
  const title = portableFileName(meeting.replace(/["*/:<>?\\|.]/g, ' '), 80);
  return `${[title || 'Nolo', day, time].join(' ')}.${extension}`;
}

const units = ['kilobyte', 'megabyte', 'gigabyte'] as const;

/** A size as people write it: 1.4 MB. */
export function sizeInWords(bytes: number, locale: string): string {
  let [value, unit] = [bytes / 1_000, 0];
  while (value >= 1_000 && unit < units.length - 1) [value, unit] = [value / 1_000, unit + 1];
  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: units[unit] ?? 'kilobyte',
    maximumFractionDigits: value < 10 ? 1 : 0,
  }).format(value);
}
