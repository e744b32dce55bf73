import { tokenScopes } from '@nolo/rules';
import * as z from 'zod/mini';
import { id, time } from './schemas.ts';

export const tokenScope = z.enum(tokenScopes);

/** Personal access token without its secret, which is shown only once. */
export const accessToken = z.object({
  id,
  name: z.string(),
  scopes: z.array(tokenScope),
  createdAt: time,
  /** Accurate to a few minutes; null if never used. */
  lastUsedAt: z.nullable(time),
  /** Expired tokens stay in the list for some days. */
  expiresAt: time,
});
export type AccessToken = z.infer<typeof accessToken>;
