import { createStore } from 'zustand/vanilla';

/** Upload progress of a message's files. */
export interface UploadProgress {
  /** `waiting`: for its turn, the connection, or another tab. It resumes automatically. */
  readonly phase: 'waiting' | 'uploading' | 'paused';
  /** Bytes sent. */
  readonly sent: number;
  /** Total bytes. Null if unknown. */
  readonly total: number | null;
}

interface UploadState {
  /** Progress by the message's client id. Absent: not being uploaded in this tab. */
  readonly uploads: Readonly<Record<string, UploadProgress>>;
  readonly pause: (clientMessageId: string) => void;
  readonly resume: (clientMessageId: string) => void;
}

/** Uploads as shown on the screen. Only the queue in uploads.ts writes it. */
export const uploadStore = createStore<UploadState>(() => ({ uploads: {}, pause: () => {}, resume: () => {} }));

export function showProgress(clientMessageId: string, progress: UploadProgress | null): void {
  uploadStore.setState(({ uploads }) => {
    const { [clientMessageId]: _, ...others } = uploads;
    return { uploads: progress === null ? others : { ...others, [clientMessageId]: progress } };
  });
}
