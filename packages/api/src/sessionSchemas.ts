import * as z from 'zod/mini';
import { id, time } from './schemas.ts';

/** How a session began. */
export const sessionMethod = z.enum(['phone', 'provider', 'passkey', 'mail']);

export const session = z.object({
  id,
  userAgent: z.string(),
  method: sessionMethod,
  createdAt: time,
  lastUsedAt: time,
  /** Where it was opened from last, with the end of the address cut off; null where that is not known. */
  network: z.nullable(z.string()),
  current: z.boolean(),
});
export type Session = z.infer<typeof session>;
