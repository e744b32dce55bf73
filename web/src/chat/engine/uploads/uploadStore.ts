import { createStore } from 'zustand/vanilla';

/** How far the files of a message have come. */
export interface UploadProgress {
  /** `waiting`: for its turn, the line or another tab; it goes on by itself. */
  readonly phase: 'waiting' | 'uploading' | 'paused';
  /** Bytes. */
  readonly sent: number;
  /** Null where nobody knows how many there will be. */
  readonly total: number | null;
}

interface UploadState {
  /** By the message's client id; what is not here is not on its way in this tab. */
  readonly uploads: Readonly<Record<string, UploadProgress>>;
  readonly pause: (clientMessageId: string) => void;
  readonly resume: (clientMessageId: string) => void;
}

/** What the screen shows of uploads. Only the queue in uploads.ts writes it. */
export const uploadStore = createStore<UploadState>(() => ({ uploads: {}, pause: () => {}, resume: () => {} }));

export function showProgress(clientMessageId: string, progress: UploadProgress | null): void {
  uploadStore.setState(({ uploads }) => {
    const { [clientMessageId]: _, ...others } = uploads;
    return { uploads: progress === null ? others : { ...others, [clientMessageId]: progress } };
  });
}
