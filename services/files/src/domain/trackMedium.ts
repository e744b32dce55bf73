import { ALL_FORMATS, CustomSource, Input } from 'mediabunny';

/** A file in storage whose beginning has been read. */
export interface StoredMedia {
  readonly head: Uint8Array;
  readonly size: number;
  /** Reads the bytes from `start` up to and without `end`. */
  readonly read: (start: number, end: number) => Promise<Uint8Array>;
}

/** Far more than tracks take to be found; bytes that are made to keep a reader busy meet these limits at once. */
const maxReads = 1_000;
const maxReadsBeyondHead = 32;
const maxBytesBeyondHead = 16_777_216;

/**
 * Whether a WebM, MP4, QuickTime or Ogg file shows pictures or only sounds, by its tracks: browsers record sound into the
 * containers of videos, whose first bytes do not tell the difference. Undefined where the tracks are not found.
 */
export async function trackMedium({ head, size, read }: StoredMedia): Promise<'video' | 'audio' | undefined> {
  let [reads, readsBeyond, bytesBeyond] = [0, 0, 0];
  const source = new CustomSource({
    getSize: () => size,
    read: (start, end) => {
      reads += 1;
      if (reads > maxReads) throw new Error('The tracks are not found within as many reads as a file may take.');
      if (end <= head.length) return head.subarray(start, end);
      readsBeyond += 1;
      bytesBeyond += end - start;
      if (readsBeyond > maxReadsBeyondHead || bytesBeyond > maxBytesBeyondHead) {
        throw new Error('The tracks are not found within as many bytes as a file may take.');
      }
      return read(start, end);
    },
  });
  const input = new Input({ formats: ALL_FORMATS, source });
  try {
    const types = (await input.getTracks()).map(({ type }) => type);
    if (types.includes('video')) return 'video';
    return types.includes('audio') ? 'audio' : undefined;
  } catch {
    return undefined;
  } finally {
    input.dispose();
  }
}
