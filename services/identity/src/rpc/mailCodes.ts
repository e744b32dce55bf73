import { isAppError } from '@nolo/kit/errors';
import type { UserId } from '@nolo/kit/ids';
import type { RpcHandler } from '@nolo/kit/rpc';
import type { SignInReply } from '@nolo/proto/identity';
import type { MailCodeServiceDefinition, VerifyMailCodeRequest } from '@nolo/proto/mailCodes';
import { limits } from '@nolo/rules';
import { normalizeMailAddress, parseMailAddress } from '../domain/mailAddresses.ts';
import type { RequestingSession } from '../domain/securityPorts.ts';
import { hashToken, newToken } from '../domain/sessions.ts';
import {
  createCodeExpiredError,
  createMailUnavailableError,
  createSendsLimitedError,
} from '../domain/codeVerification.ts';
import { createIdentityError } from '../errors.ts';
import type { Dependencies } from './dependencies.ts';
import { secondFactorRequired } from './factorErrors.ts';
import { proofMismatch, proofRequired, readSessionId, sessionInvalid } from './proofErrors.ts';
import { toLinkedSignInReply } from './replies.ts';
import { readDeviceAddress, readCodeRequester, readDeviceLanguage, readUserId, userNotFound } from './requests.ts';
import { createSessionWithToken, completeSignIn } from './signIn.ts';
import { createUnknownBrowserAdmission } from './unknownBrowserAdmission.ts';

type Rpc = (typeof MailCodeServiceDefinition)['methods'];

function readMail(typed = ''): string {
  const address = parseMailAddress(typed);
  if (address !== undefined) return address;
  throw createIdentityError('invalid', 'mail_address_invalid', 'Please enter a valid email address.');
}

/** Returns the session whose account gets an address. Requires proof before any code is sent. */
async function readLinking(
  { clock, proofs }: Dependencies,
  { linkToUserId = '', linkSessionId }: { linkToUserId?: string | undefined; linkSessionId?: string | undefined },
): Promise<RequestingSession> {
  const requester: RequestingSession = { userId: readUserId(linkToUserId), sessionId: readSessionId(linkSessionId) };
  if (!(await proofs.isProven(requester, clock.now()))) throw proofRequired();
  return requester;
}

/** Sends a code by email. Does not check for an account before responding, so the response reveals nothing. */
export function sendMailCode(dependencies: Dependencies): RpcHandler<Rpc['sendMailCode']> {
  const { codes, limiter, mailVerification } = dependencies;
  const admitStranger = createUnknownBrowserAdmission(dependencies);
  return async (request) => {
    if (!mailVerification) throw createMailUnavailableError();
    const { device } = request;
    const email = readMail(request.email);
    const key = normalizeMailAddress(email);
    const asker = readCodeRequester(codes, device);
    const known = await mailVerification.isKnown(key, asker);
    const addressee = { asker, known, language: readDeviceLanguage(device?.language) };
    if (request.linkToUserId === undefined) {
      if (!known) await admitStranger(request, codes.numberHash(key));
      await mailVerification.send(key, addressee);
    } else {
      const { userId } = await readLinking(dependencies, request);
      await limiter.consume('mailCodesPerUserDay', userId).catch((error: unknown) => {
        if (!isAppError(error) || error.kind !== 'rate_limited') throw error;
        throw createSendsLimitedError(error.retryAfterMs ?? 60_000);
      });
      await mailVerification.send(key, { ...addressee, newMail: email });
    }
    return { validSeconds: limits.verificationCodeValidSeconds };
  };
}

export function verifyMailCode(dependencies: Dependencies): RpcHandler<Rpc['verifyMailCode']> {
  const { accounts, clock, codes, frames, limiter, mailAddresses, mailVerification, metrics, proofs, signIns } =
    dependencies;

  const ownAccount = async (userId: UserId): Promise<SignInReply> => {
    const account = await accounts.find(userId);
    if (!account) throw userNotFound();
    return toLinkedSignInReply(account);
  };
  const check = (email: string, { code = '', device }: VerifyMailCodeRequest) => {
    if (!mailVerification) throw createMailUnavailableError();
    return mailVerification.check(normalizeMailAddress(email), code, readCodeRequester(codes, device));
  };

  const link = async (request: VerifyMailCodeRequest, email: string): Promise<SignInReply> => {
    const requester = await readLinking(dependencies, request);
    const outcome = await mailAddresses.link(await check(email, request), email, requester, clock.now());
    if (outcome === 'code_used') throw createCodeExpiredError();
    // Disclosed only to someone who can read email sent to that address.
    if (outcome === 'taken')
      throw createIdentityError('conflict', 'mail_taken', 'This email address belongs to another account.');
    if (outcome === 'unproven') throw proofRequired();
    await frames.send([requester.userId], { type: 'self_changed', data: {} });
    return ownAccount(requester.userId);
  };

  const prove = async (request: VerifyMailCodeRequest, email: string): Promise<SignInReply> => {
    const sessionId = readSessionId(request.proveSessionId);
    const owner = await proofs.ownerByMail(sessionId, normalizeMailAddress(email), clock.now());
    if (owner === 'session_missing') throw sessionInvalid();
    if (owner === 'mismatch') throw proofMismatch();
    const outcome = await proofs.byCode(await check(email, request), 'mail', sessionId, clock.now());
    if (outcome === 'code_used') throw createCodeExpiredError();
    if (outcome === 'session_missing') throw sessionInvalid();
    return ownAccount(owner);
  };

  const signIn = async (request: VerifyMailCodeRequest, email: string): Promise<SignInReply> => {
    const code = await check(email, request);
    const begun = createSessionWithToken(dependencies, 'mail', request.device, null);
    const ticket = newToken();
    const signedIn = await signIns.byMail(code, begun.session, hashToken(ticket));
    if (signedIn.outcome === 'code_used') throw createCodeExpiredError();
    if (signedIn.outcome === 'factor_needed') {
      metrics.secondFactor.inc({ event: 'asked' });
      throw secondFactorRequired(ticket, signedIn, begun.session.createdAt);
    }
    if (signedIn.factorless) metrics.secondFactor.inc({ event: 'wait_over' });
    return completeSignIn(dependencies, begun, signedIn);
  };

  return async (request) => {
    const email = readMail(request.email);
    await limiter.consume('codeChecksPerAddress', readDeviceAddress(request.device));
    if (request.proveSessionId !== undefined) return prove(request, email);
    return request.linkToUserId === undefined ? signIn(request, email) : link(request, email);
  };
}
