import type { ErrorBody } from '@nolo/api';
import { ApiError, notifyPlanLimit } from './request.ts';

export interface UploadOptions {
  signal: AbortSignal;
  /** Reports the progress, from 0 to 1. */
  onProgress: (share: number) => void;
}

function errorOf(upload: XMLHttpRequest): ApiError {
  let body: Partial<ErrorBody> = {};
  try {
    body = JSON.parse(upload.responseText) as ErrorBody;
  } catch {
    // A proxy in between answers in its own format; the status is enough.
  }
  return notifyPlanLimit(new ApiError(upload.status, body, upload.responseText || upload.statusText));
}

/**
 * Requests an address and uploads bytes to it, and repeats that once if the address has expired meanwhile.
 *
 * @returns the address that accepted them
 */
export async function requestAddressAndUpload(
  newAddress: () => Promise<string>,
  bytes: Blob,
  options: UploadOptions,
): Promise<string> {
  let address = await newAddress();
  try {
    await uploadBytes(address, bytes, options);
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'upload_expired') throw error;
    address = await newAddress();
    await uploadBytes(address, bytes, options);
  }
  return address;
}

/**
 * Uploads bytes to an address signed by the server. Ignores the address's origin: it is always our own. Uses
 * XMLHttpRequest, because fetch does not report upload progress.
 */
function uploadBytes(uploadUrl: string, bytes: Blob, { signal, onProgress }: UploadOptions): Promise<void> {
  const { pathname, search } = new URL(uploadUrl, location.origin);
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason as Error);
      return;
    }
    const upload = new XMLHttpRequest();
    upload.open('PUT', pathname + search);
    upload.setRequestHeader('Content-Type', 'application/octet-stream');
    upload.upload.onprogress = (event) => {
      if (event.lengthComputable && event.total > 0) onProgress(event.loaded / event.total);
    };
    upload.onload = () => {
      if (upload.status >= 200 && upload.status < 300) resolve();
      else reject(errorOf(upload));
    };
    upload.onerror = () => reject(new ApiError(0, {}, 'Network error. Please try again.'));
    upload.onabort = () => reject(signal.reason as Error);
    signal.addEventListener('abort', () => upload.abort(), { once: true });
    upload.send(bytes);
  });
}
