import { routes } from '@nolo/api';
import type { Edge } from '../edge.ts';
import type { Bind } from '../http/bind.ts';
import { tellNextPage } from '../http/nextPage.ts';
import { asking } from './asking.ts';
import { isoTime } from './mapPeople.ts';
import { toIdentity, toSecurityNotice } from './mapSecurity.ts';

/** Compares issuers exactly, except for a trailing slash. */
const bare = (issuer: string) => issuer.replace(/\/$/, '');

/** @param issuer the provider for sign-in, if configured */
export function bindSecurity(bind: Bind, edge: Edge, issuer: string | undefined): void {
  const { security, sessions } = edge;

  bind(routes.getProof, async ({ actor, rpc }) => {
    const proof = await security.getProof(asking(actor), rpc);
    const { validUntil, phoneNumbers, providerIssuers, hasPasskey, hasAuthenticator, email } = proof;
    return {
      validUntil: validUntil ? isoTime(validUntil) : null,
      phoneNumbers,
      email: email ?? null,
      provider: issuer !== undefined && providerIssuers.some((known) => bare(known) === bare(issuer)),
      passkey: edge.relyingParty !== undefined && hasPasskey === true,
      authenticator: hasAuthenticator === true,
    };
  });

  bind(routes.listIdentities, async ({ actor, rpc }) => {
    const { identities } = await security.listIdentities({ actorId: actor.userId }, rpc);
    return identities.map(toIdentity);
  });

  bind(routes.unlinkIdentity, async ({ actor, params, rpc }) => {
    await security.unlinkIdentity({ ...asking(actor), identityId: params.id }, rpc);
  });

  bind(routes.listSecurityNotices, async ({ actor, query, rpc, response }) => {
    const { notices, nextCursor } = await security.listNotices(
      { ...asking(actor), cursor: query.cursor, limit: query.limit },
      rpc,
    );
    tellNextPage(response, nextCursor);
    return notices.map(toSecurityNotice);
  });

  bind(routes.markNoticesSeen, async ({ actor, params, rpc }) => {
    await security.markNoticesSeen({ ...asking(actor), noticeId: params.id }, rpc);
  });

  bind(routes.undoNotice, async ({ actor, params, rpc }) => {
    const undone = await security.undoNotice({ ...asking(actor), noticeId: params.id }, rpc);
    sessions.recheck(actor.userId);
    return undone;
  });
}
