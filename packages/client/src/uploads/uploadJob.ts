import type { StoredFile } from '@nolo/api';
import { limits } from '@nolo/rules';
import type { RunningUpload, UploadResumePoint } from '../ports.ts';
import type { MediaFiles, UnsentMedia, UnsentMessage } from '../chat/ports.ts';
import { toMediaFields, toUploadKind, toFetchedMedia } from './mediaFields.ts';
import type { StoredFilePreview, MessageFileUploaderDependencies } from './ports.ts';
import { showProgress } from './uploadStore.ts';

/** Message whose files are being uploaded. */
export interface UploadJob {
  readonly id: string;
  readonly message: UnsentMessage;
  readonly media: UnsentMedia;
  files: MediaFiles | undefined;
  /** Settles once the device has stored the files or failed to. */
  filesStored: Promise<unknown>;
  place: UploadResumePoint | undefined;
  /** Finished uploads, which are not repeated. */
  stored: { file?: StoredFile; poster?: StoredFile };
  preview: StoredFilePreview | undefined;
  running: RunningUpload | null;
  readonly given: AbortController;
  paused: boolean;
  wake: () => void;
  shownAt: number;
  /** Resolves when the job has ended, with any outcome. */
  over: Promise<void>;
}

/** Returns the size in bytes. Returns null if it is unknown until the server fetches the file. */
export function uploadSizeOf({ files, media }: UploadJob): number | null {
  if (files) return files.file.size + (files.poster?.size ?? 0);
  return media.link !== undefined && media.size === 0 ? null : media.size;
}

/** Uploads the content of one message and shows the progress. */
export function createUploadRunner(
  { transport, inspectFile, device, timers, events }: MessageFileUploaderDependencies,
  isOver: (job: UploadJob) => boolean,
) {
  const show = (
    job: UploadJob,
    phase: 'waiting' | 'uploading' | 'paused',
    sent: number,
    total = uploadSizeOf(job),
  ): void => {
    if (isOver(job)) return;
    job.shownAt = timers.now();
    showProgress(job.id, { phase, sent, total: total === null ? null : Math.max(total, sent, 1) });
  };

  const stall = (job: UploadJob) => (stalled: boolean) => {
    if (isOver(job)) return;
    if (stalled) events.onWaiting(job.message);
    else events.onSending(job.message);
  };

  /** Waits for an upload and makes it pausable and cancelable. */
  const follow = async (job: UploadJob, running: RunningUpload): Promise<StoredFile> => {
    job.running = running;
    if (job.paused) running.pause();
    try {
      return await running.done;
    } finally {
      job.running = null;
    }
  };

  /** Uploads one of a message's two files. */
  const bringFile = async (
    job: UploadJob,
    fileRole: 'file' | 'poster',
    files: MediaFiles,
    before: number,
  ): Promise<StoredFile> => {
    const known = job.stored[fileRole];
    if (known) return known;
    const whole = fileRole === 'file';
    const file = (whole ? undefined : files.poster) ?? files.file;
    const running = transport.upload({
      file,
      name: whole ? (job.media.name ?? job.media.messageType) : 'poster',
      kind: whole ? toUploadKind(job.media) : 'image',
      // Thumbnails belong to the poster, if there is one.
      ...(whole === !files.poster && { thumbnails: files.thumbnails }),
      ...(whole && { place: job.place }),
      onPlace(place) {
        if (!whole) return;
        job.place = place;
        device?.putUploadPlace(job.id, place).catch(() => {});
      },
      onProgress(sent) {
        const due = timers.now() - job.shownAt >= limits.uploadProgressMs || sent === file.size;
        if (due && !job.paused) show(job, 'uploading', before + sent);
      },
      onStall: stall(job),
    });
    return (job.stored[fileRole] = await follow(job, running));
  };

  const bringAll = async (job: UploadJob, files: MediaFiles): Promise<UnsentMedia> => {
    const poster = files.poster && (await bringFile(job, 'poster', files, 0));
    const file = await bringFile(job, 'file', files, files.poster?.size ?? 0);
    return { ...job.media, fields: toMediaFields(job.media, file, poster?.url) };
  };

  /** Makes the server fetch the file, then creates its preview from the result. */
  const bringLink = async (job: UploadJob, link: string): Promise<UnsentMedia> => {
    const { name, size } = job.media;
    job.stored.file ??= await follow(
      job,
      transport.importLink({
        link,
        name: name ?? '',
        size,
        onProgress(came, total) {
          if (!job.paused) show(job, 'uploading', came, total);
        },
        onStall: stall(job),
      }),
    );
    const { file } = job.stored;
    job.preview ??= await inspectFile(file);
    const { info, poster: still, thumbnails } = job.preview;
    const poster =
      still && (await bringFile(job, 'poster', { file: still, poster: still, ...(thumbnails && { thumbnails }) }, 0));
    const media = toFetchedMedia(job.media, file, info);
    return { ...media, fields: toMediaFields(media, file, poster?.url) };
  };

  const bringMedia = async (job: UploadJob): Promise<UnsentMessage> => {
    events.onSending(job.message);
    show(job, job.paused ? 'paused' : 'uploading', 0);
    const { files, media: given } = job;
    const media = files ? await bringAll(job, files) : await bringLink(job, given.link ?? '');
    return { ...job.message, extras: { ...job.message.extras, media } };
  };

  return { show, bringMedia };
}
