import type {
  SocialAccount,
  SocialDelivery,
  SocialPostMedia,
  SocialPlatformState,
  SocialPost,
  SocialPostResult,
} from '@nolo/api';
import type {
  SocialConnection,
  SocialDelivery as DeliveryRow,
  SocialLimits,
  SocialPlatform as PlatformRow,
  SocialPost as PostRow,
} from '@nolo/proto/social';
import {
  socialDeliveryStates,
  socialPlatformNames,
  socialPlatforms,
  socialPostStates,
  socialFailureReasons,
  type SocialPlatform,
} from '@nolo/rules';
import { createGatewayError } from '../errors.ts';
import { toObjectPath } from './files.ts';
import { toIsoTime, emptyToNull } from './people.ts';

const platformOf = (id: string): SocialPlatform => socialPlatforms.find((known) => known === id) ?? 'twitter';
const timeOrNull = (time: Date | undefined): string | null => (time ? toIsoTime(time) : null);

export function toSocialAccount({ id, name, expired, chosen }: SocialConnection): SocialAccount {
  return { id, name, expired, chosen };
}

const noLimits: SocialLimits = {
  text: 0,
  needsMedia: false,
  images: 0,
  imageTypes: [],
  imageBytes: 0,
  videos: 0,
  videoTypes: [],
  videoBytes: 0,
  altText: 0,
};

export function toSocialPlatform(row: PlatformRow): SocialPlatformState {
  const id = platformOf(row.id);
  return {
    id,
    name: socialPlatformNames[id],
    connected: row.connections.some(({ expired }) => !expired),
    offered: row.offered,
    connectBy: row.byPassword ? 'password' : row.servers.length > 0 ? 'server' : 'window',
    servers: row.servers,
    accounts: row.connections.map(toSocialAccount),
    limits: row.limits ?? noLimits,
  };
}

function toDelivery(row: DeliveryRow): SocialDelivery {
  return {
    id: row.id,
    platform: platformOf(row.platform),
    accountId: emptyToNull(row.connectionId),
    accountName: row.accountName,
    state: socialDeliveryStates.find((known) => known === row.state) ?? 'waiting',
    reason: socialFailureReasons.find((known) => known === row.reason) ?? null,
    retryAt: timeOrNull(row.retryAt),
    url: emptyToNull(row.address),
    publishedAt: timeOrNull(row.publishedAt),
  };
}

export function toSocialPost(row: PostRow): SocialPost {
  const deliveries = row.deliveries.map(toDelivery);
  const destinations = [
    ...row.wanted.map(({ id, platform }) => ({ accountId: id, platform: platformOf(platform) })),
    ...deliveries,
  ];
  return {
    id: row.id,
    content: row.text,
    texts: row.texts,
    media: row.media.map(({ fileId, altText }) => ({ url: toObjectPath(fileId), altText })),
    mediaCount: row.media.length,
    state: socialPostStates.find((known) => known === row.state) ?? 'draft',
    scheduledAt: timeOrNull(row.scheduledAt),
    localTime: emptyToNull(row.localTime),
    timeZone: emptyToNull(row.timeZone),
    createdAt: toIsoTime(row.createdAt),
    platforms: [...new Set(destinations.map(({ platform }) => platform))],
    accountIds: destinations.flatMap(({ accountId }) => accountId ?? []),
    deliveries,
  };
}

export function toSocialResults({ id, deliveries }: SocialPost): SocialPostResult[] {
  return deliveries.map(({ platform, state, reason, accountId, accountName, url }) => ({
    platform,
    success: state === 'published',
    state,
    reason,
    accountId,
    accountName,
    url,
    postId: id,
  }));
}

/** Maps files at our own addresses. Files elsewhere are skipped. */
export function toSocialMediaInput(media: readonly SocialPostMedia[] = []): { fileId: string; altText: string }[] {
  return media.map(({ url, altText }) => {
    const fileId = /^\/objects\/([0-9a-fA-F-]{36})$/.exec(url)?.[1];
    if (fileId !== undefined) return { fileId, altText };
    throw createGatewayError('invalid', 'post_media_invalid', 'The file URL must point to a file uploaded here.');
  });
}
