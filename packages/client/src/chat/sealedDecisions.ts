import type { NewEpoch } from '@nolo/api';
import type { ChangeResult, GroupChange } from '../keys/conversations/types.ts';
import type { ChatEngine } from './chatEngine.ts';
import { hasCode, HeldError } from './heldError.ts';

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

/** Maximum signatures for one change, because other devices may begin epochs meanwhile. */
const maxSignings = 3;

/** Refusals after which a change is signed again: somebody began an epoch, or the members or settings changed. */
const isSignedInVain = (error: unknown): boolean =>
  ['encryption_required', 'epoch_stale', 'epoch_refused'].some((code) => hasCode(error, code));

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

/** Signs changes. A device without keys can sign nothing. */
const signChanges = (...change: Parameters<typeof changeGroup>): Promise<ChangeResult> =>
  changeGroup(...change).catch((error: unknown) => {
    if (hasCode(error, 'not_ready')) return { state: 'blocked', reason: 'keys' };
    throw error;
  });

/**
 * Changes a group or a timer by its ordinary route. Where the conversation is sealed, this device signs the changes,
 * and the epoch with them goes along.
 *
 * @param send calls the route. Its body takes `epoch`, if there is one
 * @throws HeldError if the conversation takes the change only signed, and cannot be signed for now; otherwise the
 *   request's error
 */
export async function changeByRoute<T>(
  engine: Engine,
  conversationId: string,
  changes: readonly GroupChange[],
  send: (body: { epoch?: NewEpoch }) => Promise<T>,
): Promise<T> {
  for (let signings = 1; ; signings += 1) {
    const signed = await signChanges(engine, conversationId, changes);
    try {
      return await send(signed.state === 'sealed' ? { epoch: signed.epoch } : {});
    } catch (error) {
      if (!isSignedInVain(error)) throw error;
      if (signed.state !== 'sealed' && signed.state !== 'plain') throw new HeldError(signed);
      if (signings >= maxSignings) {
        // A removal must not wait for anything. The next epoch says it.
        if (changes.every(({ kind }) => kind === 'remove')) return send({});
        throw error;
      }
      const { sealed } = engine.internals.core;
      await (await sealed.load())?.standings.lookAgain(conversationId);
    }
  }
}

/** Signs the user's own leave, as `leave` of the ordinary route. Null if nothing is sealed, or can be signed here. */
export async function signLeave({ internals: { core } }: Engine, conversationId: string): Promise<string | null> {
  const signed = core.conversations?.signLeave(conversationId) ?? null;
  // The leave counts without a signature too.
  return Promise.resolve(signed).catch(() => null);
}
