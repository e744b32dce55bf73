import type { SignInReply, VerifyCodeRequest } from '@nolo/proto/identity';
import { failIdentity } from '../errors.ts';
import { codeExpired } from '../domain/verification.ts';
import { newSession, signInReply } from './beginSession.ts';
import type { RpcDeps } from './deps.ts';
import { linkedReply } from './replies.ts';
import { readAddress, readAsker, readUserId, userNotFound } from './requests.ts';

type Deps = Pick<
  RpcDeps,
  'accounts' | 'clock' | 'codes' | 'frames' | 'limiter' | 'metrics' | 'sessionCache' | 'signIns' | 'verification'
>;

export function verifyCode(deps: Deps) {
  return async (request: VerifyCodeRequest): Promise<SignInReply> => {
    const phoneNumber = deps.verification.readNumber(request.phoneNumber);
    const linkTo = request.linkToUserId === '' ? undefined : readUserId(request.linkToUserId);
    await deps.limiter.consume('codeChecksPerAddress', readAddress(request.device));
    const code = await deps.verification.check(phoneNumber, request.code, readAsker(deps.codes, request.device));
    const now = deps.clock.now();

    if (linkTo) {
      const outcome = await deps.signIns.linkPhone(code, linkTo, now);
      if (outcome === 'code_used') throw codeExpired();
      if (outcome === 'taken') {
        throw failIdentity('conflict', 'phone_taken', 'This number belongs to another account.');
      }
      const account = outcome === 'linked' ? await deps.accounts.find(linkTo) : undefined;
      if (!account) throw userNotFound();
      await deps.frames.send([linkTo], { type: 'self_changed', data: {} });
      return linkedReply(account);
    }

    const begun = newSession(now, 'phone', request.device, null);
    const signedIn = await deps.signIns.byPhone(code, begun.session);
    if (!signedIn) throw codeExpired();
    return signInReply(deps, begun, signedIn);
  };
}
