import { useEffect, useRef, useState } from 'react';
import type { RunningUpload } from '@nolo/client/ports';
import { useExplainFailure } from '../i18n/useExplainFailure.ts';
import { confirmSendingLocation } from '../chat/media/confirmSendingLocation.ts';
import type { ComposedMedia } from './model/composeForm.ts';

export interface MediaUpload {
  readonly id: string;
  readonly name: string;
  /** Progress in percent. Null while the file is being prepared. */
  readonly percent: number | null;
  /** True if the network failed. The upload resumes automatically. */
  readonly waiting: boolean;
  /** Reason of the failure, after which it can be retried. */
  readonly failure: string | null;
}

interface Begun {
  readonly file: File;
  running?: RunningUpload;
  cancelled: boolean;
}

/** Uploads files, each with progress, result, and retry. Closing the dialog discards the rest. */
export function useMediaUploads(onDone: (media: ComposedMedia) => void) {
  const words = useExplainFailure();
  const [uploads, setUploads] = useState<readonly MediaUpload[]>([]);
  const begun = useRef(new Map<string, Begun>());
  /** Uploads run one after another, so that the post keeps the order of selection. */
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

  const show = (id: string, patch: Partial<MediaUpload>): void =>
    setUploads((known) => known.map((one) => (one.id === id ? { ...one, ...patch } : one)));
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
      // Location and camera data are removed, as from everything that is sent.
      const { prepareMedia } = await import('../chat/media/prepareMedia.ts');
      const { files, canRevealLocation } = await prepareMedia(one.file);
      const { createUploadTransport } = await import('../api/uploadTransport.ts');
      if (one.cancelled) return;
      if (!(await confirmSendingLocation([{ name: one.file.name, bytes: files.file, canRevealLocation }])))
        return forget(id);
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
