import type { StatusUpdate } from '@nolo/api';
import { cutText } from '@nolo/rules';

/** Reference to the status update that a message replies to: enough for a miniature, while the update exists. */
export interface StatusQuote {
  readonly id: string;
  readonly userId: string;
  readonly mediaType: StatusUpdate['mediaType'];
  readonly content: string;
  readonly backgroundColor: string;
  /** Picture, or the still picture of a video. */
  readonly pictureUrl: string | null;
  readonly expiresAt: string;
}

/** Maximum characters of a status update repeated in a message. */
const maxQuoteLength = 200;

export function toStatusQuote(status: StatusUpdate): StatusQuote {
  const { id, userId, mediaType, content, backgroundColor, mediaUrl, previewUrl, expiresAt } = status;
  const pictureUrl = mediaType === 'image' ? mediaUrl : previewUrl;
  return { id, userId, mediaType, content: cutText(content, maxQuoteLength), backgroundColor, pictureUrl, expiresAt };
}

const mediaTypes: readonly unknown[] = ['text', 'image', 'video'];
const matches = (value: unknown, pattern: RegExp): value is string => typeof value === 'string' && pattern.test(value);

/** Parses what another client wrote. Returns null for anything else. Foreign URLs are not requested. */
export function readStatusQuote(extra: Record<string, unknown> | undefined): StatusQuote | null {
  const statusField = extra?.['status'];
  if (typeof statusField !== 'object' || statusField === null) return null;
  const { id, userId, mediaType, content, backgroundColor, pictureUrl, expiresAt } = statusField as Record<
    string,
    unknown
  >;
  if (typeof id !== 'string' || typeof userId !== 'string' || typeof content !== 'string') return null;
  if (typeof expiresAt !== 'string' || Number.isNaN(Date.parse(expiresAt))) return null;
  if (!mediaTypes.includes(mediaType) || !matches(backgroundColor, /^#[0-9A-F]{6}$/i)) return null;
  return {
    id,
    userId,
    mediaType: mediaType as StatusQuote['mediaType'],
    content: cutText(content, maxQuoteLength),
    backgroundColor,
    pictureUrl: matches(pictureUrl, /^\/objects\/[0-9a-f-]{36}$/) ? pictureUrl : null,
    expiresAt,
  };
}
