import { Secret } from '@nolo/kit/config';
import { actorFrom, type UserId } from '@nolo/kit/ids';
import type {
  BeginConnectionReply,
  BeginConnectionRequest,
  ConnectByPasswordRequest,
  ConnectionsReply,
  DisconnectRequest,
  FinishConnectionRequest,
  ListPlatformsReply,
  ListPlatformsRequest,
  SocialConnection,
} from '@nolo/proto/social';
import type { ConnectionStore, StoredConnection } from '../domain/ports.ts';
import { failSocial } from '../errors.ts';
import { PlatformError } from '../domain/PlatformError.ts';
import type { Platforms } from '../platforms/createPlatforms.ts';
import type { PlatformId } from '../domain/platform.ts';
import { parseUuid, platformNamed } from './parse.ts';

interface Dependencies {
  platforms: Platforms;
  connections: ConnectionStore;
}

/** While somebody waits. */
const withinMs = 20_000;
const soon = () => AbortSignal.timeout(withinMs);

const shown = ({ id, platform, account, state }: Omit<StoredConnection, 'tokens'>): SocialConnection => ({
  id,
  platform,
  name: account.name,
  expired: state === 'expired',
});

export function connectionHandlers({ platforms, connections }: Dependencies) {
  const listed = async (userId: UserId, platform: PlatformId): Promise<ConnectionsReply> => ({
    connections: (await connections.list(userId)).filter((one) => one.platform === platform).map(shown),
  });

  return {
    async listPlatforms(request: ListPlatformsRequest): Promise<ListPlatformsReply> {
      const mine = await connections.list(actorFrom(request.actorId));
      return {
        platforms: [...platforms.values()].map(({ id, connect, limits }) => ({
          id,
          connections: mine.filter(({ platform }) => platform === id).map(shown),
          byPassword: connect.kind === 'app_password',
          textLimit: limits.text,
          imageLimit: limits.images,
          needsMedia: limits.needsMedia,
        })),
      };
    },

    async beginConnection(request: BeginConnectionRequest): Promise<BeginConnectionReply> {
      const userId = actorFrom(request.actorId);
      const { id, connect } = platformNamed(platforms, request.platform);
      if (connect.kind !== 'oauth')
        throw failSocial('invalid', 'invalid_request', 'This platform is connected by a password.');
      const server = request.server === '' ? undefined : request.server;
      const begun = connect.begin({ redirectUri: request.redirectUri, server, signal: soon() });
      const { address, pending } = await begun.catch(explain('platform_refused'));
      await connections.begin(userId, id, pending);
      return { address };
    },

    async finishConnection(request: FinishConnectionRequest): Promise<ConnectionsReply> {
      const userId = actorFrom(request.actorId);
      const { id, connect } = platformNamed(platforms, request.platform);
      const query = new URLSearchParams(request.query);
      const pending = await connections.finish(userId, id, query.get('state') ?? '');
      if (!pending || connect.kind !== 'oauth') throw connectionFailed('state_unknown');
      const callback = new URL(pending.redirectUri);
      callback.search = query.toString();
      const grants = await connect.finish(pending, callback, soon()).catch(explain('connection_failed'));
      if (grants.length === 0) throw connectionFailed('nothing_to_connect');
      await connections.put(userId, id, grants);
      return await listed(userId, id);
    },

    async connectByPassword(request: ConnectByPasswordRequest): Promise<ConnectionsReply> {
      const userId = actorFrom(request.actorId);
      const { id, connect } = platformNamed(platforms, request.platform);
      if (connect.kind !== 'app_password')
        throw failSocial('invalid', 'invalid_request', 'This platform has no passwords for apps.');
      const signedIn = connect.signIn(request.name, new Secret(request.password), soon());
      await connections.put(userId, id, [await signedIn.catch(explain('connection_failed'))]);
      return await listed(userId, id);
    },

    async disconnect(request: DisconnectRequest): Promise<ConnectionsReply> {
      const userId = actorFrom(request.actorId);
      const { id } = platformNamed(platforms, request.platform);
      const one = request.connectionId === '' ? undefined : parseUuid('connection_id', request.connectionId);
      // Here it ends whatever the platform says.
      await revokeAll(platforms, await connections.take(userId, id, one));
      return await listed(userId, id);
    },
  };
}

const connectionFailed = (reason: string, cause?: unknown) =>
  failSocial('invalid', 'connection_failed', 'Failed to connect to the platform', undefined, { reason, cause });

/** What a platform says to somebody who waits: a reason, and nothing of its inside. */
function explain(code: 'connection_failed' | 'platform_refused') {
  return (error: unknown): never => {
    if (!(error instanceof PlatformError)) throw error;
    if (code === 'connection_failed') throw connectionFailed(error.reason, error);
    throw failSocial(
      'unavailable',
      code,
      'The platform cannot be reached.',
      { reason: error.reason },
      { cause: error },
    );
  };
}

/** Ends our access at the platforms; answers with how many did not take it back. */
export async function revokeAll(platforms: Platforms, taken: readonly StoredConnection[]): Promise<number> {
  const ends = await Promise.allSettled(
    taken.map(async (one) => await platforms.get(one.platform)?.revoke(one, soon())),
  );
  return ends.filter(({ status }) => status === 'rejected').length;
}
