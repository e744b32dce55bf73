import type { SoundFacts } from './measure.ts';

/**
 * What a WebM recording holds and how long it is, the latter by the times of its blocks: what browsers record while it
 * happens carries no duration, and its clusters have no known size, of which readers for music make nothing. The elements
 * are those of RFC 9559; those that hold others are walked through as if they were not there, for which times and tracks
 * come is all that matters.
 */
const containers: ReadonlySet<number> = new Set([
  0x18_53_80_67, // Segment
  0x15_49_a9_66, // Info
  0x16_54_ae_6b, // Tracks
  0xae, // TrackEntry
  0x1f_43_b6_75, // Cluster
  0xa0, // BlockGroup
]);
const timestampScale = 0x2a_d7_b1;
const trackType = 0x83;
const clusterTimestamp = 0xe7;
const simpleBlock = 0xa3;
const block = 0xa1;

const pictures = 1;
const sound = 2;

/** A number whose first byte tells its length; `keepMarker` for identifiers, which contain the bit that tells it. */
function readNumber(bytes: Uint8Array, at: number, keepMarker: boolean): { value: number; end: number } | undefined {
  const first = bytes[at];
  if (first === undefined || first === 0) return undefined;
  const length = Math.clz32(first) - 23;
  if (at + length > bytes.length) return undefined;
  let value = keepMarker ? first : first & (0xff >> length);
  for (let index = at + 1; index < at + length; index += 1) value = value * 256 + (bytes[index] ?? 0);
  return { value, end: at + length };
}

function unsignedAt(bytes: Uint8Array, start: number, end: number): number {
  let value = 0;
  for (const byte of bytes.subarray(start, end)) value = value * 256 + byte;
  return value;
}

/** When a block begins, counted from its cluster: two signed bytes after the number of the track. */
function blockOffset(bytes: Uint8Array, start: number): number | undefined {
  const track = readNumber(bytes, start, false);
  if (!track || track.end + 2 > bytes.length) return undefined;
  return (unsignedAt(bytes, track.end, track.end + 2) << 16) >> 16;
}

/** The length is from the first block to the end of the last, and 0 where there is no block. */
export function readWebm(bytes: Uint8Array): SoundFacts {
  const types = new Set<number>();
  let scale = 1_000_000;
  let cluster = 0;
  let first: number | undefined;
  let last = 0;
  let step = 0;
  for (let at = 0; at < bytes.length;) {
    const id = readNumber(bytes, at, true);
    const size = id && readNumber(bytes, id.end, false);
    if (!id || !size) break;
    const end = size.end + size.value;
    if (id.value === timestampScale) scale = unsignedAt(bytes, size.end, end) || scale;
    else if (id.value === trackType) types.add(unsignedAt(bytes, size.end, end));
    else if (id.value === clusterTimestamp) cluster = unsignedAt(bytes, size.end, end);
    else if (id.value === simpleBlock || id.value === block) {
      const offset = blockOffset(bytes, size.end);
      if (offset === undefined) break;
      const time = cluster + offset;
      first ??= time;
      if (time > last) {
        step = last === 0 ? 0 : time - last;
        last = time;
      }
    }
    at = containers.has(id.value) ? size.end : end;
  }
  // The last block lasts about as long as the one before it.
  const seconds = first === undefined ? 0 : ((last - first + step) * scale) / 1e9;
  return { hasAudio: types.has(sound), hasVideo: types.has(pictures), seconds };
}
