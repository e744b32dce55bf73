import type { BrandedId, UserId } from '@nolo/kit/ids';
import type { TokenScope } from '@nolo/rules';
import type { PageEnd } from './cursors.ts';
import type { RequestingSession } from './securityPorts.ts';

/** Ports for personal access tokens. */

export type AccessTokenId = BrandedId<'token'>;

export interface AccessToken {
  id: AccessTokenId;
  name: string;
  scopes: TokenScope[];
  createdAt: Date;
  lastUsedAt: Date | null;
  expiresAt: Date;
}

export interface LiveAccessToken {
  id: AccessTokenId;
  userId: UserId;
  scopes: TokenScope[];
  lastUsedAt: Date | null;
  expiresAt: Date;
}

export interface AccessTokenStore {
  create(
    requester: RequestingSession,
    token: AccessToken & { hash: Buffer },
    maxTokens: number,
  ): Promise<'created' | 'missing' | 'unproven' | 'limit'>;
  /** Lists tokens that are not revoked. Returns one more than `limit` if there is a next page. */
  list(userId: UserId, after: PageEnd | undefined, limit: number): Promise<AccessToken[]>;
  /** Returns false if the account has no such token or it was already revoked. */
  revoke(userId: UserId, tokenId: AccessTokenId, now: Date): Promise<boolean>;
  findLive(hash: Buffer, now: Date): Promise<LiveAccessToken | undefined>;
  touch(tokenId: AccessTokenId, now: Date): Promise<void>;
  sweep(now: Date): Promise<void>;
}
