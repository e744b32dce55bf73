import { Secret } from '@nolo/kit/config';
import { parseActorId, type UserId } from '@nolo/kit/ids';
import type { RpcHandler } from '@nolo/kit/rpc';
import type { ConnectionsReply, SocialConnection, SocialPlatform, SocialServiceDefinition } from '@nolo/proto/social';
import { socialPlatforms } from '@nolo/rules';
import { requirePlatformAllowed } from '../domain/entitlements.ts';
import type { StoredConnection } from '../domain/ports.ts';
import { createSocialError } from '../errors.ts';
import { PlatformError } from '../domain/PlatformError.ts';
import { connectKinds, platformLimits, type Platforms } from '../platforms/createPlatforms.ts';
import type { AccountGrant, Platform, PlatformId } from '../domain/platform.ts';
import type { Dependencies } from './dependencies.ts';
import { parseUuid, requirePlatform } from './parse.ts';

/** Timeout while a user waits. */
const withinMs = 20_000;
const soon = () => AbortSignal.timeout(withinMs);

const shown = ({ id, platform, account, state, chosen }: Omit<StoredConnection, 'tokens'>): SocialConnection => ({
  id,
  platform,
  name: account.name,
  expired: state === 'expired',
  chosen,
});

/**
 * Builds a platform's description. Platforms that this installation does not offer cannot be connected, but their
 * limits are shown.
 */
function shownPlatform(
  id: PlatformId,
  platform: Platform | undefined,
  mine: readonly Omit<StoredConnection, 'tokens'>[],
): SocialPlatform {
  const { text, needsMedia, images, imageBytes, videos, videoBytes, altText, ...types } = platformLimits[id];
  const connect = platform?.connect;
  return {
    id,
    connections: mine.filter((connection) => connection.platform === id).map(shown),
    byPassword: connectKinds[id] === 'app_password',
    offered: platform !== undefined,
    servers: connect?.kind === 'oauth' ? [...(connect.servers ?? [])] : [],
    limits: {
      text,
      needsMedia,
      images,
      imageTypes: [...types.imageTypes],
      imageBytes,
      videos,
      videoTypes: [...types.videoTypes],
      videoBytes,
      altText,
    },
  };
}

type Needs = Pick<Dependencies, 'platforms' | 'connections' | 'entitlementOf'>;
type Handler<Name extends keyof (typeof SocialServiceDefinition)['methods']> = RpcHandler<
  (typeof SocialServiceDefinition)['methods'][Name]
>;

async function listed(
  { connections }: Pick<Needs, 'connections'>,
  userId: UserId,
  platform: PlatformId,
): Promise<ConnectionsReply> {
  return { connections: (await connections.list(userId)).filter((one) => one.platform === platform).map(shown) };
}

async function mustBeAllowed(
  { connections, entitlementOf }: Needs,
  userId: UserId,
  platform: PlatformId,
): Promise<void> {
  const [entitlement, mine] = await Promise.all([entitlementOf(userId), connections.list(userId)]);
  requirePlatformAllowed(
    entitlement,
    mine.map((connection) => connection.platform),
    platform,
  );
}

/** Stores connections. The store checks the limit again, because others may have been added meanwhile. */
async function put(
  { connections, entitlementOf }: Needs,
  userId: UserId,
  platform: PlatformId,
  grants: readonly AccountGrant[],
): Promise<void> {
  const entitlement = await entitlementOf(userId);
  await connections.put(userId, platform, grants, (mine) => requirePlatformAllowed(entitlement, mine, platform));
}

export function listPlatforms({ platforms, connections }: Needs): Handler<'listPlatforms'> {
  return async (request) => {
    const mine = await connections.list(parseActorId(request.actorId));
    return {
      platforms: socialPlatforms.map((id) => shownPlatform(id, platforms.get(id), mine)),
    };
  };
}

export function beginConnection(dependencies: Needs): Handler<'beginConnection'> {
  const { platforms, connections } = dependencies;
  return async (request) => {
    const userId = parseActorId(request.actorId);
    const { id, connect } = requirePlatform(platforms, request.platform);
    if (connect.kind !== 'oauth')
      throw createSocialError(
        'invalid',
        'password_required',
        'This platform requires a name and an app password to connect.',
      );
    await mustBeAllowed(dependencies, userId, id);
    const server = request.server || undefined;
    const begun = connect.begin({ redirectUri: request.redirectUri, server, signal: soon() });
    const { address, pending } = await begun.catch(explain('platform_refused'));
    await connections.begin(userId, id, pending);
    return { address };
  };
}

export function finishConnection(dependencies: Needs): Handler<'finishConnection'> {
  const { platforms, connections } = dependencies;
  return async (request) => {
    const userId = parseActorId(request.actorId);
    const { id, connect } = requirePlatform(platforms, request.platform);
    const query = new URLSearchParams(request.query);
    const pending = await connections.finish(userId, id, query.get('state') ?? '');
    if (!pending || connect.kind !== 'oauth') throw connectionFailed('state_unknown');
    const callback = new URL(pending.redirectUri);
    callback.search = query.toString();
    const grants = await connect.finish(pending, callback, soon()).catch(explain('connection_failed'));
    if (grants.length === 0) throw connectionFailed('nothing_to_connect');
    await put(dependencies, userId, id, grants);
    return await listed(dependencies, userId, id);
  };
}

export function connectByPassword(dependencies: Needs): Handler<'connectByPassword'> {
  const { platforms } = dependencies;
  return async (request) => {
    const userId = parseActorId(request.actorId);
    const { id, connect } = requirePlatform(platforms, request.platform);
    if (connect.kind !== 'app_password')
      throw createSocialError('invalid', 'password_refused', 'This platform does not support app passwords.');
    await mustBeAllowed(dependencies, userId, id);
    const signedIn = connect.signIn(request.name, new Secret(request.password), soon());
    await put(dependencies, userId, id, [await signedIn.catch(explain('connection_failed'))]);
    return await listed(dependencies, userId, id);
  };
}

export function chooseConnections(dependencies: Needs): Handler<'chooseConnections'> {
  const { platforms, connections } = dependencies;
  return async (request) => {
    const userId = parseActorId(request.actorId);
    const { id } = requirePlatform(platforms, request.platform);
    const ids = request.connectionIds.map((connectionId) => parseUuid('connection_ids', connectionId));
    await connections.choose(userId, id, ids);
    return await listed(dependencies, userId, id);
  };
}

export function disconnect(dependencies: Needs): Handler<'disconnect'> {
  const { platforms, connections } = dependencies;
  return async (request) => {
    const userId = parseActorId(request.actorId);
    const { id } = requirePlatform(platforms, request.platform);
    const one = request.connectionId ? parseUuid('connection_id', request.connectionId) : undefined;
    // Ends the connection on our side whatever the platform replies.
    await revokeConnections(platforms, await connections.take(userId, id, one));
    return await listed(dependencies, userId, id);
  };
}

const connectionFailed = (reason: string, cause?: unknown) =>
  createSocialError('invalid', 'connection_failed', 'Failed to connect to the platform', undefined, { reason, cause });

/** Maps a platform's error to one for a waiting user: a reason without internals. */
function explain(code: 'connection_failed' | 'platform_refused') {
  return (error: unknown): never => {
    if (!(error instanceof PlatformError)) throw error;
    // A refusal needs the user's action; a platform that is down may recover.
    if (code === 'connection_failed' || error.next !== 'retry') throw connectionFailed(error.reason, error);
    throw createSocialError(
      'unavailable',
      code,
      'The platform is unreachable.',
      { reason: error.reason },
      { cause: error },
    );
  };
}

/** Ends our access on the platforms. Returns how many failed to revoke it. */
export async function revokeConnections(platforms: Platforms, taken: readonly StoredConnection[]): Promise<number> {
  const ends = await Promise.allSettled(
    taken.map(async (one) => await platforms.get(one.platform)?.revoke(one, soon())),
  );
  return ends.filter(({ status }) => status === 'rejected').length;
}
