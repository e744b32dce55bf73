import type { Body, Reply, routes } from '@nolo/api';
import { ApiError, request } from './request.ts';

type Routes = typeof routes;

/* By hand and not through `call`: the sign-in page has no room for the contract's schemas. */
export async function post<R>(path: string, body: unknown): Promise<R> {
  const reply = await request(
    path,
    { method: 'POST', body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } },
    { silent: true },
  );
  return (await reply.json()) as R;
}

export type SendCode = (body: Body<Routes['sendCode']>) => Promise<Reply<Routes['sendCode']>>;
export type SendMailCode = (body: Body<Routes['sendMailCode']>) => Promise<Reply<Routes['sendMailCode']>>;
export type VerifyMailCode = (body: Body<Routes['verifyMailCode']>) => Promise<Reply<Routes['verifyMailCode']>>;
export type VerifyCode = (body: Body<Routes['verifyCode']>) => Promise<Reply<Routes['verifyCode']>>;

/** Where work is asked for before a code is sent, it is done, which takes a second or a few. */
async function send<R>(path: string, body: object): Promise<R> {
  try {
    return await post(path, body);
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'challenge_required') throw error;
    const { solveChallenge } = await import('./solveChallenge.ts');
    return await post(path, { ...body, challengeSolution: await solveChallenge(error.details['challenge']) });
  }
}

/** Sends a code to a phone number. */
export const sendCode: SendCode = (body) => send('/api/verification/send', body);

/** Sends a code to a mail address, if it opens an account or is to be one's own. */
export const sendMailCode: SendMailCode = (body) => send('/api/verification/mail/send', body);

/** Signs in with a code, or links its number to the account that is signed in. */
export const verifyCode: VerifyCode = (body) => post('/api/verification/verify', body);

/** The same by mail. */
export const verifyMailCode: VerifyMailCode = (body) => post('/api/verification/mail/verify', body);
