import { routes } from '@nolo/api';
import type { Clients } from '../clients.ts';
import type { GatewayContext } from '../gatewayContext.ts';
import { createGatewayError } from '../errors.ts';
import type { BindRoute } from '../http/routeBinder.ts';
import { toClientError } from '../http/errorReply.ts';
import { toSocialAccount, toSocialPlatform } from '../mapping/social.ts';

/** Timeout for calls to a social platform while a user waits. */
const platformTimeoutMs = 25_000;

/** Page on which the platform's window ends. It reports the outcome to its opener and closes. */
const endPage = '/social-connected';
/** Outcomes that the page understands (web, `/social-connected`). */
type ConnectOutcome = 'connected' | 'cancelled' | 'failed' | 'limited' | 'signed_out' | 'unavailable';

const outcomes: Readonly<Record<string, ConnectOutcome>> = {
  session_required: 'signed_out',
  session_invalid: 'signed_out',
  rate_limited: 'limited',
  too_many_connections: 'limited',
  social_limit_plan: 'limited',
};

export function requireSocial({ social }: Pick<GatewayContext, 'social'>): NonNullable<Clients['social']> {
  if (social) return social;
  throw createGatewayError('not_found', 'social_unavailable', 'Posting to social platforms is not available here.');
}

const endingWith = (outcome: ConnectOutcome, platform?: string): string =>
  `${endPage}?${new URLSearchParams({ ...(platform === undefined ? {} : { platform }), outcome }).toString()}`;

function outcomeOf(thrown: unknown): ConnectOutcome {
  const { kind, code } = toClientError(thrown);
  return outcomes[code] ?? (kind === 'unavailable' ? 'unavailable' : 'failed');
}

/** Routes for social platform accounts: connecting, selecting, and disconnecting. */
export function bindSocial(bind: BindRoute, context: Pick<GatewayContext, 'social' | 'publicUrl'>): void {
  bind(routes.listSocialPlatforms, async ({ actor, rpc }) => {
    const { platforms } = await requireSocial(context).listPlatforms({ actorId: actor.userId }, rpc);
    return platforms.map(toSocialPlatform);
  });

  bind(routes.connectSocialPlatform, async ({ actor, params, body, rpc }) => {
    const social = requireSocial(context);
    const call = { ...rpc, timeoutMs: platformTimeoutMs };
    const { platform } = params;
    const { server = '', handle, appPassword } = body ?? {};
    if (handle !== undefined && appPassword !== undefined) {
      await social.connectByPassword({ actorId: actor.userId, platform, name: handle, password: appPassword }, call);
      return { authUrl: null };
    }
    const redirectUri = `${context.publicUrl}/api/social/callback/${platform}`;
    const { address } = await social.beginConnection({ actorId: actor.userId, platform, redirectUri, server }, call);
    return { authUrl: address };
  });

  bind(
    routes.finishSocialConnection,
    async ({ actor, params, request, response, rpc }) => {
      const { platform } = params;
      const query = new URL(request.url, context.publicUrl).searchParams;
      const end = (outcome: ConnectOutcome) => response.redirect(302, endingWith(outcome, platform));
      if (query.get('error') === 'access_denied') return end('cancelled');
      try {
        const finished = { actorId: actor.userId, platform, query: query.toString() };
        await requireSocial(context).finishConnection(finished, { ...rpc, timeoutMs: platformTimeoutMs });
        return end('connected');
      } catch (error) {
        return end(outcomeOf(error));
      }
    },
    { errorPage: (error) => endingWith(outcomeOf(error)) },
  );

  bind(routes.chooseSocialAccounts, async ({ actor, params, body, rpc }) => {
    const chosen = { actorId: actor.userId, platform: params.platform, connectionIds: body.accountIds };
    return (await requireSocial(context).chooseConnections(chosen, rpc)).connections.map(toSocialAccount);
  });

  bind(routes.disconnectSocialPlatform, async ({ actor, params, query, rpc }) => {
    await requireSocial(context).disconnect(
      { actorId: actor.userId, platform: params.platform, connectionId: query.accountId },
      { ...rpc, timeoutMs: platformTimeoutMs },
    );
  });
}
