import type { UserId } from '@nolo/kit/ids';
import type { SignInReply, SignInWithProviderRequest } from '@nolo/proto/identity';
import { limits } from '@nolo/rules';
import { cutText } from '../domain/names.ts';
import type { ProviderIdentity } from '../domain/ports.ts';
import { failIdentity } from '../errors.ts';
import { newSession, signInReply } from './beginSession.ts';
import type { RpcDeps } from './deps.ts';
import { proofMismatch, readSessionId, sessionInvalid } from './proofErrors.ts';
import { linkedReply } from './replies.ts';
import { readUserId, userNotFound } from './requests.ts';
import { refuseLink } from './verifyCode.ts';

type Deps = Pick<RpcDeps, 'accounts' | 'clock' | 'frames' | 'metrics' | 'proofs' | 'sessionCache' | 'signIns'>;

/** Longer than any address may be (RFC 5321, section 4.5.3.1.3). */
const longestEmail = 254;

function readIdentity(request: SignInWithProviderRequest): ProviderIdentity {
  const { issuer, subject } = request;
  // OpenID Connect Core limits a subject to 255 characters; NUL cannot be stored.
  if (issuer === '' || subject === '' || `${issuer}${subject}`.includes('\0') || subject.length > 255) {
    throw failIdentity('invalid', 'provider_invalid', 'The sign-in provider gave no usable identity.');
  }
  const email = request.email.length <= longestEmail && /^\S+@\S+$/.test(request.email) ? request.email : null;
  return {
    issuer,
    subject,
    email,
    verifiedEmail: request.emailVerified ? email : null,
    firstName: cutText(request.givenName, limits.nameLength),
    lastName: cutText(request.familyName, limits.nameLength),
  };
}

/** The gateway has validated the id token; here the identity in it meets an account. */
export function signInWithProvider(deps: Deps) {
  const ownAccount = async (userId: UserId): Promise<SignInReply> => {
    const account = await deps.accounts.find(userId);
    if (!account) throw userNotFound();
    return linkedReply(account);
  };

  return async (request: SignInWithProviderRequest): Promise<SignInReply> => {
    const identity = readIdentity(request);
    const now = deps.clock.now();

    if (request.proveSessionId !== undefined) {
      const owner = await deps.proofs.byProvider(identity, readSessionId(request.proveSessionId), now);
      if (owner === 'session_missing') throw sessionInvalid();
      if (owner === 'mismatch') throw proofMismatch();
      return ownAccount(owner);
    }
    if (request.linkToUserId !== '') {
      const userId = readUserId(request.linkToUserId);
      const asking = { userId, sessionId: readSessionId(request.linkSessionId) };
      const outcome = await deps.signIns.linkProvider(identity, asking, now);
      if (outcome === 'taken') {
        throw failIdentity('conflict', 'provider_taken', 'This sign-in belongs to another account.');
      }
      if (outcome !== 'linked') throw refuseLink(outcome);
      await deps.frames.send([userId], { type: 'self_changed', data: {} });
      return ownAccount(userId);
    }

    const begun = newSession(now, 'provider', request.device, request.idToken || null);
    return signInReply(deps, begun, await deps.signIns.byProvider(identity, begun.session));
  };
}
