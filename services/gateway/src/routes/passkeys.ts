import { routes } from '@nolo/api';
import { createInternalError } from '@nolo/kit/errors';
import type { RelyingParty } from '../domain/relyingParty.ts';
import type { GatewayContext } from '../gatewayContext.ts';
import { createGatewayError } from '../errors.ts';
import type { BindRoute } from '../http/routeBinder.ts';
import { toIdentity } from '../mapping/security.ts';
import { beginSession, composeSelfOrFallback } from './verification.ts';

function optionsIn({ options }: { options?: string | undefined }): { options: Record<string, unknown> } {
  if (options === undefined) throw createInternalError(new Error('identity returned no options.'));
  return { options: JSON.parse(options) as Record<string, unknown> };
}

/** Drops browsers' extension results, because no extensions are requested. */
const withoutExtensions = (response: object) => JSON.stringify({ ...response, clientExtensionResults: {} });

export function bindPasskeys(
  bind: BindRoute,
  context: Pick<GatewayContext, 'passkeys' | 'sessions' | 'relyingParty' | 'identity' | 'chat' | 'calls' | 'log'>,
): void {
  const { passkeys, sessions } = context;

  const site = (): RelyingParty => {
    if (context.relyingParty) return context.relyingParty;
    throw createGatewayError('not_found', 'passkeys_unavailable', 'Passkeys are not available at this address.');
  };
  const sessionRequired = () => createGatewayError('unauthenticated', 'session_required', 'You are not signed in.');

  bind(routes.beginPasskey, async ({ actor: { userId: actorId, sessionId }, rpc }) =>
    optionsIn(await passkeys.beginPasskey({ actorId, sessionId, relyingParty: site() }, rpc)),
  );

  bind(routes.addPasskey, async ({ actor: { userId: actorId, sessionId }, body: { name, response }, rpc }) =>
    toIdentity(
      await passkeys.addPasskey(
        { actorId, sessionId, relyingParty: site(), name, response: withoutExtensions(response) },
        rpc,
      ),
    ),
  );

  bind(routes.renamePasskey, async ({ actor, params, body: { name }, rpc }) => {
    await passkeys.renamePasskey({ actorId: actor.userId, identityId: params.id, name }, rpc);
  });

  bind(routes.beginPasskeySignIn, async ({ body, request, rpc }) => {
    const relyingParty = site();
    if (body.prove !== true) return optionsIn(await passkeys.beginPasskeySignIn({ relyingParty }, rpc));
    const current = await sessions.find(request.headers, rpc);
    if (!current) throw sessionRequired();
    return optionsIn(await passkeys.beginPasskeySignIn({ relyingParty, proveSessionId: current.sessionId }, rpc));
  });

  bind(routes.signInWithPasskey, async ({ body, device, request, response, rpc }) => {
    const given = { relyingParty: site(), response: withoutExtensions(body.response), device };
    const current = await sessions.find(request.headers, rpc);
    if (body.prove === true) {
      if (!current) throw sessionRequired();
      const reply = await passkeys.signInWithPasskey({ ...given, proveSessionId: current.sessionId }, rpc);
      const user = await composeSelfOrFallback(context, current, reply, rpc);
      return { success: true as const, message: 'Confirmed', token: null, user };
    }
    const signedIn = await passkeys.signInWithPasskey(given, rpc);
    return { ...(await beginSession(context, signedIn, current, { response, rpc })), message: 'Signed in' };
  });
}
