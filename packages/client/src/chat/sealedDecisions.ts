import type { ChangeResult, GroupChange } from '../keys/conversations/types.ts';
import type { ChatEngine } from './chatEngine.ts';

/** Decisions of the user about sealed conversations, apart from the engine, because the first screen needs none. */

type Engine = Pick<ChatEngine, 'internals'>;

/** Answers a question of a sealed conversation. What waited for it is sent. Rejects with the request's error. */
export async function answerQuestion(
  { internals: { core, sending } }: Engine,
  conversationId: string,
  questionId: string,
  isAccepted: boolean,
): Promise<void> {
  await (await core.sealed.load())?.standings.answer(conversationId, questionId, isAccepted);
  sending.flush();
}

/**
 * Signs changes of a group or of a timer. The body of the ordinary route takes `epoch`, if the result has one. Rejects
 * with the request's error.
 */
export async function changeGroup(
  { internals: { core } }: Engine,
  conversationId: string,
  changes: readonly GroupChange[],
): Promise<ChangeResult> {
  return (await core.sealed.load())?.standings.change(conversationId, changes) ?? { state: 'plain', withoutKeys: [] };
}
