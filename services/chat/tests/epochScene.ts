import type { SealedConversation, SealedPerson } from './epochFixtures.ts';
import { startChat, type TestChat } from './startChat.ts';

/** Service under test. Importing this file starts it. */
export let chat: TestChat;
beforeAll(async () => {
  chat = await startChat();
  // Epochs carry the time of this machine.
  chat.clock.advance(Date.now() - chat.clock.now().getTime());
});
afterAll(() => chat.stop());

export const stateOf = ({ id }: SealedConversation) =>
  chat
    .db('conversations')
    .where({ id })
    .first('epoch', 'sealed_from_seq', 'removal_pending', 'last_seq', 'last_change_seq');
export const listEpochs = (
  { id }: SealedConversation,
  { userId, sessionId }: SealedPerson,
  from = 0,
  withRoster = false,
) => chat.epochs.listEpochs({ actorId: userId, sessionId, conversationId: id, from, withRoster });
export const targetFor = ({ id }: SealedConversation, { userId }: SealedPerson) =>
  chat.epochs.getEpochTarget({ actorId: userId, conversationId: id });
export const framesTo = ({ userId }: SealedPerson, type: string) =>
  chat.framesTo(userId).flatMap((frame) => (frame.type === type ? [frame.data] : []));
