import type { NewStatus } from '@nolo/api';
import type { MediaFiles } from '@nolo/client/chat/ports';
import type { RunningUpload, UploadTransport } from '@nolo/client/ports';

/** Status update stored on the device until the server acknowledges it. */
export interface UnsentStatus {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** Request without the URLs of its files, which are added once uploaded. */
  readonly body: NewStatus;
  readonly files?: MediaFiles;
  readonly name?: string;
  /** Reason why the server rejected it. Null while it waits to be sent. */
  readonly refused: { readonly code: string; readonly message: string } | null;
}

export interface OutgoingStatus {
  readonly status: UnsentStatus;
  readonly state: 'waiting' | 'sending' | 'failed';
  /** Upload progress of its files, from 0 to 1. Null without files. */
  readonly progress: number | null;
}

export interface StatusJob {
  status: UnsentStatus;
  readonly given: AbortController;
  running: RunningUpload | null;
  /** URLs of finished uploads, which are not repeated. */
  readonly urls: { file?: string; poster?: string };
  wake: () => void;
}

/** Sends a status update to the server: first its files, then its content. */
export function createStatusDelivery({
  transport,
  post,
  show,
  isOver,
}: {
  transport: Pick<UploadTransport, 'upload'>;
  post(status: NewStatus): Promise<unknown>;
  show(status: UnsentStatus, state: OutgoingStatus['state'], progress?: number | null): void;
  isOver(job: StatusJob): boolean;
}): (job: StatusJob) => Promise<void> {
  const bring = async (job: StatusJob, fileRole: 'file' | 'poster', file: Blob, before: number): Promise<string> => {
    const known = job.urls[fileRole];
    if (known !== undefined) return known;
    const { status } = job;
    const isFile = fileRole === 'file';
    const total = (status.files?.file.size ?? 0) + (status.files?.poster?.size ?? 0);
    const running = transport.upload({
      file,
      name: isFile ? (status.name ?? 'status') : 'poster',
      kind: isFile && status.body.mediaType === 'video' ? 'video' : 'image',
      ...(isFile === !status.files?.poster && { thumbnails: status.files?.thumbnails }),
      onPlace: () => undefined,
      onProgress: (sent) => {
        if (!isOver(job)) show(status, 'sending', total > 0 ? (before + sent) / total : 0);
      },
      onStall: (stalled) => {
        if (!isOver(job)) show(status, stalled ? 'waiting' : 'sending', 0);
      },
    });
    job.running = running;
    try {
      return (job.urls[fileRole] = (await running.done).url);
    } finally {
      job.running = null;
    }
  };

  return async (job) => {
    const { body, files } = job.status;
    show(job.status, 'sending', files ? 0 : null);
    const poster = files?.poster && (await bring(job, 'poster', files.poster, 0));
    const media = files && (await bring(job, 'file', files.file, files.poster?.size ?? 0));
    await post({
      ...body,
      clientStatusId: job.status.id,
      ...(media !== undefined && { mediaUrl: media }),
      ...(poster !== undefined && { previewUrl: poster }),
    });
  };
}
