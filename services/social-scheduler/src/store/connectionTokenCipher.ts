import { Secret } from '@nolo/kit/config';
import type { UserId } from '@nolo/kit/ids';
import { z } from 'zod';
import type { KeyRing } from '@nolo/kit/keyRing';
import type { StoredConnection } from '../domain/ports.ts';
import type { PlatformId, PlatformTokens } from '../domain/platform.ts';

export interface ConnectionRow {
  id: string;
  user_id: UserId;
  platform: PlatformId;
  server: string;
  account_id: string;
  name: string;
  sealed_tokens: Buffer;
  tokens_end_at: Date | null;
  state: 'active' | 'expired';
  chosen: boolean;
}

const tokensSchema = z.object({ access: z.string(), refresh: z.string().optional() });

export const toConnectionView = (row: ConnectionRow): Omit<StoredConnection, 'tokens'> => ({
  id: row.id,
  userId: row.user_id,
  platform: row.platform,
  state: row.state,
  chosen: row.chosen,
  account: { id: row.account_id, name: row.name, server: row.server === '' ? undefined : row.server },
});

/** Encrypts and decrypts the tokens of connections. */
export function createConnectionTokenCipher(keys: KeyRing) {
  const sealed = async (id: string, { access, refresh, expiresAt }: PlatformTokens) => ({
    sealed_tokens: await keys.seal(JSON.stringify({ access: access.reveal(), refresh: refresh?.reveal() }), id),
    tokens_end_at: expiresAt ?? null,
  });
  const opened = async (row: ConnectionRow): Promise<StoredConnection> => {
    const { access, refresh } = tokensSchema.parse(JSON.parse(await keys.open(row.sealed_tokens, row.id)));
    return {
      ...toConnectionView(row),
      tokens: {
        access: new Secret(access),
        refresh: refresh === undefined ? undefined : new Secret(refresh),
        expiresAt: row.tokens_end_at ?? undefined,
      },
    };
  };
  return { sealed, opened };
}

export type ConnectionTokenCipher = ReturnType<typeof createConnectionTokenCipher>;
