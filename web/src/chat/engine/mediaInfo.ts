/**
 * Sender's description of a medium in the message's `mediaInfo`. It is opaque to the server and written by other
 * clients, so its content is untrusted.
 */
export interface MediaInfo {
  /** Media type as reported by the sender's browser. */
  readonly type?: string;
  /** Width in pixels. */
  readonly width?: number;
  readonly height?: number;
  /** Duration in seconds. */
  readonly duration?: number;
  /** Blurred miniature of some 25 bytes, in Base64. */
  readonly thumbhash?: string;
  /** True for an animated picture, which plays unless the user prefers reduced motion. */
  readonly moves?: boolean;
  /** Loudness from 0 to 100, in equal steps over the duration. */
  readonly waveform?: readonly number[];
}

const mostPixels = 100_000;
const mostSeconds = 7 * 86_400;
const mostBars = 256;

function numberWithin(value: unknown, most: number): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 && value <= most ? value : undefined;
}

function textWithin(value: unknown, pattern: RegExp): string | undefined {
  return typeof value === 'string' && pattern.test(value) ? value : undefined;
}

function bars(value: unknown): readonly number[] | undefined {
  if (!Array.isArray(value) || value.length === 0 || value.length > mostBars) return undefined;
  const all: unknown[] = value;
  return all.map((bar) => (typeof bar === 'number' && bar >= 0 ? Math.min(100, bar) : 0));
}

/* Parsed results by text, so that rendering a row again parses nothing. */
const known = new Map<string, MediaInfo>();
const mostKnown = 2_000;

function parse(text: string): MediaInfo {
  let said: Record<string, unknown>;
  try {
    said = Object(JSON.parse(text)) as Record<string, unknown>;
  } catch {
    return {};
  }
  const { type, width, height, duration, thumbhash, moves, waveform } = said;
  const found = {
    type: textWithin(type, /^[a-z]+\/[\w.+-]{1,100}$/i),
    width: numberWithin(width, mostPixels),
    height: numberWithin(height, mostPixels),
    duration: numberWithin(duration, mostSeconds),
    thumbhash: textWithin(thumbhash, /^[\w+/=-]{8,64}$/),
    moves: moves === true ? true : undefined,
    waveform: bars(waveform),
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined)) as MediaInfo;
}

export function readMediaInfo(text: string | null): MediaInfo {
  if (text === null) return {};
  const read = known.get(text);
  if (read) return read;
  if (known.size >= mostKnown) known.clear();
  const info = parse(text);
  known.set(text, info);
  return info;
}

export function writeMediaInfo(info: MediaInfo): string {
  return JSON.stringify(info);
}
