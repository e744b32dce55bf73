import { routes } from '@nolo/api';
import type { GatewayContext } from '../gatewayContext.ts';
import type { BindRoute } from '../http/routeBinder.ts';
import { setNextPageHeader } from '../http/nextPage.ts';
import { callerOf } from './callerOf.ts';
import { toIsoTime } from '../mapping/people.ts';
import { toIdentity, toSecurityNotice } from '../mapping/security.ts';

/** Compares issuers exactly, except for a trailing slash. */
const bare = (issuer: string) => issuer.replace(/\/$/, '');

/** @param issuer the provider for sign-in, if configured */
export function bindSecurity(
  bind: BindRoute,
  context: Pick<GatewayContext, 'security' | 'sessions' | 'relyingParty'>,
  issuer: string | undefined,
): void {
  const { security, sessions } = context;

  bind(routes.getProof, async ({ actor, rpc }) => {
    const proof = await security.getProof(callerOf(actor), rpc);
    const { validUntil, phoneNumbers, providerIssuers, hasPasskey, hasAuthenticator, email } = proof;
    return {
      validUntil: validUntil ? toIsoTime(validUntil) : null,
      phoneNumbers,
      email: email ?? null,
      provider: issuer !== undefined && providerIssuers.some((known) => bare(known) === bare(issuer)),
      passkey: context.relyingParty !== undefined && hasPasskey === true,
      authenticator: hasAuthenticator === true,
    };
  });

  bind(routes.listIdentities, async ({ actor, rpc }) => {
    const { identities } = await security.listIdentities({ actorId: actor.userId }, rpc);
    return identities.map(toIdentity);
  });

  bind(routes.unlinkIdentity, async ({ actor, params, rpc }) => {
    await security.unlinkIdentity({ ...callerOf(actor), identityId: params.id }, rpc);
  });

  bind(routes.listSecurityNotices, async ({ actor, query, rpc, response }) => {
    const { notices, nextCursor } = await security.listNotices(
      { ...callerOf(actor), cursor: query.cursor, limit: query.limit },
      rpc,
    );
    setNextPageHeader(response, nextCursor);
    return notices.map(toSecurityNotice);
  });

  bind(routes.markNoticesSeen, async ({ actor, params, rpc }) => {
    await security.markNoticesSeen({ ...callerOf(actor), noticeId: params.id }, rpc);
  });

  bind(routes.undoNotice, async ({ actor, params, rpc }) => {
    const undone = await security.undoNotice({ ...callerOf(actor), noticeId: params.id }, rpc);
    sessions.recheck(actor.userId);
    return undone;
  });
}
