import type { SoundMeasurement } from './measureSound.ts';

/**
 * Container elements of WebM (RFC 9559). The parser enters them and treats their content as flat, because it needs only
 * times and tracks. It computes the duration from block times: live recordings of browsers have no duration and
 * clusters of unknown size, which music parsers cannot handle.
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

/**
 * Reads a number whose first byte encodes its length. `keepMarker`: true for identifiers, which include the length
 * marker.
 */
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

/** Returns a block's start relative to its cluster: two signed bytes after the track number. */
function blockOffset(bytes: Uint8Array, start: number): number | undefined {
  const track = readNumber(bytes, start, false);
  if (!track || track.end + 2 > bytes.length) return undefined;
  return (unsignedAt(bytes, track.end, track.end + 2) << 16) >> 16;
}

/** Reads tracks and duration: from the first block to the end of the last, or 0 without blocks. */
export function measureWebm(bytes: Uint8Array): SoundMeasurement {
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
  // The last block is assumed to last as long as the one before it.
  const seconds = first === undefined ? 0 : ((last - first + step) * scale) / 1e9;
  return { hasAudio: types.has(sound), hasVideo: types.has(pictures), seconds };
}
