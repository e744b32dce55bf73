import type { NewStatus } from '@nolo/api';
import type { MediaFiles } from '../../chat/engine/ports.ts';
import type { RunningUpload, UploadTransport } from '../../api/ports.ts';

/** A status update that the server has not acknowledged, as it waits on the device. */
export interface UnsentStatus {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** Without the addresses of its files, which come when these are on the server. */
  readonly body: NewStatus;
  readonly files?: MediaFiles;
  /** What its file is called. */
  readonly name?: string;
  /** Why the server refused it; null while it waits to leave. */
  readonly refused: { readonly code: string; readonly message: string } | null;
}

export interface OutgoingStatus {
  readonly status: UnsentStatus;
  readonly state: 'waiting' | 'sending' | 'failed';
  /** Of its files, from 0 to 1; null where it has none. */
  readonly progress: number | null;
}

/** One that is on its way. */
export interface StatusJob {
  status: UnsentStatus;
  readonly given: AbortController;
  running: RunningUpload | null;
  /** What has arrived is not sent again. */
  readonly urls: { file?: string; poster?: string };
  wake: () => void;
}

/** Brings a status update to the server: its files first, then what it says. */
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
  const bring = async (job: StatusJob, part: 'file' | 'poster', file: Blob, before: number): Promise<string> => {
    const known = job.urls[part];
    if (known !== undefined) return known;
    const { status } = job;
    const isFile = part === 'file';
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
      return (job.urls[part] = (await running.done).url);
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
