import { routes, type Self } from '@nolo/api';
import { createInternalError, isAppError } from '@nolo/kit/errors';
import type { RpcCallOptions } from '@nolo/kit/rpc';
import type { SignInReply } from '@nolo/proto/identity';
import { defaultPrivacySettings } from '@nolo/rules';
import type { Response } from 'express';
import { createGatewayError, type InputIssue } from '../errors.ts';
import type { GatewayContext } from '../gatewayContext.ts';
import type { BindRoute } from '../http/routeBinder.ts';
import { verificationCookieOptions, createDeviceCookies, type DeviceCookies } from '../http/deviceCookies.ts';
import { endSessionQuietly, requireSession } from '../http/browserSession.ts';
import type { RequestActor } from '../http/sessionAuthenticator.ts';
import { toSelf } from '../mapping/people.ts';
import { composeSelf } from '../mapping/selfReply.ts';

// Wording from spec section 5.
const phoneRequired = () => createGatewayError('invalid', 'phone_number_required', 'Please enter a valid phone number');
const codeRequired = () =>
  createGatewayError('invalid', 'verification_code_required', 'Please enter the verification code');

const sessionRequired = () => createGatewayError('unauthenticated', 'session_required', 'You are not signed in.');

function explain(issues: readonly InputIssue[]) {
  if (issues.some(({ field }) => field === 'phoneNumber')) return phoneRequired();
  if (issues.some(({ field }) => field === 'code')) return codeRequired();
  return undefined;
}

export function bindVerification(
  bind: BindRoute,
  context: Pick<
    GatewayContext,
    'config' | 'publicUrl' | 'identity' | 'sessions' | 'chat' | 'calls' | 'log' | 'mailCodes'
  >,
): void {
  const deviceCookies = createDeviceCookies(context, verificationCookieOptions);

  bind(
    routes.sendCode,
    async ({ body, device, rpc, request, response }) => {
      if (body.phoneNumber.trim() === '') throw phoneRequired();
      const cookie = deviceCookies.of(request.headers);
      deviceCookies.give(response, cookie);
      const { phoneNumber, validSeconds } = await context.identity.sendCode(
        {
          phoneNumber: body.phoneNumber,
          device: { ...device, deviceCookie: cookie.id },
          challengeSolution: body.challengeSolution,
        },
        rpc,
      );
      return { success: true as const, message: 'Code sent successfully', phoneNumber, validSeconds };
    },
    { explain },
  );

  bind(
    routes.verifyCode,
    async ({ body, device: asks, rpc, request, response }) => {
      if (body.phoneNumber.trim() === '') throw phoneRequired();
      if (body.code.trim() === '') throw codeRequired();
      const device = { ...asks, deviceCookie: deviceCookies.read(request.headers)?.id };
      const current = await context.sessions.find(request.headers, rpc);
      const { phoneNumber, code, takeBack, invitation } = body;
      const given = { phoneNumber, code, device };
      if (body.link === true || body.prove === true) {
        // Linking or proving without a session would become a sign-in, which was not requested.
        if (!current) throw sessionRequired();
        const { userId: linkToUserId, sessionId } = current;
        const rpcFields =
          body.prove === true ? { proveSessionId: sessionId } : { linkToUserId, linkSessionId: sessionId };
        const reply = await context.identity.verifyCode({ ...given, ...rpcFields }, rpc);
        const message = body.prove === true ? 'Confirmed' : 'Phone number linked';
        const user = await composeSelfOrFallback(context, current, reply, rpc);
        return { success: true as const, message, token: null, user, created: false };
      }
      const signedIn = await context.identity.verifyCode({ ...given, takeBack, invitation }, rpc);
      return {
        ...(await beginSession(context, signedIn, current, { response, rpc })),
        message: signedIn.created ? 'Registration successful' : 'Signed in',
        created: signedIn.created,
      };
    },
    { explain },
  );

  bindMailCodes(bind, context, deviceCookies);
}

/** Routes for email codes, for people who lost their phone number. */
function bindMailCodes(
  bind: BindRoute,
  context: Pick<GatewayContext, 'sessions' | 'mailCodes' | 'identity' | 'chat' | 'calls' | 'log'>,
  deviceCookies: DeviceCookies,
): void {
  bind(routes.sendMailCode, async ({ body, device, rpc, request, response }) => {
    const cookie = deviceCookies.of(request.headers);
    deviceCookies.give(response, cookie);
    const { email, challengeSolution } = body;
    const rpcFields = { email, device: { ...device, deviceCookie: cookie.id }, challengeSolution };
    const current = body.link === true ? await context.sessions.find(request.headers, rpc) : undefined;
    if (body.link === true && !current) throw sessionRequired();
    const linking = current && { linkToUserId: current.userId, linkSessionId: current.sessionId };
    const { validSeconds = 0 } = await context.mailCodes.sendMailCode({ ...rpcFields, ...linking }, rpc);
    return { success: true as const, message: 'Code sent successfully', validSeconds };
  });

  bind(
    routes.verifyMailCode,
    async ({ body, device: asks, rpc, request, response }) => {
      if (body.code.trim() === '') throw codeRequired();
      const { email, code, link, prove } = body;
      const given = { email, code, device: { ...asks, deviceCookie: deviceCookies.read(request.headers)?.id } };
      const current = await context.sessions.find(request.headers, rpc);
      if (link === true || prove === true) {
        if (!current) throw sessionRequired();
        const { userId: linkToUserId, sessionId } = current;
        const rpcFields = prove === true ? { proveSessionId: sessionId } : { linkToUserId, linkSessionId: sessionId };
        const reply = await context.mailCodes.verifyMailCode({ ...given, ...rpcFields }, rpc);
        const message = prove === true ? 'Confirmed' : 'Email address linked';
        return {
          success: true as const,
          message,
          token: null,
          user: await composeSelfOrFallback(context, current, reply, rpc),
        };
      }
      const signedIn = await context.mailCodes.verifyMailCode(given, rpc);
      return { ...(await beginSession(context, signedIn, current, { response, rpc })), message: 'Signed in' };
    },
    { explain },
  );
}

/** Composes the account even if chat is down: the code is already used up, so the sign-in must succeed. */
export async function composeSelfOrFallback(
  context: Pick<GatewayContext, 'identity' | 'chat' | 'calls'>,
  { sessionId }: { sessionId: string },
  { self }: SignInReply,
  rpc: RpcCallOptions,
): Promise<Self> {
  if (!self) throw createInternalError(new Error('identity did not return who signed in.'));
  try {
    return await composeSelf(context, { userId: self.id, sessionId }, rpc, self);
  } catch (error) {
    if (!isAppError(error) || error.kind !== 'unavailable') throw error;
    // Uses the defaults of new accounts; the next page load queries chat again.
    return toSelf(self, { ...defaultPrivacySettings, keepArchived: false }, sessionId);
  }
}

/** Sends the browser the session of a completed sign-in and confirms it. */
export async function beginSession(
  context: Pick<GatewayContext, 'sessions' | 'log' | 'identity' | 'chat' | 'calls'>,
  signedIn: SignInReply,
  current: RequestActor | undefined,
  { response, rpc }: { response: Response; rpc: RpcCallOptions },
) {
  const { token, sessionId } = requireSession(signedIn);
  context.sessions.begin(response, token, signedIn.expiresAt);
  // A browser has one session: the new one ends the previous one.
  if (current?.via === 'cookie') await endSessionQuietly(context, current, rpc);
  return { success: true as const, token, user: await composeSelfOrFallback(context, { sessionId }, signedIn, rpc) };
}
