import { type ErrorBody, type StoredFile, routes } from '@nolo/api';
import { limits, thumbnailWidths, type FileKind, type ThumbnailWidth } from '@nolo/rules';
import AwsS3 from '@uppy/aws-s3';
import type { AwsBody, AwsS3Options } from '@uppy/aws-s3';
import Uppy from '@uppy/core';
import type { Body, Meta } from '@uppy/core';
import type { UploadTask, UploadTransport } from '@nolo/client/ports';
import { call } from './httpClient.ts';
import { ApiError, notifyPlanLimit } from './request.ts';

/** Delays before retries, in milliseconds (spec section 9). */
const retryDelaysMs = [0, 1_000, 3_000, 5_000];

// A type, because Uppy needs an index signature, which an interface lacks.
type UploadMeta = {
  /** Name that the user sees; Uppy's own name is unique, so that the same file can be uploaded twice. */
  shownName: string;
  kind: FileKind;
};

interface GivenThumbnail {
  width: ThumbnailWidth;
  /** Picture data in Base64. */
  data: string;
}

interface Task extends UploadTask {
  key: string | null;
  /** True if canceled by the user: the server drops it too. */
  cancelled: boolean;
  /** Milliseconds before each further attempt of a single-part upload. */
  readonly delays: ArrayIterator<number>;
  resolve: (file: StoredFile) => void;
  reject: (reason: unknown) => void;
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

/** Converts an error of Uppy's own requests to the format used here. */
function errorOf(error: unknown): unknown {
  if (error instanceof ApiError) return error;
  const { source, cause } = error as { source?: Partial<XMLHttpRequest>; cause?: unknown };
  if (cause instanceof ApiError) return cause;
  if (!source) return error;
  const text = source.responseText ?? '';
  let body: Partial<ErrorBody> = {};
  try {
    body = JSON.parse(text) as ErrorBody;
  } catch {
    // A proxy in between answers in its own format; the status is enough.
  }
  return notifyPlanLimit(new ApiError(source.status ?? 0, body, text || String(error)));
}

/**
 * Returns true if a fresh address may help, as with multipart uploads: this one has expired, or too much is sent at
 * once.
 */
const wantsFreshAddress = (error: unknown): boolean =>
  (error as Error).message === 'Request has expired' ||
  (error as { source?: { status?: number } }).source?.status === 429;

/** Retries while the failure may pass: the bytes have arrived, and must not be sent again. */
async function persistently<T>(attempt: () => Promise<T>): Promise<T> {
  for (const delay of retryDelaysMs) {
    await wait(delay);
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof ApiError) || !error.passing) throw error;
    }
  }
  return attempt();
}

/** Returns the file id, which is the end of the key. */
function fileIdOf(key: string | null): string {
  return (key ?? '').split('/').at(-1) ?? '';
}

/** Returns the part of a data URL after the comma. */
function base64Of(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result as string).split(',')[1] ?? '');
    reader.onerror = () => reject(reader.error ?? new Error('The file could not be read.'));
    reader.readAsDataURL(file);
  });
}

/** Builds the smaller versions of a picture, as sent at the end of the upload; the server works without them too. */
async function thumbnailsOf({ thumbnails = [] }: UploadTask): Promise<{ thumbnails: GivenThumbnail[] }> {
  const all = thumbnailWidths.flatMap((width) => {
    const found = thumbnails.find((one) => one.width === width);
    return found ? [base64Of(found.file).then((data) => ({ width, data }))] : [];
  });
  return { thumbnails: await Promise.all(all).catch(() => []) };
}

/** Returns the metadata that was added with a file; Uppy does not know its type. */
const metaOf = ({ meta }: { meta: unknown }) => meta as UploadMeta;

/** Signs uploads: how this server starts them, signs each part, and ends them. */
const signedBy = (taskOf: (file: { id: string }) => Task | undefined): AwsS3Options<Meta, Body> => ({
  limit: limits.uploadConcurrency,
  retryDelays: retryDelaysMs,
  shouldUseMultipart: ({ size }) => (size ?? 0) > limits.singleUploadBytes,
  getChunkSize: ({ size }) => Math.max(limits.uploadPartBytesMin * 2, Math.ceil(size / limits.uploadPartsMax)),
  async getUploadParameters(file, { signal }) {
    const { shownName, kind } = metaOf(file);
    const { key, url, headers } = await call(routes.getUploadParameters, {
      query: { filename: shownName, type: file.type, 'metadata[name]': shownName, 'metadata[kind]': kind },
      ...(signal && { signal }),
    });
    const task = taskOf(file);
    if (task) task.key = key;
    return { method: 'PUT', url, headers };
  },
  async createMultipartUpload(file) {
    const { shownName, kind } = metaOf(file);
    const place = await call(routes.createMultipart, {
      body: { filename: shownName, type: file.type, metadata: { name: shownName, kind } },
    });
    taskOf(file)?.onPlace(place);
    return place;
  },
  listParts: (_, { uploadId, key, signal }) =>
    call(routes.listParts, { params: { uploadId: uploadId ?? '' }, query: { key }, ...(signal && { signal }) }),
  signPart: (_, { uploadId, key, partNumber, signal }) =>
    call(routes.signPart, {
      params: { uploadId, partNumber: String(partNumber) },
      query: { key },
      ...(signal && { signal }),
    }),
  async completeMultipartUpload(file, { uploadId, key, parts, signal }) {
    const complete = parts.map(({ PartNumber = 0, ETag = '' }) => ({ PartNumber, ETag }));
    const { location, file: stored } = await persistently(() =>
      call(routes.completeMultipart, {
        params: { uploadId },
        query: { key },
        body: { parts: complete },
        signal,
        timeoutMs: null,
      }),
    );
    taskOf(file)?.resolve(stored);
    return { location };
  },
  async abortMultipartUpload(file, { uploadId, key }) {
    if (taskOf(file)?.cancelled !== true) return;
    await call(routes.abortMultipart, { params: { uploadId: uploadId ?? '' }, query: { key } });
  },
});

/**
 * Creates uploads with Uppy: small files in one piece and larger ones in parts, each retried separately, and paused
 * while the browser is offline. Uppy aborts a failed multipart upload on the server; here only the user does, so that
 * arrived parts stay for the next attempt.
 */
export function createUploadTransport(): Pick<UploadTransport, 'upload'> {
  const tasks = new Map<string, Task>();
  const uppy = new Uppy<UploadMeta, AwsBody>({ autoProceed: false });
  const taskOf = (file: { id: string }): Task | undefined => tasks.get(file.id);

  uppy.use(AwsS3, signedBy(taskOf));

  /** Removes a file, because Uppy keeps failed ones and would retry them with the next file. */
  const forget = (id: string): void => {
    queueMicrotask(() => {
      if (uppy.getFile(id)) uppy.removeFile(id);
      tasks.delete(id);
    });
  };
  /** Retries later; Uppy requests another address when it starts again. */
  const retryIn = async (delayMs: number, id: string): Promise<void> => {
    await wait(delayMs);
    // The retry is obsolete if the user canceled it, or another file has triggered it meanwhile.
    if (typeof uppy.getFile(id)?.error === 'string') await uppy.retryUpload(id);
  };
  uppy.on('upload-progress', (file, { bytesUploaded }) => {
    if (file && typeof bytesUploaded === 'number') taskOf(file)?.onProgress(bytesUploaded);
  });
  uppy.on('upload-error', (file, error) => {
    const task = file && taskOf(file);
    if (!task) return;
    // Uppy itself retries parts.
    const isOnePiece = task.file.size <= limits.singleUploadBytes;
    const delay = isOnePiece && wantsFreshAddress(error) ? task.delays.next().value : undefined;
    if (delay !== undefined) {
      void retryIn(delay, file.id);
      return;
    }
    task.reject(errorOf(error));
    forget(file.id);
  });
  uppy.on('upload-success', (file) => {
    const task = file && taskOf(file);
    if (!task) return;
    const { key } = task;
    // A multipart upload became a file when it was completed.
    const finished =
      key === null
        ? Promise.resolve()
        : thumbnailsOf(task)
            .then((body) =>
              persistently(() => call(routes.finishFile, { params: { id: fileIdOf(key) }, body, timeoutMs: null })),
            )
            .then(task.resolve);
    finished.catch(task.reject).finally(() => forget(file.id));
  });
  const createStallHandler = (stalled: boolean) => () => {
    for (const task of tasks.values()) task.onStall(stalled);
  };
  addEventListener('offline', createStallHandler(true));
  addEventListener('online', createStallHandler(false));

  const setPaused = (id: string, paused: boolean): void => {
    const file = uppy.getFile(id);
    if (file && (file.isPaused === true) !== paused) uppy.pauseResume(id);
  };
  return {
    upload(task) {
      const { file, name, kind, place } = task;
      if (!navigator.onLine) {
        const offline = new ApiError(0, {}, 'Network error. Please try again.');
        return { done: Promise.reject(offline), pause() {}, resume() {}, cancel() {} };
      }
      let resolve: Task['resolve'] = () => {};
      let reject: Task['reject'] = () => {};
      const done = new Promise<StoredFile>((settle, refuse) => {
        resolve = settle;
        reject = refuse;
      });
      const id = uppy.addFile({
        name: crypto.randomUUID(),
        type: file.type || 'application/octet-stream',
        data: file,
        meta: { shownName: name, kind },
      });
      const activeTask: Task = {
        ...task,
        key: null,
        cancelled: false,
        delays: retryDelaysMs.values(),
        resolve,
        reject,
      };
      tasks.set(id, activeTask);
      if (place) uppy.setFileState(id, { s3Multipart: place } as object);
      uppy.upload().catch(reject);
      return {
        done,
        pause: () => setPaused(id, true),
        resume: () => setPaused(id, false),
        cancel() {
          activeTask.cancelled = true;
          reject(new DOMException('The upload was cancelled.', 'AbortError'));
          // Uppy notifies the server if there is something to delete, and needs the task then.
          if (uppy.getFile(id)) uppy.removeFile(id);
        },
      };
    },
  };
}
