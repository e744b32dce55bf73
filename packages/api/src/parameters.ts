import { limits } from '@nolo/rules';
import * as z from 'zod/mini';
import { id } from './schemas.ts';

/** Parameters shared by several routes. Query strings are text, so numbers are parsed. */

export const limitUpTo = (max: number) => z.coerce.number().check(z.int(), z.minimum(1), z.maximum(max));
export const seq = z.coerce.number().check(z.int(), z.minimum(0), z.maximum(Number.MAX_SAFE_INTEGER));
export const cursor = z.string().check(z.maxLength(500));
export const idParams = z.object({ id });
export const trimmedText = (min: number, max: number) => z.string().check(z.trim(), z.minLength(min), z.maxLength(max));
export const phoneNumber = z.string().check(z.maxLength(40));
/** Same-origin path to return to after sign-in (decision 1). */
export const returnTo = z.optional(z.string().check(z.maxLength(2_000)));
/** Search text for finding a person. */
export const searchQuery = z.object({ q: trimmedText(1, limits.searchQueryLength) });
/** Start of a page of messages: a cursor from an earlier page, or the seq of a message, which the page excludes. */
export const messagesQuery = z.object({
  cursor: z.optional(cursor),
  before: z.optional(seq),
  after: z.optional(seq),
  limit: z.optional(limitUpTo(limits.messagesPerPage)),
});
