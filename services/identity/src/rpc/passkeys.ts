import { parseActorId, isId } from '@nolo/kit/ids';
import type { RpcHandler } from '@nolo/kit/rpc';
import type { SignInReply } from '@nolo/proto/identity';
import type { PasskeyServiceDefinition, RelyingParty as SiteMessage } from '@nolo/proto/passkeys';
import { limits, cleanNameWithin } from '@nolo/rules';
import { createPasskeyRefusedError, type RelyingParty } from '../domain/passkeys.ts';
import { createIdentityError } from '../errors.ts';
import type { Dependencies } from './dependencies.ts';
import {
  identityLimitReached,
  proofMismatch,
  proofRequired,
  readRequestingSession,
  readSessionId,
  sessionInvalid,
} from './proofErrors.ts';
import { toLinkedSignInReply, toIdentity } from './replies.ts';
import { userNotFound } from './requests.ts';
import { createSessionWithToken, completeSignIn } from './signIn.ts';

function readSite(message: SiteMessage | undefined): RelyingParty {
  const { id = '', origins = [] } = message ?? {};
  if (id !== '' && origins.length > 0) return { id, origins };
  throw createIdentityError('invalid', 'invalid_request', 'The relying party is missing.', { field: 'relyingParty' });
}

function readName(text: string | undefined): string {
  const name = cleanNameWithin(text ?? '', { min: 1, max: limits.passkeyNameLength });
  if (name !== undefined) return name;
  throw createIdentityError('invalid', 'passkey_name_invalid', 'Give the passkey a name.', { field: 'name' });
}

const readOwner = ({
  actorId = '',
  sessionId = '',
}: {
  actorId?: string | undefined;
  sessionId?: string | undefined;
}) => readRequestingSession({ actorId, sessionId });

function refuseAdding(outcome: 'unproven' | 'limit' | 'taken') {
  switch (outcome) {
    case 'unproven':
      return proofRequired();
    case 'limit':
      return identityLimitReached();
    case 'taken':
      return createIdentityError('conflict', 'passkey_taken', 'This passkey already belongs to an account.');
  }
}

export function beginPasskey({
  accounts,
  clock,
  passkeyCeremonies,
  passkeys,
}: Dependencies): RpcHandler<typeof PasskeyServiceDefinition.methods.beginPasskey> {
  return async (request) => {
    const site = readSite(request.relyingParty);
    const requester = readOwner(request);
    const refused = await passkeys.refuse(requester, clock.now());
    if (refused) throw refuseAdding(refused);
    const account = await accounts.find(requester.userId);
    if (!account) throw userNotFound();
    const known = await passkeys.credentialsOf(requester.userId);
    return { options: await passkeyCeremonies.create(site, requester, account, known) };
  };
}

export function addPasskey({
  clock,
  frames,
  identities,
  passkeyCeremonies,
  passkeys,
  proofs,
}: Dependencies): RpcHandler<typeof PasskeyServiceDefinition.methods.addPasskey> {
  return async (request) => {
    const site = readSite(request.relyingParty);
    const requester = readOwner(request);
    const name = readName(request.name);
    // Checked before the challenge is used up, so the response remains valid after the proof.
    if (!(await proofs.isProven(requester, clock.now()))) throw proofRequired();
    const made = await passkeyCeremonies.created(site, requester, request.response ?? '');
    const outcome = await passkeys.add(requester, { ...made, name }, clock.now());
    if (outcome !== 'added') throw refuseAdding(outcome);
    await frames.send([requester.userId], { type: 'self_changed', data: {} });
    const added = (await identities.list(requester.userId)).find(({ id }) => id === made.id);
    // Removed from another device just after the commit.
    if (!added) throw identityNotFound();
    return toIdentity(added);
  };
}

const identityNotFound = () =>
  createIdentityError('not_found', 'identity_not_found', 'This sign-in method was not found.');

export function renamePasskey({
  frames,
  passkeys,
}: Dependencies): RpcHandler<typeof PasskeyServiceDefinition.methods.renamePasskey> {
  return async ({ actorId = '', identityId, name }) => {
    const actor = parseActorId(actorId);
    const called = readName(name);
    if (!isId(identityId) || !(await passkeys.rename(actor, identityId, called))) throw identityNotFound();
    await frames.send([actor], { type: 'self_changed', data: {} });
    return {};
  };
}

export function beginPasskeySignIn({
  clock,
  passkeyCeremonies,
  passkeys,
  proofs,
}: Dependencies): RpcHandler<typeof PasskeyServiceDefinition.methods.beginPasskeySignIn> {
  return async ({ relyingParty, proveSessionId }) => {
    const site = readSite(relyingParty);
    if (proveSessionId === undefined)
      return { options: await passkeyCeremonies.createSignInOptions(site, { is: 'signIn' }, []) };
    const sessionId = readSessionId(proveSessionId);
    const userId = await proofs.ownerOf(sessionId, clock.now());
    if (!userId) throw sessionInvalid();
    const allowed = await passkeys.credentialsOf(userId);
    return { options: await passkeyCeremonies.createSignInOptions(site, { is: 'prove', userId, sessionId }, allowed) };
  };
}

export function signInWithPasskey(
  dependencies: Dependencies,
): RpcHandler<typeof PasskeyServiceDefinition.methods.signInWithPasskey> {
  const { accounts, clock, passkeyCeremonies, passkeys, proofs } = dependencies;

  const prove = async (site: RelyingParty, response: string, proveSessionId: string): Promise<SignInReply> => {
    const sessionId = readSessionId(proveSessionId);
    const userId = await proofs.ownerOf(sessionId, clock.now());
    if (!userId) throw sessionInvalid();
    const used = await passkeyCeremonies.answered(
      site,
      response,
      (purpose) => purpose.is === 'prove' && purpose.sessionId === sessionId,
      (credentialId) => passkeys.find(credentialId),
    );
    if (used.passkey.userId !== userId) throw proofMismatch();
    const outcome = await passkeys.prove(used, sessionId, clock.now());
    if (outcome === 'stale') throw createPasskeyRefusedError();
    if (outcome === 'session_missing') throw sessionInvalid();
    const account = await accounts.find(userId);
    if (!account) throw userNotFound();
    return toLinkedSignInReply(account);
  };

  return async ({ relyingParty, response = '', device, proveSessionId }) => {
    const site = readSite(relyingParty);
    if (proveSessionId !== undefined) return prove(site, response, proveSessionId);
    const used = await passkeyCeremonies.answered(
      site,
      response,
      (purpose) => purpose.is === 'signIn',
      (credentialId) => passkeys.find(credentialId),
    );
    const begun = createSessionWithToken(dependencies, 'passkey', device, null);
    const signedIn = await passkeys.signIn(used, begun.session);
    if (signedIn === 'stale') throw createPasskeyRefusedError();
    return completeSignIn(dependencies, begun, signedIn);
  };
}
