import type { SignInReply, SignInWithProviderRequest } from '@nolo/proto/identity';
import { limits } from '@nolo/rules';
import { cutText } from '../domain/names.ts';
import type { ProviderIdentity } from '../domain/ports.ts';
import { failIdentity } from '../errors.ts';
import { newSession, signInReply } from './beginSession.ts';
import type { RpcDeps } from './deps.ts';
import { linkedReply } from './replies.ts';
import { readUserId, userNotFound } from './requests.ts';

type Deps = Pick<RpcDeps, 'accounts' | 'clock' | 'frames' | 'metrics' | 'sessionCache' | 'signIns'>;

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
  return async (request: SignInWithProviderRequest): Promise<SignInReply> => {
    const identity = readIdentity(request);
    const now = deps.clock.now();

    if (request.linkToUserId !== '') {
      const linkTo = readUserId(request.linkToUserId);
      const outcome = await deps.signIns.linkProvider(identity, linkTo, now);
      if (outcome === 'taken') {
        throw failIdentity('conflict', 'provider_taken', 'This sign-in belongs to another account.');
      }
      const account = outcome === 'linked' ? await deps.accounts.find(linkTo) : undefined;
      if (!account) throw userNotFound();
      await deps.frames.send([linkTo], { type: 'self_changed', data: {} });
      return linkedReply(account);
    }

    const begun = newSession(now, 'provider', request.device, request.idToken || null);
    return signInReply(deps, begun, await deps.signIns.byProvider(identity, begun.session));
  };
}
