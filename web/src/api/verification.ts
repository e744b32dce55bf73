import type { Body, Reply, routes } from '@nolo/api';
import { request } from './request.ts';

type Routes = typeof routes;

/* By hand and not through `call`: the sign-in page has no room for the contract's schemas. */
async function post<R>(path: string, body: unknown): Promise<R> {
  const reply = await request(
    path,
    { method: 'POST', body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } },
    { silent: true },
  );
  return (await reply.json()) as R;
}

export type SendCode = (body: Body<Routes['sendCode']>) => Promise<Reply<Routes['sendCode']>>;
export type VerifyCode = (body: Body<Routes['verifyCode']>) => Promise<Reply<Routes['verifyCode']>>;

/** Sends a code to a phone number. */
export const sendCode: SendCode = (body) => post('/api/verification/send', body);

/** Signs in with a code, or links its number to the account that is signed in. */
export const verifyCode: VerifyCode = (body) => post('/api/verification/verify', body);
