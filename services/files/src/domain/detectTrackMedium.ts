import { ALL_FORMATS, CustomSource, Input } from 'mediabunny';

/** Stored file whose beginning has been read. */
export interface StoredMedia {
  readonly head: Uint8Array;
  readonly size: number;
  /** Reads the bytes from `start` (inclusive) to `end` (exclusive). */
  readonly read: (start: number, end: number) => Promise<Uint8Array>;
}

/** Limits far above what finding the tracks takes; crafted files meant to keep a reader busy reach them at once. */
const maxReads = 1_000;
const maxReadsBeyondHead = 32;
const maxBytesBeyondHead = 16_777_216;

/**
 * Returns whether a WebM, MP4, QuickTime or Ogg file has video or only audio, by its tracks: browsers record audio into
 * video containers, which look the same at their beginning. Undefined if the tracks are not found.
 */
export async function detectTrackMedium({ head, size, read }: StoredMedia): Promise<'video' | 'audio' | undefined> {
  let [reads, readsBeyond, bytesBeyond] = [0, 0, 0];
  const source = new CustomSource({
    getSize: () => size,
    read: (start, end) => {
      reads += 1;
      if (reads > maxReads) throw new Error('The tracks were not found within the maximum number of reads.');
      if (end <= head.length) return head.subarray(start, end);
      readsBeyond += 1;
      bytesBeyond += end - start;
      if (readsBeyond > maxReadsBeyondHead || bytesBeyond > maxBytesBeyondHead) {
        throw new Error('The tracks were not found within the maximum number of bytes.');
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
