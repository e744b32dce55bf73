import { createAppError, type CreateServiceError } from '@nolo/kit/errors';
import { createLimitDetails } from '@nolo/rules';

/** Error codes of this service. */
export type FilesErrorCode =
  | 'invalid_request'
  | 'upload_not_found'
  | 'upload_expired'
  | 'upload_limit'
  | 'file_too_large'
  | 'file_not_image'
  | 'image_too_large'
  | 'picture_limit'
  | 'pictures_busy'
  | 'upload_empty'
  | 'upload_incomplete'
  | 'parts_invalid'
  | 'sign_incomplete'
  | 'sts_not_configured'
  | 'object_not_found'
  | 'address_expired'
  | 'file_not_found'
  | 'export_not_found'
  | 'range_unsatisfiable'
  | 'storage_full_plan'
  | 'storage_full'
  | 'storage_unavailable';

export const createFilesError: CreateServiceError<FilesErrorCode> = createAppError;

export const uploadNotFound = () => createFilesError('not_found', 'upload_not_found', 'That upload does not exist.');
export const uploadExpired = () => createFilesError('forbidden', 'upload_expired', 'Request has expired');
export const objectNotFound = () => createFilesError('not_found', 'object_not_found', 'That file does not exist.');
export const addressExpired = () => createFilesError('forbidden', 'address_expired', 'That address has expired.');
export const fileNotImage = (cause?: unknown) =>
  createFilesError('invalid', 'file_not_image', 'That file is not an image we can use.', undefined, { cause });
/** The bytes were overwritten after they were measured. */
export const pictureChanged = () =>
  createFilesError('invalid', 'file_not_image', 'That file changed before it was processed. Upload it again.');
export const imageTooLarge = (cause?: unknown) =>
  createFilesError('too_large', 'image_too_large', 'That image has too many pixels.', undefined, { cause });
export const pictureRateLimited = (retryAfterMs: number) =>
  createFilesError(
    'rate_limited',
    'picture_limit',
    'You sent too many large pictures within an hour. Try again later.',
    { limit: 'pictureMegapixelsPerUserHour' },
    { retryAfterMs },
  );
export const picturesBusy = () =>
  createFilesError(
    'unavailable',
    'pictures_busy',
    'Too many pictures are being processed right now. Try again in a moment.',
    undefined,
    {
      retryAfterMs: 2000,
    },
  );
export const storageFull = (cause: unknown) =>
  createFilesError(
    'unavailable',
    'storage_full',
    'There is no storage space for files right now. Try again later.',
    undefined,
    {
      retryAfterMs: 30_000,
      cause,
    },
  );
export const storageUnavailable = (cause: unknown) =>
  createFilesError('unavailable', 'storage_unavailable', 'Files cannot be reached right now.', undefined, {
    retryAfterMs: 5000,
    cause,
  });
export const fileTooLarge = (maxBytes: number) =>
  createFilesError('too_large', 'file_too_large', 'That file is too large.', { maxBytes });
export const uploadRateLimited = (retryAfterMs: number) =>
  createFilesError('rate_limited', 'upload_limit', 'Too many uploads. Try again later.', undefined, { retryAfterMs });
export const uploadEmpty = () => createFilesError('invalid', 'upload_empty', 'Nothing was uploaded.');
export const uploadIncomplete = () => createFilesError('invalid', 'upload_incomplete', 'The upload was interrupted.');
export const partsInvalid = (message: string) => createFilesError('invalid', 'parts_invalid', message);
/** Text from spec section 5. */
export const signIncomplete = () =>
  createFilesError('invalid', 'sign_incomplete', 'Cannot sign without a key, an uploadId, and a partNumber');
export const stsNotConfigured = () =>
  createFilesError('invalid', 'sts_not_configured', 'Temporary credentials are not available here.');
export const fileNotFound = () => createFilesError('not_found', 'file_not_found', 'That file does not exist.');
export const exportNotFound = () =>
  createFilesError('not_found', 'export_not_found', 'There is no export to download.');
export const rangeUnsatisfiable = (size: number) =>
  createFilesError('invalid', 'range_unsatisfiable', 'The requested range is outside the file.', { size });
/** Decision 27: the limit, and how to raise it. */
export const storageFullPlan = (used: number, limit: number) =>
  createFilesError('plan_limited', 'storage_full_plan', 'Your storage is full.', {
    ...createLimitDetails('storageBytes', limit, used),
  });
