import type { UserId } from '@nolo/kit/ids';
import type { SignInReply, VerifyCodeRequest } from '@nolo/proto/identity';
import { failIdentity } from '../errors.ts';
import type { Linked } from '../domain/ports.ts';
import type { Asking } from '../domain/securityPorts.ts';
import { takeBackUntil } from '../domain/takeBack.ts';
import { codeExpired } from '../domain/verification.ts';
import { newSession, signInReply } from './beginSession.ts';
import type { RpcDeps } from './deps.ts';
import { identityLimit, proofMismatch, proofRequired, readSessionId, sessionInvalid } from './proofErrors.ts';
import { linkedReply } from './replies.ts';
import { readAddress, readAsker, readUserId, userNotFound } from './requests.ts';

type Deps = Pick<
  RpcDeps,
  | 'accounts'
  | 'clock'
  | 'codes'
  | 'frames'
  | 'limiter'
  | 'metrics'
  | 'proofs'
  | 'sessionCache'
  | 'signIns'
  | 'verification'
>;

/** Where linking was refused, why; `taken` has other words for each way to sign in. */
export function refuseLink(outcome: Exclude<Linked, 'linked' | 'taken'>) {
  return outcome === 'unproven' ? proofRequired() : identityLimit();
}

/** Somebody will sign in with this number, or take back what it belonged to: the person says which. */
function numberReplaced(replacedAt: Date) {
  return failIdentity('conflict', 'number_replaced', 'This number belonged to an account until a short while ago.', {
    replacedAt: replacedAt.toISOString(),
    takeBackUntil: takeBackUntil(replacedAt).toISOString(),
  });
}

export function verifyCode(deps: Deps) {
  const { accounts, clock, frames, limiter, proofs, signIns, verification } = deps;

  const ownAccount = async (userId: UserId): Promise<SignInReply> => {
    const account = await accounts.find(userId);
    if (!account) throw userNotFound();
    return linkedReply(account);
  };

  const link = async (request: VerifyCodeRequest, phoneNumber: string): Promise<SignInReply> => {
    const userId = readUserId(request.linkToUserId);
    const asking: Asking = { userId, sessionId: readSessionId(request.linkSessionId) };
    // Asked before the code is compared, so that it is still good once the proof is there.
    if (!(await proofs.isProven(asking, clock.now()))) throw proofRequired();
    const code = await verification.check(phoneNumber, request.code, readAsker(deps.codes, request.device));
    const outcome = await signIns.linkPhone(code, asking, clock.now());
    if (outcome === 'code_used') throw codeExpired();
    if (outcome === 'taken') throw failIdentity('conflict', 'phone_taken', 'This number belongs to another account.');
    if (outcome !== 'linked') throw refuseLink(outcome);
    await frames.send([userId], { type: 'self_changed', data: {} });
    return ownAccount(userId);
  };

  const prove = async (request: VerifyCodeRequest, phoneNumber: string): Promise<SignInReply> => {
    const sessionId = readSessionId(request.proveSessionId);
    const owner = await proofs.ownerByPhone(sessionId, phoneNumber, clock.now());
    if (owner === 'session_missing') throw sessionInvalid();
    if (owner === 'mismatch') throw proofMismatch();
    const code = await verification.check(phoneNumber, request.code, readAsker(deps.codes, request.device));
    const outcome = await proofs.byCode(code, sessionId, clock.now());
    if (outcome === 'code_used') throw codeExpired();
    if (outcome === 'session_missing') throw sessionInvalid();
    return ownAccount(owner);
  };

  const signIn = async (request: VerifyCodeRequest, phoneNumber: string): Promise<SignInReply> => {
    const code = await verification.check(phoneNumber, request.code, readAsker(deps.codes, request.device));
    const begun = newSession(clock.now(), 'phone', request.device, null);
    const signedIn = await signIns.byPhone(code, begun.session, request.takeBack);
    if (signedIn.outcome === 'code_used') throw codeExpired();
    if (signedIn.outcome === 'replaced') throw numberReplaced(signedIn.replacedAt);
    return signInReply(deps, begun, signedIn);
  };

  return async (request: VerifyCodeRequest): Promise<SignInReply> => {
    const phoneNumber = verification.readNumber(request.phoneNumber);
    await limiter.consume('codeChecksPerAddress', readAddress(request.device));
    if (request.proveSessionId !== undefined) return prove(request, phoneNumber);
    return request.linkToUserId === '' ? signIn(request, phoneNumber) : link(request, phoneNumber);
  };
}
