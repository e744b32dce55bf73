import type { Message } from '@nolo/api';
import { hashOfDeletion, hashOfRow, readDeletion, toUuid } from '@nolo/e2ee';
import type { Timers } from '../../ports.ts';
import type { KeyTasks } from '../keyTasks.ts';
import { acceptPerson } from '../personKeys.ts';
import type { VaultReader } from '../vaultState.ts';
import { fromSigned, fromText, toSigned } from '../wire.ts';
import { isJoined, requireJoined, type Work } from '../work.ts';
import { refreshLists, toAccounts } from './accountLists.ts';
import { boundOfRow, isSealed } from './boundRows.ts';
import { headerOf, newestOf, type Conversation } from './conversation.ts';
import { answerConversationNacks } from './conversationNacks.ts';
import { signChanges, signOwnLeave } from './groupChanges.ts';
import { linesOf } from './headerLines.ts';
import { createMemory, type Known } from './memory.ts';
import { openRows } from './openRows.ts';
import { buildNext, isDue, judgePrepared, reusable } from './prepare.ts';
import { sealDraft, sealingEpochOf, signErasure, withAcknowledged, type SealingEpoch } from './sealDraft.ts';
import { syncConversation } from './syncConversation.ts';
import type {
  ChangeResult,
  ConversationFacts,
  Conversations,
  ConversationStanding,
  GroupChange,
  OpenedRow,
  SealedDraft,
  SealResult,
} from './types.ts';

/** Sealed conversations of one process, on the tasks of the device's keys. */

const maxRows = 50;

/** Creates the conversations of one process. */
export function createConversations(tasks: KeyTasks, reader: VaultReader, timers: Timers): Conversations {
  const { context, run } = tasks;
  const memory = createMemory(tasks, reader, timers);
  const { knownOf, reload, keep, tryHeal, prepared, askForNewest, update, tell } = memory;

  async function open(id: string, rows: readonly Message[]): Promise<readonly OpenedRow[]> {
    if (rows.length > maxRows) throw new RangeError('more than 50 rows');
    const one = await knownOf(id);
    // A conversation of which nothing is known may have headers, after which no plain row counts.
    if (!one.conversation.head && one.syncedAt === -Infinity) await tryHeal(id, one, []);
    let opened = await openRows(one, rows);
    if (opened.closed.length > 0 && (await tryHeal(id, one, opened.closed))) opened = await openRows(one, rows);
    memory.storeRows(one);
    return opened.rows;
  }

  async function sealNow(work: Work, one: Known, draft: SealedDraft): Promise<SealResult> {
    let ready = await prepared(work, one, draft.conversation);
    const send = await judgePrepared(ready);
    if (send.state === 'waiting_for_key') await askForNewest(ready, one);
    if (send.state !== 'sealed') return send;
    const { device } = requireJoined(work).ready;
    let epoch: SealingEpoch | null = sealingEpochOf(ready.conversation);
    let pending = null;
    if (!epoch || isDue(ready)) {
      pending = reusable(ready);
      if (!pending) {
        const built = await buildNext(ready);
        if (built.state === 'blocked') return built;
        ({ pending, prepared: ready } = built);
        keep(draft.conversation.id, one, ready.conversation);
      }
      epoch = { hash: pending.head.hash, header: pending.head.header, secret: pending.secret };
    }
    const sealed = await sealDraft(context, device, ready.conversation, epoch, draft);
    one.lastSealed = draft.clientMessageId;
    return { state: 'sealed', ...sealed, epoch: pending?.request ?? null };
  }

  async function change(facts: ConversationFacts, changes: readonly GroupChange[]): Promise<ChangeResult> {
    const one = await knownOf(facts.id);
    one.freshAt = null;
    return run(async (work) => {
      const added = changes.flatMap((each) => (each.kind === 'add' ? [each.userId] : []));
      if (isJoined(work) && added.length > 0) await refreshLists(context, work, reader, toAccounts(added));
      const removed = changes.flatMap((each) => (each.kind === 'remove' ? [each.userId] : []));
      const memberIds = [...new Set([...facts.memberIds, ...added])];
      const ready = await prepared(work, one, { ...facts, memberIds });
      const asked = { ...ready, facts: { ...facts, memberIds: memberIds.filter((id) => !removed.includes(id)) } };
      const send = await judgePrepared(asked);
      if (send.state !== 'sealed') return send;
      if (!ready.conversation.head) return { state: 'plain', withoutKeys: [] };
      const built = await buildNext({ ...ready, facts }, await signChanges(ready, changes));
      if (built.state === 'blocked') return built;
      keep(facts.id, one, built.prepared.conversation);
      return { state: 'sealed', epoch: built.pending.request };
    });
  }

  async function standing(facts: ConversationFacts): Promise<ConversationStanding> {
    const one = await knownOf(facts.id);
    return run(async (work) => {
      const ready = await prepared(work, one, facts);
      const send = await judgePrepared(ready);
      if (send.state === 'waiting_for_key') await askForNewest(ready, one);
      const { conversation } = ready;
      const newest = newestOf(conversation);
      const header = newest && headerOf(newest);
      const plain = facts.memberIds.map((userId) => ({ userId, role: 0, devices: 0 }) as const);
      const members = conversation.head?.members.map(({ account, role, devices }) => ({
        userId: toUuid(account),
        role,
        devices: devices.length,
      }));
      return {
        send,
        epoch: newest?.n ?? null,
        suite: header?.suite ?? null,
        members: members ?? plain,
        timer: header?.timer ?? 0,
        lines: linesOf(conversation),
      };
    });
  }

  /** Hash of a stored row of this device. Fetches its epoch if it went along. */
  async function acknowledge(work: Work, before: Conversation, row: Message): Promise<Conversation> {
    if (!isSealed(row)) return before;
    const find = ({ epochs }: Conversation) => epochs.find(({ n }) => n === row.seal.epoch);
    const conversation = find(before) ? before : await syncConversation(context, work, reader, before);
    const epoch = find(conversation);
    // An edit, like a reaction, is named by no message.
    if (!epoch || row.seal.held || row.seal.version > 0) return conversation;
    const hash = await hashOfRow(fromText(row.sealed ?? ''), boundOfRow(conversation.id, row, epoch));
    return withAcknowledged(conversation, hash, row.seal.own.map(fromText));
  }

  async function answer(id: string, questionId: string, isAccepted: boolean): Promise<void> {
    const [kind, userId] = questionId.split(':');
    const one = await knownOf(id);
    one.freshAt = null;
    if ((kind === 'identity' || kind === 'undecided') && userId !== undefined) {
      if (!isAccepted) return;
      await run(async (work) => {
        await acceptPerson(context, work, reader, userId);
        tasks.routines.changePeople();
        await tasks.routines.settle(work);
      });
    } else
      await update(id, async (_, conversation) => ({
        ...conversation,
        answers: { ...conversation.answers, [questionId]: isAccepted },
      }));
    tell(id);
  }

  async function answerNacks(id: string): Promise<void> {
    const one = await knownOf(id);
    await run(async (work) => {
      if (!isJoined(work)) return;
      const conversation = await syncConversation(context, work, reader, await reload(one));
      keep(id, one, conversation);
      if (!conversation.block) await answerConversationNacks({ context, work, reader, conversation });
    });
  }

  /** Looks at a conversation that this process knows, after its epochs changed. */
  async function look(id: string, one: Known): Promise<void> {
    one.freshAt = null;
    one.syncedAt = -Infinity;
    await memory.heal(id, one, []);
    tell(id);
  }

  const ignore = (task: Promise<unknown>): void => void task.catch(() => undefined);

  return {
    open,
    async seal(draft) {
      const one = await knownOf(draft.conversation.id);
      // The server refused what was sealed before, so there is something new.
      if (one.lastSealed === draft.clientMessageId) one.freshAt = null;
      return run((work) => sealNow(work, one, draft));
    },
    acknowledged: (id, row) => update(id, (work, conversation) => acknowledge(work, conversation, row)),
    async signDeletion(id, target) {
      const one = await knownOf(id);
      return run(async (work) => {
        const { device } = requireJoined(work).ready;
        return toSigned(await signErasure(context, device, await reload(one), target));
      });
    },
    deletionAcknowledged: (id, deletion) =>
      update(id, async (_, conversation) => {
        const statement = fromSigned(deletion);
        return withAcknowledged(conversation, await hashOfDeletion(statement), readDeletion(statement).own);
      }),
    standing,
    answer,
    change,
    async signLeave(id) {
      const one = await knownOf(id);
      return run(async (work) => {
        const conversation = await reload(one);
        requireJoined(work);
        const facts = { ...noFacts, id };
        return signOwnLeave({ context, work, reader, facts, conversation, lists: noLists });
      });
    },
    onFrame({ type, data }) {
      const id = (data as { conversationId?: unknown } | null)?.conversationId;
      const one = typeof id === 'string' ? memory.find(id) : undefined;
      if (type === 'devices_changed' || type === 'keys_changed') memory.forgetFresh();
      else if (typeof id !== 'string') return;
      else if (type === 'epochs_changed' && one) ignore(look(id, one));
      else if (type === 'nacks_changed') ignore(answerNacks(id));
    },
    subscribe: memory.subscribe,
  };
}

const noFacts = { type: 'group', memberIds: [], sealedFromSeq: null, hasPlainMessages: false } as const;
const noLists = () => ({ chain: null, other: null, suspended: [] });
