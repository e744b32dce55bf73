import * as z from 'zod/mini';

/** Bytes of statements and sealed content in requests. */

const lengthOf = (bytes: number): number => Math.ceil((bytes * 4) / 3);

/** Bytes in base64url without padding. The length is checked first, and then no other check runs. */
export const bytesUpTo = (max: number) =>
  z
    .string()
    .check(
      z.minLength(1),
      z.maxLength(lengthOf(max), { abort: true }),
      z.regex(/^(?:[A-Za-z0-9_-]{4})*(?:[A-Za-z0-9_-]{2,3})?$/),
    );

/** Exactly this number of bytes in base64url without padding. */
export const bytesOf = (length: number) =>
  z
    .string()
    .check(z.minLength(lengthOf(length)), z.maxLength(lengthOf(length), { abort: true }), z.regex(/^[A-Za-z0-9_-]*$/));
