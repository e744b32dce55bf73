import { fromUuid, toUuid } from '@nolo/e2ee';
import type { KeyTasks } from '../keyTasks.ts';
import { verifiedAmong } from '../personKeys.ts';
import type { VaultReader } from '../vaultState.ts';
import { toSigned } from '../wire.ts';
import { isJoined, requireJoined, type Work } from '../work.ts';
import { refreshLists, toAccounts } from './accountLists.ts';
import { findAddition, outsidersOf } from './additions.ts';
import { headerOf, newestOf, type PendingEpoch } from './conversation.ts';
import { signChanges, signOwnLeave } from './groupChanges.ts';
import { changedSince } from './judge.ts';
import { shownLinesOf } from './headerLines.ts';
import { pendingQuestions } from './questions.ts';
import type { ConversationMemory, Known } from './memory.ts';
import { ClosedRow, EarlierRow, toReason } from './opening.ts';
import { buildNext, isDue, judgePrepared, reusable, type Prepared } from './prepare.ts';
import { sealDraft, sealingEpochOf, signErasure, type SealingEpoch } from './sealDraft.ts';
import type {
  ChangeResult,
  ConversationFacts,
  Conversations,
  ConversationStanding,
  GroupChange,
  HeaderLine,
  SealedDraft,
  SealResult,
  SendState,
} from './types.ts';

/** Everything that this device seals or signs in conversations. */

/** Returns what the headers of a conversation say. */
export function toStanding<Send extends ConversationStanding['send']>(
  {
    conversation,
    facts,
  }: Pick<Prepared, 'conversation'> & { readonly facts: Pick<ConversationFacts, 'memberIds' | 'type'> },
  send: Send,
  lines: readonly HeaderLine[],
): ConversationStanding & { readonly send: Send } {
  const newest = newestOf(conversation);
  const header = newest && headerOf(newest);
  const isUnsigned = (id: string): boolean =>
    header?.admission === 0 && findAddition(conversation.additions, fromUuid(id)) === undefined;
  const plain = facts.memberIds.map((userId) => ({ userId, role: 0, devices: 0 }) as const);
  const members = conversation.head?.members.map(({ account, role, devices }) => ({
    userId: toUuid(account),
    role,
    devices: devices.length,
  }));
  return {
    send,
    isSealed: conversation.isSeen,
    epoch: newest?.n ?? null,
    suite: header?.suite ?? null,
    members: members ?? plain,
    outsiders: facts.type === 'group' ? outsidersOf(conversation, facts.memberIds).filter(isUnsigned) : [],
    timer: header?.timer ?? 0,
    lines,
  };
}

/** Returns what was sealed, or why the draft that it approves does not open here. */
async function orRefused<T>(
  sealing: Promise<T>,
): Promise<T | Extract<SendState, { readonly state: 'waiting_for_key' | 'blocked' }>> {
  try {
    return await sealing;
  } catch (error) {
    if (error instanceof ClosedRow) return { state: 'waiting_for_key' };
    if (!(error instanceof EarlierRow)) toReason(error);
    return { state: 'blocked', reason: 'refused' };
  }
}

/** Returns how a message would go, with the questions of the epoch that was built for it or for a change. */
function askedBy(ready: Prepared, send: SendState): SendState {
  const pending = send.state === 'sealed' && ready.conversation.head ? reusable(ready) : null;
  const questions = pending ? pendingQuestions(ready, pending) : [];
  return questions.length > 0 ? { state: 'question', questions } : send;
}

type Sending = Pick<Conversations, 'seal' | 'change' | 'standing' | 'signDeletion' | 'signLeave'>;

/** Creates the methods that seal or sign. */
export function createSending({ context, run }: KeyTasks, reader: VaultReader, memory: ConversationMemory): Sending {
  /** Judges how a message would go. Asks for the newest secret if this device lacks it. */
  async function judged(ready: Prepared, one: Known) {
    const send = await judgePrepared(ready);
    if (send.state === 'waiting_for_key') await memory.askForNewest(ready, one);
    return send;
  }

  /** @param isAgain true if the server refused what was sealed before under this client id, and the epoch with it */
  async function sealNow(work: Work, one: Known, draft: SealedDraft, isAgain: boolean): Promise<SealResult> {
    let ready = await memory.prepared(work, one, draft.conversation);
    const send = await judged(ready, one);
    if (send.state !== 'sealed') return send;
    const { device } = requireJoined(work).ready;
    let epoch: SealingEpoch | null = sealingEpochOf(ready.conversation);
    let pending: PendingEpoch | null = null;
    if (!epoch || isDue(ready)) {
      pending = isAgain && ready.isRefreshed ? null : reusable(ready);
      if (!pending) {
        const built = await buildNext(ready, { isAgain });
        if (built.state === 'blocked') return built;
        ({ pending, prepared: ready } = built);
        memory.keep(draft.conversation.id, one, ready.conversation);
      }
      const questions = pendingQuestions(ready, pending);
      if (questions.length > 0) return { state: 'question', questions };
      epoch = { hash: pending.head.hash, header: pending.head.header, secret: pending.secret };
    }
    const { writtenAt = Infinity } = draft.kind === 'message' ? draft : {};
    const userIds = changedSince(ready, pending, writtenAt);
    if (userIds.length > 0) return { state: 'written_before', userIds };
    const sealing = sealDraft(context, device, ready.conversation, epoch, draft);
    const sealed = await (draft.kind === 'approval' ? orRefused(sealing) : sealing);
    if ('state' in sealed) return sealed;
    one.lastSealed = draft.clientMessageId;
    return { state: 'sealed', ...sealed, epoch: pending?.request ?? null };
  }

  async function changeNow(
    work: Work,
    one: Known,
    facts: ConversationFacts,
    changes: readonly GroupChange[],
  ): Promise<ChangeResult> {
    const idsOf = (kind: 'add' | 'remove') => changes.flatMap((each) => (each.kind === kind ? [each.userId] : []));
    const [added, removed] = [idsOf('add'), idsOf('remove')];
    if (isJoined(work) && added.length > 0) await refreshLists(context, work, reader, toAccounts(added));
    const memberIds = [...new Set([...facts.memberIds, ...added])];
    const ready = await memory.prepared(work, one, { ...facts, memberIds });
    const after = { ...facts, memberIds: memberIds.filter((id) => !removed.includes(id)) };
    const send = await judgePrepared({ ...ready, facts: after });
    // Removals need no answer of the user.
    const onlyRemoves = changes.every(({ kind }) => kind === 'remove');
    if (send.state !== 'sealed' && !(send.state === 'question' && onlyRemoves)) return send;
    if (!ready.conversation.head) return { state: 'plain', withoutKeys: [] };
    const signed = await signChanges(ready, changes);
    // A change goes with the epoch that is built for it: one that is left was refused, or did not arrive.
    const built = await buildNext({ ...ready, facts }, { signed, isAgain: true });
    if (built.state === 'blocked') return built;
    memory.keep(facts.id, one, built.prepared.conversation);
    const questions = onlyRemoves ? [] : pendingQuestions(built.prepared, built.pending);
    return questions.length > 0 ? { state: 'question', questions } : { state: 'sealed', epoch: built.pending.request };
  }

  return {
    async seal(draft) {
      const one = await memory.knownOf(draft.conversation.id);
      // The server refused what was sealed before, so there is something new.
      const isAgain = one.lastSealed === draft.clientMessageId;
      if (isAgain) one.freshAt = null;
      return run((work) => sealNow(work, one, draft, isAgain));
    },
    async change(facts, changes) {
      const one = await memory.knownOf(facts.id);
      one.freshAt = null;
      const result = await run((work) => changeNow(work, one, facts, changes));
      // The conversation shows the question, which no header asks yet.
      if (result.state === 'question') memory.tell(facts.id);
      return result;
    },
    async standing(facts) {
      const one = await memory.knownOf(facts.id);
      return run(async (work) => {
        const ready = await memory.prepared(work, one, facts);
        const send = askedBy(ready, await judged(ready, one));
        const lines = await shownLinesOf(ready.conversation, (ids) => verifiedAmong(context, work, reader, ids));
        return toStanding(ready, send, lines);
      });
    },
    async signDeletion(id, target) {
      const one = await memory.knownOf(id);
      // The server refused the deletion that was signed before, so there is a newer header.
      if (one.lastErased === target.messageId) await memory.heal(id, one, []);
      one.lastErased = target.messageId;
      return run(async (work) => {
        const { device } = requireJoined(work).ready;
        return toSigned(await signErasure(context, device, await memory.reload(one), target));
      });
    },
    async signLeave(id) {
      const one = await memory.knownOf(id);
      return run(async (work) => {
        requireJoined(work);
        return signOwnLeave({ context, work, conversation: await memory.reload(one) });
      });
    },
  };
}
