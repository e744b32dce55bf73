import type { SendFailure } from '../ports.ts';
import type { ChatCore } from './chatCore.ts';
import type { MediaFiles, UnsentMessage, MessageFileUploader, UploadEvents } from './ports.ts';
import { hasLocalFiles, type UnsentMessages } from './unsent.ts';

/** Uploads files before the message that carries them. Text messages do not wait for uploads. */
export function createLazyMessageFileUploader(
  { device, loadUploads }: ChatCore,
  { own, settled, showInAllTabs }: UnsentMessages,
  events: {
    onRefused(message: UnsentMessage, failure: SendFailure): void;
    /** Called when the files are uploaded and the message can be sent. */
    onBrought(message: UnsentMessage): Promise<void>;
  },
) {
  const filesHere = new Map<string, MediaFiles>();
  let uploads: Promise<MessageFileUploader> | undefined;
  let stopped = false;

  const bring = (message: UnsentMessage): void => {
    const uploadEvents: UploadEvents = {
      onSending: (one) => showInAllTabs(one, 'sending'),
      onWaiting: (one) => showInAllTabs(one, 'waiting'),
      onRefused: events.onRefused,
      onBrought: (one) => {
        filesHere.delete(one.clientMessageId);
        return events.onBrought(one);
      },
    };
    uploads ??= loadUploads?.(uploadEvents, device);
    uploads?.then(
      (loaded) => {
        const id = message.clientMessageId;
        if (!stopped && !settled.has(id)) loaded.bring(message, filesHere.get(id));
      },
      () => {
        // The upload code failed to load. It is requested again after reconnecting.
        uploads = undefined;
        own.set(message.clientMessageId, message);
        showInAllTabs(message, 'waiting');
      },
    );
  };
  const withUploads = (act: (loaded: MessageFileUploader) => void): void => void uploads?.then(act, () => {});

  return {
    bring,
    /** Keeps files available for the message with this id. */
    hold: (id: string, files: MediaFiles): void => void filesHere.set(id, files),
    drop(id: string): void {
      filesHere.delete(id);
      withUploads((loaded) => loaded.drop(id));
    },
    flush(): void {
      withUploads((loaded) => loaded.flush());
      if (!uploads) for (const message of own.values()) if (hasLocalFiles(message)) bring(message);
    },
    stop(): void {
      stopped = true;
      withUploads((loaded) => loaded.stop());
    },
  };
}
