import type { SocialDelivery, SocialPost } from '@nolo/api';
import type { SocialPlatform } from '@nolo/rules';

export type PostAction = 'edit' | 'duplicate' | 'retry' | 'cancel' | 'remove';

/** What one may do with a post, by how far it has come. */
export function actionsOf({ state }: Pick<SocialPost, 'state'>): PostAction[] {
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

/** Where a post goes or went, each platform once. */
export function platformsOf({ platforms, deliveries }: SocialPost): SocialPlatform[] {
  return [...new Set([...deliveries.map(({ platform }) => platform), ...platforms])];
}

/** The moment that a card is about. */
export function momentOf({ state, scheduledAt, createdAt, deliveries }: SocialPost): string | null {
  if (state === 'draft' || state === 'scheduled' || state === 'cancelled') return scheduledAt;
  const out = deliveries.flatMap(({ publishedAt }) => publishedAt ?? []).sort();
  return out.at(-1) ?? scheduledAt ?? createdAt;
}

/** Deliveries that a person has to hear of. */
export function troubledOf({ deliveries }: SocialPost): SocialDelivery[] {
  return deliveries.filter(
    ({ state, reason }) => state === 'needs_review' || (reason !== null && state !== 'published'),
  );
}

/** Whether connecting the account again helps. */
export function wantsConnection({ reason }: SocialDelivery): boolean {
  return reason === 'authentication_expired' || reason === 'permission_missing' || reason === 'disconnected';
}
