import type { Body, Reply, routes } from '@nolo/api';
import { ApiError, request } from './request.ts';

type Routes = typeof routes;

/* Avoids `call`: the sign-in page has no room for the contract's schemas. */
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

/** Sends a request. If the server demands work before it sends a code, does that, which takes a few seconds. */
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

/** Sends a code to an email address, if the address opens an account or is to be added to one. */
export const sendMailCode: SendMailCode = (body) => send('/api/verification/mail/send', body);

/** Signs in with a code, or links its number to the signed-in account. */
export const verifyCode: VerifyCode = (body) => post('/api/verification/verify', body);

/** Signs in with a code sent by email, or links its address to the signed-in account. */
export const verifyMailCode: VerifyMailCode = (body) => post('/api/verification/mail/verify', body);
