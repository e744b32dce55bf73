import * as z from 'zod/mini';
import { id, time } from './schemas.ts';

/** Sign-in method of a session. */
export const sessionMethod = z.enum(['phone', 'provider', 'passkey', 'mail']);

/** Location of a device, as far as the network reveals it; null without a location database. */
export const place = z.object({
  /** Two-letter code (ISO 3166-1). */
  country: z.string(),
  /** English name. */
  city: z.optional(z.string()),
});

export const session = z.object({
  id,
  userAgent: z.string(),
  method: sessionMethod,
  createdAt: time,
  lastUsedAt: time,
  /** Network of the last access, with the end of the address cut off; null if unknown. */
  network: z.nullable(z.string()),
  place: z.nullable(place),
  current: z.boolean(),
});
export type Session = z.infer<typeof session>;
