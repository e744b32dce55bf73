import { parseActorId, isId } from '@nolo/kit/ids';
import { clampPageSize } from '@nolo/kit/pages';
import type { RpcHandler } from '@nolo/kit/rpc';
import type { Notice, SecurityServiceDefinition } from '@nolo/proto/security';
import { limits } from '@nolo/rules';
import { readTimeCursor, writeCursor } from '../domain/cursors.ts';
import type { ListedSecurityNotice } from '../domain/securityPorts.ts';
import { createIdentityError } from '../errors.ts';
import type { Dependencies } from './dependencies.ts';
import { proofRequired, readRequestingSession, sessionInvalid } from './proofErrors.ts';
import { toIdentity } from './replies.ts';
import { userNotFound } from './requests.ts';

export function getProof({
  accounts,
  clock,
  proofs,
}: Dependencies): RpcHandler<typeof SecurityServiceDefinition.methods.getProof> {
  return async (request) => {
    const requester = readRequestingSession(request);
    const proof = await proofs.find(requester, clock.now());
    if (!proof) throw sessionInvalid();
    const account = await accounts.find(requester.userId);
    if (!account) throw userNotFound();
    return { ...proof, providerIssuers: account.providerIssuers };
  };
}

export function listIdentities({
  identities,
}: Dependencies): RpcHandler<typeof SecurityServiceDefinition.methods.listIdentities> {
  return async (request) => ({
    identities: (await identities.list(parseActorId(request.actorId))).map(toIdentity),
  });
}

const notFound = () => createIdentityError('not_found', 'identity_not_found', 'This sign-in method was not found.');

export function unlinkIdentity({
  clock,
  frames,
  identities,
}: Dependencies): RpcHandler<typeof SecurityServiceDefinition.methods.unlinkIdentity> {
  return async (request) => {
    const requester = readRequestingSession(request);
    if (!isId(request.identityId)) throw notFound();
    switch (await identities.unlink(requester, request.identityId, clock.now())) {
      case 'unproven':
        throw proofRequired();
      case 'missing':
        throw notFound();
      case 'last':
        throw createIdentityError(
          'conflict',
          'last_way_in',
          'This is your only sign-in method, so it cannot be removed.',
        );
      case 'unlinked':
        await frames.send([requester.userId], { type: 'self_changed', data: {} });
        return {};
    }
  };
}

const defaultPageSize = 30;

function toNotice({ change, undoneAt, country, city, ...notice }: ListedSecurityNotice): Notice {
  return {
    ...notice,
    country: country ?? undefined,
    city: city ?? undefined,
    phoneNumber: change.phoneNumber,
    previousPhoneNumber: change.previousPhoneNumber,
    issuer: change.issuer,
    ...(notice.kind.startsWith('email_') && { email: change.email ?? undefined, previousEmail: change.previousEmail }),
    tokenName: change.tokenName,
    passkeyName: change.passkeyName,
    opensAt: change.opensAt === undefined ? undefined : new Date(change.opensAt),
    undoneAt: undoneAt ?? undefined,
  };
}

export function listNotices({
  clock,
  notices,
}: Dependencies): RpcHandler<typeof SecurityServiceDefinition.methods.listNotices> {
  return async (request) => {
    const limit = clampPageSize(request.limit, defaultPageSize, limits.securityNoticesPerPage);
    const after = readTimeCursor(request.cursor);
    const rows = await notices.list(readRequestingSession(request), after, limit + 1, clock.now());
    const page = rows.slice(0, limit);
    const last = rows.length > limit ? page.at(-1) : undefined;
    return {
      notices: page.map(toNotice),
      nextCursor: last && writeCursor({ key: last.createdAt.toISOString(), id: last.id }),
    };
  };
}

function noticeNotFound() {
  return createIdentityError('not_found', 'notice_not_found', 'Security notice not found.');
}

export function markNoticesSeen({
  notices,
}: Dependencies): RpcHandler<typeof SecurityServiceDefinition.methods.markNoticesSeen> {
  return async (request) => {
    const requester = readRequestingSession(request);
    if (!isId(request.noticeId) || !(await notices.markSeen(requester, request.noticeId))) throw noticeNotFound();
    return {};
  };
}

/**
 * Takes back the changes of a notice. Requires proof like any other change: otherwise a stolen old session could
 * restore what the owner just took away. A replaced number counts as proof as long as it can take the account back.
 */
export function undoNotice({
  clock,
  frames,
  notices,
  sessionCache,
}: Dependencies): RpcHandler<typeof SecurityServiceDefinition.methods.undoNotice> {
  return async (request) => {
    const requester = readRequestingSession(request);
    if (!isId(request.noticeId)) throw noticeNotFound();
    const undone = await notices.undo(requester, request.noticeId, clock.now());
    switch (undone.outcome) {
      case 'unproven':
        throw proofRequired();
      case 'missing':
        throw noticeNotFound();
      case 'settled':
        throw createIdentityError('conflict', 'notice_settled', 'There is nothing left to undo.');
      case 'undone': {
        const { changes, endedTokenHashes } = undone;
        if (endedTokenHashes.length > 0) await sessionCache.forget(endedTokenHashes);
        await frames.send([requester.userId], { type: 'self_changed', data: {} });
        return { endedSessions: endedTokenHashes.length, undoneChanges: changes };
      }
    }
  };
}
