import type { SendFailure } from '../../api/ports.ts';
import type { ChatCore } from './chatCore.ts';
import type { MediaFiles, UnsentMessage, Uploads } from './ports.ts';
import { hasFilesHere, type Unsent } from './unsent.ts';

/** Files go to the server before the message that carries them, and words do not wait for them. */
export function createAttachedFiles(
  { loadUploads }: ChatCore,
  { own, settled, tell }: Unsent,
  events: {
    onRefused(message: UnsentMessage, failure: SendFailure): void;
    /** The files are there, and the message can go. */
    onBrought(message: UnsentMessage): Promise<void>;
  },
) {
  const filesHere = new Map<string, MediaFiles>();
  let uploads: Promise<Uploads> | undefined;
  let stopped = false;

  const bring = (message: UnsentMessage): void => {
    uploads ??= loadUploads?.({
      onSending: (one) => tell(one, 'sending'),
      onWaiting: (one) => tell(one, 'waiting'),
      onRefused: events.onRefused,
      onBrought: (one) => {
        filesHere.delete(one.clientMessageId);
        return events.onBrought(one);
      },
    });
    uploads?.then(
      (loaded) => {
        const id = message.clientMessageId;
        if (!stopped && !settled.has(id)) loaded.bring(message, filesHere.get(id));
      },
      () => {
        // The part of the app that does it did not come over the line: it is asked for again when that is back.
        uploads = undefined;
        own.set(message.clientMessageId, message);
        tell(message, 'waiting');
      },
    );
  };
  const withUploads = (act: (loaded: Uploads) => void): void => void uploads?.then(act, () => {});

  return {
    bring,
    /** Has them at hand for the message of this id. */
    hold: (id: string, files: MediaFiles): void => void filesHere.set(id, files),
    drop(id: string): void {
      filesHere.delete(id);
      withUploads((loaded) => loaded.drop(id));
    },
    flush(): void {
      withUploads((loaded) => loaded.flush());
      if (!uploads) for (const message of own.values()) if (hasFilesHere(message)) bring(message);
    },
    stop(): void {
      stopped = true;
      withUploads((loaded) => loaded.stop());
    },
  };
}
