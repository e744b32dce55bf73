import { converse, messageTo, randomPhone, signUpByPhone } from '@nolo/testing';
import type { LoadStack } from './loadStack.ts';

const conversations = 20;
const messages = 60;

/** What everybody finds who looks at the newest conversation. */
export const newestWords = 'The newest words';

export interface Chats {
  /** Of the session, for a browser's cookie. */
  token: string;
  /** The conversation with 60 messages, among 20. */
  longest: string;
}

/** Somebody with 20 conversations, whose newest has 60 messages, for looking at the app as it is in use. */
export async function fillChats({ url, liftLimits }: Pick<LoadStack, 'url' | 'liftLimits'>): Promise<Chats> {
  const me = await signUpByPhone(url, randomPhone(), 'Ada Adams');
  const lifted = await liftLimits([me.id]);
  let longest = '';
  for (let index = 0; index < conversations; index += 1) {
    const other = await signUpByPhone(url, randomPhone(), `Ben Botha ${index}`);
    const id = (await converse(me, other)).id as string;
    longest = id;
    const count = index === conversations - 1 ? messages : 2;
    for (let n = 1; n < count; n += 1) await me.api.post('/api/messages', messageTo(id, `Words number ${n}`));
    await me.api.post('/api/messages', messageTo(id, newestWords));
  }
  await lifted();
  return { token: me.api.token ?? '', longest };
}

/** The cookies of somebody who is signed in. */
export function cookiesOf(url: string, token: string) {
  return [
    { name: 'nolo_session', value: token, url, httpOnly: true, sameSite: 'Lax' as const },
    { name: 'nolo_signed_in', value: '1', url, sameSite: 'Lax' as const },
  ];
}
