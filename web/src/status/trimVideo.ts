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

export interface VideoTrim {
  /** Rejects if this browser cannot read or write the video, or when canceled. */
  readonly done: Promise<File>;
  cancel: () => void;
}

const isWebm = (type: string): boolean => type.includes('webm') || type.includes('matroska');

/** Cuts a part out of a video in the browser, from and to in seconds. Re-encodes pictures only if necessary. */
export function trimVideo(
  file: File,
  { from, to }: { from: number; to: number },
  onProgress: (share: number) => void,
): VideoTrim {
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
        // Removes location and camera data.
        tags: {},
      });
      if (cancelled || !conversion.isValid) throw new Error('This browser cannot trim this video.');
      conversion.onProgress = onProgress;
      await conversion.execute();
      if (target.buffer === null) throw new Error('Trimming produced no file.');
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
