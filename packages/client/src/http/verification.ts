import type { RouteBody, RouteReply, routes } from '@nolo/api';
import type { SendRequest } from './request.ts';
import { ApiError } from './request.ts';

type Routes = typeof routes;

export type SendCode = (body: RouteBody<Routes['sendCode']>) => Promise<RouteReply<Routes['sendCode']>>;
export type SendMailCode = (body: RouteBody<Routes['sendMailCode']>) => Promise<RouteReply<Routes['sendMailCode']>>;
export type VerifyMailCode = (
  body: RouteBody<Routes['verifyMailCode']>,
) => Promise<RouteReply<Routes['verifyMailCode']>>;
export type VerifyCode = (body: RouteBody<Routes['verifyCode']>) => Promise<RouteReply<Routes['verifyCode']>>;

export interface Verification {
  /** Posts JSON to a path without the contract's schemas, which are too large for a sign-in page. */
  postJson<R>(path: string, body: unknown): Promise<R>;
  /** Sends a code to a phone number. */
  sendCode: SendCode;
  /** Sends a code to an email address, if the address opens an account or is to be added to one. */
  sendMailCode: SendMailCode;
  /** Signs in with a code, or links its number to the signed-in account. */
  verifyCode: VerifyCode;
  /** Signs in with a code sent by email, or links its address to the signed-in account. */
  verifyMailCode: VerifyMailCode;
}

/** Creates the requests that sign in with a code. */
export function createVerification(request: SendRequest): Verification {
  async function postJson<R>(path: string, body: unknown): Promise<R> {
    const reply = await request(
      path,
      { method: 'POST', body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } },
      { silent: true },
    );
    return (await reply.json()) as R;
  }

  /** Sends a request. If the server demands work before it sends a code, does that, which takes a few seconds. */
  async function send<R>(path: string, body: object): Promise<R> {
    try {
      return await postJson(path, body);
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'challenge_required') throw error;
      const { solveChallenge } = await import('./solveChallenge.ts');
      return await postJson(path, { ...body, challengeSolution: await solveChallenge(error.details['challenge']) });
    }
  }

  return {
    postJson,
    sendCode: (body) => send('/api/verification/send', body),
    sendMailCode: (body) => send('/api/verification/mail/send', body),
    verifyCode: (body) => postJson('/api/verification/verify', body),
    verifyMailCode: (body) => postJson('/api/verification/mail/verify', body),
  };
}
