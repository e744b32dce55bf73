import { tokenScopes } from '@nolo/rules';
import * as z from 'zod/mini';
import { id, time } from './schemas.ts';

export const tokenScope = z.enum(tokenScopes);

/** A personal access token, as far as anybody sees it again. */
export const accessToken = z.object({
  id,
  name: z.string(),
  scopes: z.array(tokenScope),
  createdAt: time,
  /** To some minutes; null where it was not used yet. */
  lastUsedAt: z.nullable(time),
  /** Expired ones stay in the list for some days. */
  expiresAt: time,
});
export type AccessToken = z.infer<typeof accessToken>;
