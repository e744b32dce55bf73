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
export type VerifyCode = (body: Body<Routes['verifyCode']>) => Promise<Reply<Routes['verifyCode']>>;

/** Sends a code to a phone number. Where work is asked for first, it is done, which takes a second or a few. */
export const sendCode: SendCode = async (body) => {
  const path = '/api/verification/send';
  try {
    return await post(path, body);
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'challenge_required') throw error;
    const { solveChallenge } = await import('./solveChallenge.ts');
    return await post(path, { ...body, challengeSolution: await solveChallenge(error.details['challenge']) });
  }
};

/** Signs in with a code, or links its number to the account that is signed in. */
export const verifyCode: VerifyCode = (body) => post('/api/verification/verify', body);
