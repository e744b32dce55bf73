import { routes, type Self } from '@nolo/api';
import { call } from '../../api/httpClient.ts';
import { sendCode, verifyCode } from '../../api/verification.ts';
import { setPhoneMarker, setSessionMarker } from '../../session/sessionMarker.ts';
import { demoSecondPersonName } from './demoSecondWindow.ts';

interface Arrival {
  withId: string;
  number: string;
  /** Code that demo mode accepts for every number. */
  code: string;
  /** First message, if the conversation is empty. */
  hello: string;
}

/** Signs the second person in by number, like any user, and starts their conversation. Returns its address. */
export async function signInDemoSecondPerson({
  withId,
  number,
  code,
  hello,
}: Arrival): Promise<{ user: Self; path: string }> {
  await sendCode({ type: 'sms', phoneNumber: number });
  let { user } = await verifyCode({ type: 'sms', phoneNumber: number, code });
  setSessionMarker(localStorage);
  setPhoneMarker(localStorage, number);
  if (!user.profileComplete) user = await call(routes.updateProfile, { body: demoSecondPersonName });
  await call(routes.addContact, { body: { userId: withId } });
  const conversation = await call(routes.startConversation, { body: { otherUserId: withId } });
  if (conversation.lastMessage === null) {
    await call(routes.sendMessage, {
      body: { conversationId: conversation.id, content: hello, clientMessageId: crypto.randomUUID() },
    });
  }
  return { user, path: `/chat/${conversation.id}` };
}
