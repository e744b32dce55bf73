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

const maxSidePixels = 100_000;
const maxDurationSeconds = 7 * 86_400;
const maxWaveformBars = 256;

function numberWithin(value: unknown, max: number): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 && value <= max ? value : undefined;
}

function textWithin(value: unknown, pattern: RegExp): string | undefined {
  return typeof value === 'string' && pattern.test(value) ? value : undefined;
}

function bars(value: unknown): readonly number[] | undefined {
  if (!Array.isArray(value) || value.length === 0 || value.length > maxWaveformBars) return undefined;
  const all: unknown[] = value;
  return all.map((bar) => (typeof bar === 'number' && bar >= 0 ? Math.min(100, bar) : 0));
}

/* Parsed results by text, so that rendering a row again parses nothing. */
const known = new Map<string, MediaInfo>();
const maxCacheEntries = 2_000;

function parse(text: string): MediaInfo {
  let parsed: Record<string, unknown>;
  try {
    parsed = Object(JSON.parse(text)) as Record<string, unknown>;
  } catch {
    return {};
  }
  const { type, width, height, duration, thumbhash, moves, waveform } = parsed;
  const found = {
    type: textWithin(type, /^[a-z]+\/[\w.+-]{1,100}$/i),
    width: numberWithin(width, maxSidePixels),
    height: numberWithin(height, maxSidePixels),
    duration: numberWithin(duration, maxDurationSeconds),
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
  if (known.size >= maxCacheEntries) known.clear();
  const info = parse(text);
  known.set(text, info);
  return info;
}

export function writeMediaInfo(info: MediaInfo): string {
  return JSON.stringify(info);
}
