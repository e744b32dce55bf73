import { fail, type Fail } from '@nolo/kit/errors';

/** Everything that this service refuses, as other services and clients know it. */
export type MediaErrorCode =
  'media_invalid' | 'media_limit' | 'media_not_found' | 'media_unavailable' | 'node_draining' | 'room_full';

export const failMedia: Fail<MediaErrorCode> = fail;

/** One sentence for what is not there and for what is another participant's, because existence is private. */
export const mediaNotFound = () =>
  failMedia('not_found', 'media_not_found', 'This room, participant or stream is not here.');

/** `reason` is for the log: what mediasoup says about parameters is no sentence for people. */
export const mediaInvalid = (reason: string) =>
  failMedia('invalid', 'media_invalid', 'The media parameters are not valid.', undefined, { reason });

export const mediaLimit = (what: string, limit: number) =>
  failMedia('conflict', 'media_limit', 'There is no room for more media here.', { what, limit });

export const roomFull = (limit: number) => failMedia('conflict', 'room_full', 'The room is full.', { limit });

export const nodeDraining = () =>
  failMedia('unavailable', 'node_draining', 'This node takes no new rooms.', undefined, { retryAfterMs: 500 });

export const mediaUnavailable = (cause?: unknown) =>
  failMedia('unavailable', 'media_unavailable', 'The media server is not available right now.', undefined, {
    retryAfterMs: 500,
    cause,
  });
