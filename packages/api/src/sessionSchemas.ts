import * as z from 'zod/mini';
import { id, time } from './schemas.ts';

/** How a session began. */
export const sessionMethod = z.enum(['phone', 'provider', 'passkey', 'mail']);

/** Where a device was, as far as the network tells; null without a database of places. */
export const place = z.object({
  /** Two letters (ISO 3166-1). */
  country: z.string(),
  /** In English. */
  city: z.optional(z.string()),
});

export const session = z.object({
  id,
  userAgent: z.string(),
  method: sessionMethod,
  createdAt: time,
  lastUsedAt: time,
  /** Where it was opened from last, with the end of the address cut off; null where that is not known. */
  network: z.nullable(z.string()),
  place: z.nullable(place),
  current: z.boolean(),
});
export type Session = z.infer<typeof session>;
