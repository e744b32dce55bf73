import type { NewEpoch, UnapprovedMessage } from '@nolo/api';
import type { ChangeResult, GroupChange, InviteResult } from '../keys/conversations/types.ts';
import type { ChatEngine } from './chatEngine.ts';
import { toDraftRow } from './draftRow.ts';
import { hasCode, HeldError } from './heldError.ts';
import { openRow } from './rowForms.ts';
import type { StoredMessage } from './rowOpening.ts';
import { wasSealed } from './sealedRows.ts';

/** Decisions of the user about sealed conversations, apart from the engine, because the first screen needs none. */

type Engine = Pick<ChatEngine, 'internals'>;

/**
 * Returns the user's messages that wait because of a question about people who joined by the code, and these people.
 * Null for another question.
 */
function findHeldByJoined({ core }: Engine['internals'], conversationId: string, questionId: string) {
  const { pending } = core.store.getState().timelines[conversationId] ?? { pending: [] };
  let userIds: readonly string[] | null = null;
  const ids = pending.flatMap(({ clientMessageId, heldBy }) => {
    const asked = heldBy?.state === 'question' && heldBy.questions.find(({ id }) => id === questionId);
    if (!asked || asked.kind !== 'joined') return [];
    ({ userIds } = asked);
    return [clientMessageId];
  });
  return userIds === null ? null : { ids: new Set(ids), userIds: userIds as readonly string[] };
}

/**
 * Sends messages that waited for a yes about people who joined by the code, and were written before: the yes is the tap
 * that they need (docs/encryption.md, section 5, Sending). One that waits for other people too is asked about again.
 */
function sendAgreed(
  { core, sending }: Engine['internals'],
  conversationId: string,
  { ids, userIds }: { readonly ids: Set<string>; readonly userIds: readonly string[] },
): void {
  const { store } = core;
  const look = (): void => {
    const { pending } = store.getState().timelines[conversationId] ?? { pending: [] };
    for (const id of ids) {
      const heldBy = pending.find(({ clientMessageId }) => clientMessageId === id)?.heldBy;
      const isOnItsWay = pending.some(({ clientMessageId, state }) => clientMessageId === id && state !== 'failed');
      if (isOnItsWay && heldBy?.state !== 'written_before') continue;
      ids.delete(id);
      if (heldBy?.state === 'written_before' && heldBy.userIds.every((one) => userIds.includes(one)))
        sending.retry(conversationId, id);
    }
    if (ids.size === 0) stop();
  };
  const stop = store.subscribe(look);
  look();
}

/** Answers a question of a sealed conversation. What waited for it is sent. Rejects with the request's error. */
export async function answerQuestion(
  { internals }: Engine,
  conversationId: string,
  questionId: string,
  isAccepted: boolean,
): Promise<void> {
  const { core, sending } = internals;
  const held = isAccepted ? findHeldByJoined(internals, conversationId, questionId) : null;
  await (await core.sealed.load())?.standings.answer(conversationId, questionId, isAccepted);
  if (held) sendAgreed(internals, conversationId, held);
  sending.flush();
}

/**
 * Returns messages that wait for approval as rows, in their order, sealed ones opened as far as they open now: those of
 * all authors for an admin, their own for others. Ids are those of the drafts. Without keys, sealed ones wait. Rejects
 * with the request's error.
 */
export async function openHeldMessages(
  { internals: { core } }: Engine,
  conversationId: string,
  drafts: readonly UnapprovedMessage[],
): Promise<readonly StoredMessage[]> {
  const chats = await core.sealed.load();
  if (chats) return chats.approvals.open(conversationId, drafts);
  return drafts.map((draft) => {
    const row = toDraftRow(draft);
    return wasSealed(draft) ? openRow(row, { messageId: row.id, state: 'waiting' }) : row;
  });
}

/**
 * Approves a sealed message that waits, with a message of the user's own, or rejects it. Rejects with the request's
 * error, or with `HeldError` while the conversation takes nothing or the draft does not open.
 */
export async function decideHeldMessage(
  { internals: { core } }: Engine,
  draft: UnapprovedMessage,
  isApproved: boolean,
): Promise<void> {
  const chats = await core.sealed.load();
  if (!chats) throw new HeldError({ state: 'blocked', reason: 'keys' });
  return isApproved ? chats.approvals.approve(draft) : chats.approvals.reject(draft);
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
  return (await core.sealed.load())?.standings.change(conversationId, changes) ?? plain;
}

const plain = { state: 'plain', withoutKeys: [] } as const;

/** Maximum signatures for one change, because other devices may begin epochs meanwhile. */
const maxSignings = 3;

/** Refusals after which a change is signed again: somebody began an epoch, or the members or settings changed. */
const isSignedInVain = (error: unknown): boolean =>
  ['encryption_required', 'epoch_stale', 'epoch_refused'].some((code) => hasCode(error, code));

/**
 * Signs something and sends it, again if another device was faster.
 *
 * @param isSentAnyway true if the server takes it without a signature too
 * @throws HeldError if the conversation takes it only signed, and nothing can be signed now; otherwise the request's
 *   error
 */
async function sendSigned<S extends ChangeResult, T>(
  { internals: { core } }: Engine,
  conversationId: string,
  sign: () => Promise<S | ChangeResult>,
  send: (signed: S | null) => Promise<T>,
  isSentAnyway: boolean,
): Promise<T> {
  for (let signings = 1; ; signings += 1) {
    const signed = await sign().catch((error: unknown): ChangeResult => {
      // A device without keys can sign nothing.
      if (hasCode(error, 'not_ready')) return { state: 'blocked', reason: 'keys' };
      throw error;
    });
    try {
      return await send(signed.state === 'sealed' ? (signed as S) : null);
    } catch (error) {
      if (!isSignedInVain(error)) throw error;
      if (signed.state !== 'sealed' && signed.state !== 'plain') throw new HeldError(signed);
      if (signings >= maxSignings) {
        if (isSentAnyway) return send(null);
        throw error;
      }
      await (await core.sealed.load())?.standings.lookAgain(conversationId);
    }
  }
}

/**
 * Changes a group or a timer by its ordinary route. Where the conversation is sealed, this device signs the changes,
 * and the epoch with them goes along. A removal waits for no signature.
 *
 * @param send calls the route. Its body takes `epoch`, if there is one
 * @throws HeldError if the conversation takes the change only signed, and nothing can be signed for now; otherwise the
 *   request's error
 */
export function changeByRoute<T>(
  engine: Engine,
  conversationId: string,
  changes: readonly GroupChange[],
  send: (body: { epoch?: NewEpoch }) => Promise<T>,
): Promise<T> {
  return sendSigned(
    engine,
    conversationId,
    () => changeGroup(engine, conversationId, changes),
    (signed) => send(signed?.state === 'sealed' ? { epoch: signed.epoch } : {}),
    changes.every(({ kind }) => kind === 'remove'),
  );
}

/**
 * Creates an invite link by its ordinary route. In a sealed group, the link gets a key that signs whoever enters by it.
 * Without one, a member lets them in.
 *
 * @returns the route's reply, and the key for the link; null without one
 */
export async function inviteByRoute<T>(
  engine: Engine,
  conversationId: string,
  send: (body: { epoch?: NewEpoch }) => Promise<T>,
): Promise<{ readonly reply: T; readonly key: string | null }> {
  const { sealed } = engine.internals.core;
  return sendSigned<InviteResult & ChangeResult, { reply: T; key: string | null }>(
    engine,
    conversationId,
    async () => (await sealed.load())?.standings.createInvite(conversationId) ?? plain,
    async (signed) => {
      const made = signed?.state === 'sealed' ? signed : null;
      return { reply: await send(made ? { epoch: made.epoch } : {}), key: made?.key ?? null };
    },
    true,
  );
}

/**
 * Lets members read along whom the server has and nobody signed for. Rejects like `changeByRoute`.
 *
 * @param commit calls `POST /api/epochs/{id}`
 */
export async function letIn(
  engine: Engine,
  conversationId: string,
  userIds: readonly string[],
  commit: (epoch: NewEpoch) => Promise<unknown>,
): Promise<void> {
  const changes = userIds.map((userId) => ({ kind: 'add', userId }) as const);
  await changeByRoute(engine, conversationId, changes, async ({ epoch }) => {
    if (epoch) await commit(epoch);
  });
}

/** Signs as much as this device can. Whoever gets no signature is let in by a member, and a leave counts without. */
const ifPossible = <T>(signed: Promise<T> | undefined, otherwise: T): Promise<T> =>
  (signed ?? Promise.resolve(otherwise)).catch(() => otherwise);

/** Signs additions of people who may be asked first, as `additions` of the ordinary route. */
export const signAdditions = (
  { internals: { core } }: Engine,
  conversationId: string,
  userIds: readonly string[],
): Promise<readonly string[]> => ifPossible(core.conversations?.signAdditions(conversationId, userIds), []);

/** Signs the user's own entry with an invite link's key, as `addition` of the ordinary route; null if it cannot. */
export const signEntry = (
  { internals: { core } }: Engine,
  conversationId: string,
  key: string,
): Promise<string | null> => ifPossible<string | null>(core.conversations?.signEntry(conversationId, key), null);

/** Signs the user's own leave, as `leave` of the ordinary route; null if nothing is sealed, or can be signed here. */
export const signLeave = ({ internals: { core } }: Engine, conversationId: string): Promise<string | null> =>
  ifPossible(core.conversations?.signLeave(conversationId), null);
