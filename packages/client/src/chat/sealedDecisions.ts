import type { UnapprovedMessage } from '@nolo/api';
import type { ChangeResult, GroupChange } from '../keys/conversations/types.ts';
import type { ChatEngine } from './chatEngine.ts';
import { HeldError } from './heldError.ts';
import type { StoredMessage } from './rowOpening.ts';

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

/** Without keys, sealed drafts stay closed, and nobody can approve them. */
async function approvalsOf({ internals: { core } }: Engine) {
  const chats = await core.sealed.load();
  if (!chats) throw new HeldError({ state: 'blocked', reason: 'keys' });
  return chats.approvals;
}

/**
 * Returns sealed messages that wait for approval opened, in their order, as far as they open now: those of all authors
 * for an admin, their own for others. Ids are those of the drafts. Rejects with `HeldError` on a device without keys.
 */
export async function openHeldMessages(
  engine: Engine,
  conversationId: string,
  drafts: readonly UnapprovedMessage[],
): Promise<readonly StoredMessage[]> {
  return (await approvalsOf(engine)).open(conversationId, drafts);
}

/**
 * Approves a sealed message that waits, with a message of the user's own, or rejects it. Rejects with the request's
 * error, or with `HeldError` while the conversation takes nothing or the draft does not open.
 */
export async function decideHeldMessage(engine: Engine, draft: UnapprovedMessage, isApproved: boolean): Promise<void> {
  const approvals = await approvalsOf(engine);
  return isApproved ? approvals.approve(draft) : approvals.reject(draft);
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
