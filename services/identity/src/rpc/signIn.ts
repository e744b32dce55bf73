import { newId, type SessionId, type UserId } from '@nolo/kit/ids';
import type {
  Device,
  SendCodeReply,
  SendCodeRequest,
  SignInReply,
  SignInWithProviderRequest,
  VerifyCodeRequest,
} from '@nolo/proto/identity';
import { cleanName, cutText, limits, type RegistrationPolicy } from '@nolo/rules';
import { getNumberPrefix } from '../domain/phoneNumbers.ts';
import type { IdentityLinkOutcome, NewSession, ProviderIdentity, SignInResult, SignInMethod } from '../domain/ports.ts';
import type { RequestingSession } from '../domain/securityPorts.ts';
import { hashToken, truncateNetwork, newToken, sessionLifetimeMs } from '../domain/sessions.ts';
import { computeUndoWindowEnd } from '../domain/undoWindow.ts';
import { createCodeExpiredError, parsePhoneNumberOrThrow } from '../domain/codeVerification.ts';
import { createIdentityError } from '../errors.ts';
import { createUnknownBrowserAdmission } from './unknownBrowserAdmission.ts';
import type { Dependencies } from './dependencies.ts';
import { secondFactorRequired } from './factorErrors.ts';
import { identityLimitReached, proofMismatch, proofRequired, readSessionId, sessionInvalid } from './proofErrors.ts';
import { toLinkedSignInReply, toSelf } from './replies.ts';
import {
  readDeviceAddress,
  readCodeRequester,
  readDeviceLanguage,
  readUserAgent,
  readUserId,
  userNotFound,
} from './requests.ts';

/** Creates a token and the session to store. Shared by all sign-in methods. */
export function createSessionWithToken(
  { clock, placeOf }: Pick<Dependencies, 'clock' | 'placeOf'>,
  method: SignInMethod,
  device: Device | undefined,
  idToken: string | null,
): { token: string; session: NewSession } {
  const token = newToken();
  const now = clock.now();
  const address = readDeviceAddress(device);
  return {
    token,
    session: {
      id: newId<SessionId>(),
      tokenHash: hashToken(token),
      method,
      userAgent: readUserAgent(device),
      network: truncateNetwork(address),
      place: placeOf(address),
      language: readDeviceLanguage(device?.language),
      idToken,
      createdAt: now,
      expiresAt: new Date(now.getTime() + sessionLifetimeMs),
    },
  };
}

/** Completes a committed sign-in and returns the reply. */
export async function completeSignIn(
  dependencies: Dependencies,
  { token, session }: { token: string; session: NewSession },
  signedIn: SignInResult,
): Promise<SignInReply> {
  if (signedIn.endedTokenHashes.length > 0) await dependencies.sessionCache.forget(signedIn.endedTokenHashes);
  dependencies.metrics.signIns.inc({ method: session.method, outcome: signedIn.created ? 'created' : 'known' });
  const account = await dependencies.accounts.find(signedIn.userId);
  // Deleted from another device just after the commit.
  if (!account) throw userNotFound();
  return {
    token,
    sessionId: session.id,
    expiresAt: session.expiresAt,
    self: toSelf(account),
    created: signedIn.created,
  };
}

/** Returns the error for a person who may not create an account under the operators' settings. */
function notAdmitted(registration: RegistrationPolicy) {
  if (registration === 'closed')
    return createIdentityError('forbidden', 'registration_closed', 'Sign-ups are closed at the moment.');
  const words = 'New accounts are only for people in someone’s contacts here, or invited by email.';
  return createIdentityError('forbidden', 'registration_invited', words);
}

/**
 * Sends a code by text message. Never checks whether the number has an account, so the response cannot reveal it
 * (decision 4).
 */
export function sendCode(dependencies: Dependencies) {
  const { codes, verification } = dependencies;
  const admitStranger = createUnknownBrowserAdmission(dependencies);

  return async (request: SendCodeRequest): Promise<SendCodeReply> => {
    const phoneNumber = parsePhoneNumberOrThrow(request.phoneNumber);
    const asker = readCodeRequester(codes, request.device);
    const known = await verification.isKnown(phoneNumber, asker);
    if (!known) await admitStranger(request, codes.numberHash(phoneNumber), getNumberPrefix(phoneNumber));
    await verification.send(phoneNumber, { asker, known, language: readDeviceLanguage(request.device?.language) });
    return { validSeconds: limits.verificationCodeValidSeconds, phoneNumber };
  };
}

type VerifyCodeDeps = Dependencies;

/** Returns the error for refused linking. `taken` is excluded because its message depends on the sign-in method. */
function refuseLink(outcome: Exclude<IdentityLinkOutcome, 'linked' | 'taken'>) {
  return outcome === 'unproven' ? proofRequired() : identityLimitReached();
}

/** Builds the error that asks whether to sign in with this number or take back its former account. */
function numberReplaced(replacedAt: Date) {
  return createIdentityError('conflict', 'number_replaced', 'This number belonged to an account until recently.', {
    replacedAt: replacedAt.toISOString(),
    takeBackUntil: computeUndoWindowEnd(replacedAt).toISOString(),
  });
}

async function readOwnAccount(accounts: VerifyCodeDeps['accounts'], userId: UserId): Promise<SignInReply> {
  const account = await accounts.find(userId);
  if (!account) throw userNotFound();
  return toLinkedSignInReply(account);
}

export function verifyCode(dependencies: VerifyCodeDeps) {
  const { accounts, clock, frames, limiter, metrics, proofs, signIns, verification } = dependencies;

  const check = ({ code, device }: VerifyCodeRequest, phoneNumber: string) =>
    verification.check(phoneNumber, code, readCodeRequester(dependencies.codes, device));

  const link = async (request: VerifyCodeRequest, phoneNumber: string): Promise<SignInReply> => {
    const userId = readUserId(request.linkToUserId ?? '');
    const requester: RequestingSession = { userId, sessionId: readSessionId(request.linkSessionId) };
    // Checked before the code is compared, so the code remains valid after the proof.
    if (!(await proofs.isProven(requester, clock.now()))) throw proofRequired();
    const code = await check(request, phoneNumber);
    const outcome = await signIns.linkPhone(code, requester, clock.now());
    if (outcome === 'code_used') throw createCodeExpiredError();
    if (outcome === 'taken')
      throw createIdentityError('conflict', 'phone_taken', 'This number belongs to another account.');
    if (outcome !== 'linked') throw refuseLink(outcome);
    await frames.send([userId], { type: 'self_changed', data: {} });
    return readOwnAccount(accounts, userId);
  };

  const prove = async (request: VerifyCodeRequest, phoneNumber: string): Promise<SignInReply> => {
    const sessionId = readSessionId(request.proveSessionId);
    const owner = await proofs.ownerByPhone(sessionId, phoneNumber, clock.now());
    if (owner === 'session_missing') throw sessionInvalid();
    if (owner === 'mismatch') throw proofMismatch();
    const code = await check(request, phoneNumber);
    const outcome = await proofs.byCode(code, 'phone', sessionId, clock.now());
    if (outcome === 'code_used') throw createCodeExpiredError();
    if (outcome === 'session_missing') throw sessionInvalid();
    return readOwnAccount(accounts, owner);
  };

  const signIn = async (request: VerifyCodeRequest, phoneNumber: string): Promise<SignInReply> => {
    const code = await check(request, phoneNumber);
    const begun = createSessionWithToken(dependencies, 'phone', request.device, null);
    const ticket = newToken();
    const { takeBack, invitation } = request;
    const brought = { ticketHash: hashToken(ticket), invitationHash: invitation ? hashToken(invitation) : undefined };
    const signedIn = await signIns.byPhone(code, begun.session, takeBack, brought);
    if (signedIn.outcome === 'code_used') throw createCodeExpiredError();
    if (signedIn.outcome === 'factor_needed') {
      metrics.secondFactor.inc({ event: 'asked' });
      throw secondFactorRequired(ticket, signedIn, begun.session.createdAt);
    }
    if (signedIn.outcome === 'replaced') throw numberReplaced(signedIn.replacedAt);
    if (signedIn.outcome === 'not_admitted') throw notAdmitted(dependencies.registration());
    if (signedIn.factorless) metrics.secondFactor.inc({ event: 'wait_over' });
    return completeSignIn(dependencies, begun, signedIn);
  };

  return async (request: VerifyCodeRequest): Promise<SignInReply> => {
    const phoneNumber = parsePhoneNumberOrThrow(request.phoneNumber);
    await limiter.consume('codeChecksPerAddress', readDeviceAddress(request.device));
    if (request.proveSessionId !== undefined) return prove(request, phoneNumber);
    return request.linkToUserId ? link(request, phoneNumber) : signIn(request, phoneNumber);
  };
}

type ProviderDeps = Dependencies;

/** Maximum length of an address (RFC 5321, section 4.5.3.1.3). */
const longestEmail = 254;

function readIdentity(request: SignInWithProviderRequest): ProviderIdentity {
  const { issuer, subject } = request;
  // OpenID Connect Core limits a subject to 255 characters. NUL cannot be stored.
  if (issuer === '' || subject === '' || `${issuer}${subject}`.includes('\0') || subject.length > 255) {
    throw createIdentityError('invalid', 'provider_invalid', 'The sign-in provider did not return a usable identity.');
  }
  const { email: claimed = '', givenName = '', familyName = '' } = request;
  const email = claimed.length <= longestEmail && /^\S+@\S+$/.test(claimed) ? claimed : null;
  return {
    issuer,
    subject,
    email,
    verifiedEmail: request.emailVerified ? email : null,
    firstName: cutText(cleanName(givenName), limits.nameLength, 'codePoints'),
    lastName: cutText(cleanName(familyName), limits.nameLength, 'codePoints'),
  };
}

/** Signs in an identity from an ID token that the gateway has validated, or links it to an account. */
export function signInWithProvider(dependencies: ProviderDeps) {
  const ownAccount = async (userId: UserId): Promise<SignInReply> => {
    const account = await dependencies.accounts.find(userId);
    if (!account) throw userNotFound();
    return toLinkedSignInReply(account);
  };

  return async (request: SignInWithProviderRequest): Promise<SignInReply> => {
    const identity = readIdentity(request);
    const now = dependencies.clock.now();

    if (request.proveSessionId !== undefined) {
      const owner = await dependencies.proofs.byProvider(identity, readSessionId(request.proveSessionId), now);
      if (owner === 'session_missing') throw sessionInvalid();
      if (owner === 'mismatch') throw proofMismatch();
      return ownAccount(owner);
    }
    if (request.linkToUserId) {
      const userId = readUserId(request.linkToUserId);
      const requester = { userId, sessionId: readSessionId(request.linkSessionId) };
      const outcome = await dependencies.signIns.linkProvider(identity, requester, now);
      if (outcome === 'taken') {
        throw createIdentityError('conflict', 'provider_taken', 'This sign-in belongs to another account.');
      }
      if (outcome !== 'linked') throw refuseLink(outcome);
      await dependencies.frames.send([userId], { type: 'self_changed', data: {} });
      return ownAccount(userId);
    }

    const begun = createSessionWithToken(dependencies, 'provider', request.device, request.idToken || null);
    const signedIn = await dependencies.signIns.byProvider(identity, begun.session);
    if (signedIn === 'not_admitted') throw notAdmitted(dependencies.registration());
    return completeSignIn(dependencies, begun, signedIn);
  };
}
