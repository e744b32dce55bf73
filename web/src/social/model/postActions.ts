import type { SocialDelivery, SocialPost } from '@nolo/api';
import type { SocialPlatform } from '@nolo/rules';

export type PostAction = 'edit' | 'duplicate' | 'retry' | 'cancel' | 'remove';

export function listPostActions({ state }: Pick<SocialPost, 'state'>): PostAction[] {
  switch (state) {
    case 'draft':
      return ['edit', 'duplicate', 'remove'];
    case 'scheduled':
      return ['edit', 'duplicate', 'cancel', 'remove'];
    case 'failed':
      return ['retry', 'duplicate', 'remove'];
    case 'cancelled':
    case 'published':
    case 'needs_review':
      return ['duplicate', 'remove'];
    case 'publishing':
      return ['duplicate'];
  }
}

export function listPostPlatforms({ platforms, deliveries }: SocialPost): SocialPlatform[] {
  return [...new Set([...deliveries.map(({ platform }) => platform), ...platforms])];
}

/** Returns the relevant moment of a post for its card. */
export function findPostMoment({ state, scheduledAt, createdAt, deliveries }: SocialPost): string | null {
  if (state === 'draft' || state === 'scheduled' || state === 'cancelled') return scheduledAt;
  const out = deliveries.flatMap(({ publishedAt }) => publishedAt ?? []).sort();
  return out.at(-1) ?? scheduledAt ?? createdAt;
}

/** Returns the deliveries that need the user's attention. */
export function listTroubledDeliveries({ deliveries }: SocialPost): SocialDelivery[] {
  return deliveries.filter(
    ({ state, reason }) => state === 'needs_review' || (reason !== null && state !== 'published'),
  );
}

/** Returns true if reconnecting the account would help. */
export function needsReconnect({ reason }: SocialDelivery): boolean {
  return reason === 'authentication_expired' || reason === 'permission_missing' || reason === 'disconnected';
}
