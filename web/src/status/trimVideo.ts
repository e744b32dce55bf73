import {
  BlobSource,
  BufferTarget,
  Conversion,
  Input,
  MATROSKA,
  MP4,
  Mp4OutputFormat,
  Output,
  QTFF,
  WEBM,
  WebMOutputFormat,
} from 'mediabunny';

export interface Trimming {
  /** Rejects where this browser cannot read or write the video, and once it is cancelled. */
  readonly done: Promise<File>;
  cancel: () => void;
}

const isWebm = (type: string): boolean => type.includes('webm') || type.includes('matroska');

/** Cuts a part out of a video, from and to in seconds, in the browser; pictures are encoded anew only where they have to be. */
export function trimVideo(
  file: File,
  { from, to }: { from: number; to: number },
  onProgress: (share: number) => void,
): Trimming {
  let conversion: Conversion | undefined;
  let cancelled = false;
  const run = async (): Promise<File> => {
    const input = new Input({ source: new BlobSource(file), formats: [MP4, QTFF, WEBM, MATROSKA] });
    try {
      const target = new BufferTarget();
      const format = isWebm(file.type) ? new WebMOutputFormat() : new Mp4OutputFormat();
      conversion = await Conversion.init({
        input,
        output: new Output({ format, target }),
        trim: { start: from, end: to },
        // Without what it says of where and with what it was made.
        tags: {},
      });
      if (cancelled || !conversion.isValid) throw new Error('This browser cannot trim this video.');
      conversion.onProgress = onProgress;
      await conversion.execute();
      if (target.buffer === null) throw new Error('Trimming made nothing.');
      const type = isWebm(file.type) ? 'video/webm' : 'video/mp4';
      const name = file.name.replace(/\.[^.]*$/, '') + (type === 'video/webm' ? '.webm' : '.mp4');
      return new File([target.buffer], name, { type });
    } finally {
      input.dispose();
    }
  };
  return {
    done: run(),
    cancel() {
      cancelled = true;
      conversion?.cancel().catch(() => undefined);
    },
  };
}
