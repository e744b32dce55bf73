import { createAppError, type CreateServiceError } from '@nolo/kit/errors';

/** Error codes of this service for other services and clients. */
export type MediaErrorCode =
  'media_invalid' | 'media_limit' | 'media_not_found' | 'media_unavailable' | 'node_draining' | 'room_full';

const createMediaError: CreateServiceError<MediaErrorCode> = createAppError;

/** Builds one error for missing resources and for those of other participants, because existence is private. */
export const mediaNotFound = () =>
  createMediaError('not_found', 'media_not_found', 'The room, participant or stream was not found on this node.');

/** Builds the error. `reason` is for the log: mediasoup's messages about parameters are not meant for people. */
export const mediaInvalid = (reason: string) =>
  createMediaError('invalid', 'media_invalid', 'The media parameters are invalid.', undefined, { reason });

export const mediaLimitReached = (what: string, limit: number) =>
  createMediaError('conflict', 'media_limit', 'The media limit has been reached.', { what, limit });

export const roomFull = (limit: number) => createMediaError('conflict', 'room_full', 'The room is full.', { limit });

export const nodeDraining = () =>
  createMediaError('unavailable', 'node_draining', 'This node does not accept new rooms.', undefined, {
    retryAfterMs: 500,
  });

export const mediaUnavailable = (cause?: unknown) =>
  createMediaError('unavailable', 'media_unavailable', 'The media server is currently unavailable.', undefined, {
    retryAfterMs: 500,
    cause,
  });
