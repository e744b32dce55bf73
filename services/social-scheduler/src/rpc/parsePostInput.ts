import type { Clock } from '@nolo/kit/clock';
import type { FileId, UserId } from '@nolo/kit/ids';
import type { AddPostRequest } from '@nolo/proto/social';
import { findBarredHost, socialLimits } from '@nolo/rules';
import { requirePostable, createPostError, createTooLongFault } from '../domain/checkPost.ts';
import { parseChosenTime } from '../domain/localTime.ts';
import type { PlatformId } from '../domain/platform.ts';
import type { CheckAttachableFiles, ConnectionStore, StoredConnection } from '../domain/ports.ts';
import type { PostInput } from '../domain/posts.ts';
import { createSocialError } from '../errors.ts';
import type { Platforms } from '../platforms/createPlatforms.ts';
import { isPlatformId, parseUuid } from './parse.ts';

export interface PostInputDependencies {
  platforms: Platforms;
  connections: ConnectionStore;
  attachable: CheckAttachableFiles;
  /** Platforms that cannot fetch media from our addresses. */
  outOfReach: ReadonlySet<PlatformId>;
  /** Returns the hosts that operators currently bar. */
  barredHosts: () => ReadonlySet<string>;
  clock: Clock;
}

type Account = Omit<StoredConnection, 'tokens'>;

/** Parses a post into its stored form. Drafts may be incomplete; all other posts are fully validated. */
export async function parsePostInput(
  { platforms, connections, attachable, outOfReach, barredHosts, clock }: PostInputDependencies,
  userId: UserId,
  request: AddPostRequest,
): Promise<PostInput> {
  const { text, draft } = request;
  const texts = parsePlatformTexts(request.texts);
  if ([text, ...Object.values(texts)].some((some) => some.length > socialLimits.socialTextLength)) {
    throw createPostError(createTooLongFault(socialLimits.socialTextLength));
  }
  if (request.media.length > socialLimits.socialMediaPerPost) {
    throw createSocialError('invalid', 'post_media_invalid', 'Too many pictures and videos.', {
      limit: socialLimits.socialMediaPerPost,
    });
  }
  const media = request.media.map(({ fileId, altText }) => ({ fileId: parseUuid<FileId>('file_id', fileId), altText }));
  const accounts = accountsOf(await connections.list(userId), request);
  const files = await attachable(
    userId,
    media.map(({ fileId }) => fileId),
  );
  if (!draft) {
    const ids = new Set(accounts.map(({ platform }) => platform));
    const offered = [...ids].flatMap((id) => platforms.get(id) ?? []);
    requirePostable({ text, texts, media: files }, offered, outOfReach);
    // Searching for hosts takes longer than the length checks before it.
    mustNotBeBarred(barredHosts(), [text, ...Object.values(texts)]);
    if (accounts.length === 0) {
      throw createSocialError('invalid', 'platform_required', 'Please select at least one platform');
    }
  }
  return {
    text,
    texts,
    media,
    draft,
    connectionIds: accounts.map(({ id }) => id),
    time: timeOf(request, clock.now()),
  };
}

function mustNotBeBarred(barred: ReadonlySet<string>, texts: readonly string[]): void {
  const host = texts.map((text) => findBarredHost(barred, text)).find((found) => found !== undefined);
  if (host === undefined) return;
  throw createSocialError('invalid', 'post_link_barred', 'The operators have barred a host that this post links to.', {
    host,
  });
}

/** Returns the accounts that a post names, else those chosen on the platforms it names, else all chosen ones. */
function accountsOf(mine: readonly Account[], request: AddPostRequest): Account[] {
  const ids = new Set(request.connectionIds.map((id) => parseUuid('connection_ids', id)));
  const named = mine.filter(({ id }) => ids.has(id));
  if (named.length !== ids.size) {
    throw createSocialError('not_found', 'connection_not_found', 'One of these accounts is not connected.');
  }
  const chosen = mine.filter((account) => account.chosen);
  const everywhere = request.everywhere && ids.size === 0 && request.platforms.length === 0;
  const atPlatforms = request.platforms.flatMap((platform) => {
    const there = chosen.filter((account) => account.platform === platform);
    if (there.length > 0) return there;
    throw createSocialError('conflict', 'platform_not_connected', 'This platform is not connected.', { platform });
  });
  const accounts = [...new Set([...named, ...atPlatforms, ...(everywhere ? chosen : [])])];
  if (accounts.length > socialLimits.socialAccountsPerPost) {
    throw createSocialError('invalid', 'invalid_request', 'Too many accounts.');
  }
  return accounts;
}

function timeOf({ localTime, timeZone, draft }: AddPostRequest, now: Date): PostInput['time'] {
  if (!localTime) return undefined;
  const found = parseChosenTime(localTime, timeZone ?? '');
  if (found === 'time_zone_unknown') throw createSocialError('invalid', found, 'Unknown time zone.');
  if (found === 'time_invalid') throw createSocialError('invalid', found, 'Enter a valid date and time.');
  if (!draft && found.at <= now) throw createSocialError('invalid', 'time_past', 'Please choose a time in the future.');
  return found;
}

export function parsePlatformTexts(given: Readonly<Record<string, string>>): Partial<Record<PlatformId, string>> {
  return Object.fromEntries(Object.entries(given).filter(([platform]) => isPlatformId(platform)));
}
