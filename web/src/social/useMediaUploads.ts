import { useEffect, useRef, useState } from 'react';
import type { RunningUpload } from '../api/ports.ts';
import { useFailureWords } from '../i18n/useFailureWords.ts';
import { confirmPlace } from '../chat/media/placeQuestion.ts';
import type { ComposedMedia } from './model/composeForm.ts';

/** A file on its way to the server. */
export interface MediaUpload {
  readonly id: string;
  readonly name: string;
  /** In hundredths; null while it is made ready. */
  readonly percent: number | null;
  /** The network went; it goes on by itself. */
  readonly waiting: boolean;
  /** Why it did not get there; it can be tried again. */
  readonly failure: string | null;
}

interface Begun {
  readonly file: File;
  /** Once it has begun. */
  running?: RunningUpload;
  cancelled: boolean;
}

/** Brings files to the server, each with its progress, its end and another try; what is left goes with the dialog. */
export function useMediaUploads(onDone: (media: ComposedMedia) => void) {
  const words = useFailureWords();
  const [uploads, setUploads] = useState<readonly MediaUpload[]>([]);
  const begun = useRef(new Map<string, Begun>());
  /** One after the other, so that they stand in the post as they were chosen. */
  const queue = useRef(Promise.resolve());
  const done = useRef(onDone);
  useEffect(() => {
    done.current = onDone;
  });
  useEffect(() => {
    const all = begun.current;
    return () => {
      for (const one of all.values()) end(one);
      all.clear();
    };
  }, []);

  const show = (id: string, part: Partial<MediaUpload>): void =>
    setUploads((known) => known.map((one) => (one.id === id ? { ...one, ...part } : one)));
  const forget = (id: string): void => {
    begun.current.delete(id);
    setUploads((known) => known.filter((one) => one.id !== id));
  };

  const begin = (id: string, one: Begun): void => {
    queue.current = queue.current.then(() => run(id, one));
  };
  const run = async (id: string, one: Begun): Promise<void> => {
    if (one.cancelled) return;
    try {
      // Without what it says of where and with what it was made, as everything that is sent.
      const { prepareMedia } = await import('../chat/media/prepareMedia.ts');
      const { files, mayTellPlace } = await prepareMedia(one.file);
      const { createUploadTransport } = await import('../api/uploadTransport.ts');
      if (one.cancelled) return;
      if (!(await confirmPlace([{ name: one.file.name, bytes: files.file, mayTellPlace }]))) return forget(id);
      if (one.cancelled) return;
      const file = new File([files.file], one.file.name, { type: files.file.type || one.file.type });
      one.running = createUploadTransport().upload({
        file,
        name: file.name,
        kind: file.type.startsWith('video/') ? 'video' : 'image',
        thumbnails: files.thumbnails,
        onPlace: () => {},
        onProgress: (sent) => show(id, { percent: Math.floor((100 * sent) / Math.max(1, file.size)) }),
        onStall: (waiting) => show(id, { waiting }),
      });
      const stored = await one.running.done;
      if (one.cancelled) return;
      forget(id);
      done.current({
        url: stored.url,
        name: file.name,
        type: file.type,
        bytes: file.size,
        altText: '',
      });
    } catch (error) {
      if (!one.cancelled) show(id, { failure: words(error), percent: null });
    }
  };

  return {
    uploads,
    /** Whether anything is still to come. */
    busy: uploads.some(({ failure }) => failure === null),
    add: (files: readonly File[]): void => {
      const made = files.map((file) => ({ id: crypto.randomUUID(), one: { file, cancelled: false } as Begun }));
      setUploads((known) => [
        ...known,
        ...made.map(({ id, one }) => ({
          id,
          name: one.file.name,
          percent: null,
          waiting: false,
          failure: null,
        })),
      ]);
      for (const { id, one } of made) {
        begun.current.set(id, one);
        begin(id, one);
      }
    },
    cancel: (id: string): void => {
      const one = begun.current.get(id);
      if (one) end(one);
      forget(id);
    },
    retry: (id: string): void => {
      const one = begun.current.get(id);
      if (!one) return;
      show(id, { failure: null });
      begin(id, one);
    },
  };
}

function end(one: Begun): void {
  one.cancelled = true;
  one.running?.cancel();
}

export type MediaUploads = ReturnType<typeof useMediaUploads>;
