import { converse, messageTo, randomPhone, signUpByPhone } from '@nolo/testing';
import type { LoadStack } from './loadStack.ts';

const conversations = 20;
const messages = 60;

/** Last message of every conversation. */
export const newestMessageText = 'The newest words';

export interface UserWithChats {
  /** Session token, for a browser's cookie. */
  token: string;
  /** Id of the conversation with 60 messages, among 20. */
  longest: string;
}

/** Creates a user with 20 conversations, the newest with 60 messages, to measure the app as it is in use. */
export async function createUserWithChats({
  url,
  liftLimits,
}: Pick<LoadStack, 'url' | 'liftLimits'>): Promise<UserWithChats> {
  const me = await signUpByPhone(url, randomPhone(), 'Ada Adams');
  const lifted = await liftLimits([me.id]);
  let longest = '';
  for (let index = 0; index < conversations; index += 1) {
    const other = await signUpByPhone(url, randomPhone(), `Ben Botha ${index}`);
    const id = (await converse(me, other)).id as string;
    longest = id;
    const count = index === conversations - 1 ? messages : 2;
    for (let n = 1; n < count; n += 1) await me.api.post('/api/messages', messageTo(id, `Words number ${n}`));
    await me.api.post('/api/messages', messageTo(id, newestMessageText));
  }
  await lifted();
  return { token: me.api.token ?? '', longest };
}

/** Builds the cookies of a signed-in user. */
export function createSessionCookies(url: string, token: string) {
  return [
    { name: 'nolo_session', value: token, url, httpOnly: true, sameSite: 'Lax' as const },
    { name: 'nolo_signed_in', value: '1', url, sameSite: 'Lax' as const },
  ];
}
