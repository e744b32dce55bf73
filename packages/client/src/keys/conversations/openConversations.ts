import type { Message } from '@nolo/api';
import { fromUuid, hashOfDeletion, hashOfRow, readDeletion, toUuid } from '@nolo/e2ee';
import { ApiError } from '../../http/request.ts';
import type { Timers } from '../../ports.ts';
import { KeysError } from '../keysError.ts';
import type { KeyTasks } from '../keyTasks.ts';
import { readDecisions } from '../people.ts';
import { acceptPerson } from '../personKeys.ts';
import type { VaultReader } from '../vaultState.ts';
import { fromSigned, fromText, toSigned } from '../wire.ts';
import { isJoined, requireJoined, type Work } from '../work.ts';
import { refreshLists, toAccounts } from './accountLists.ts';
import { boundOfRow, isSealed } from './boundRows.ts';
import { headerOf, loadConversation, newestOf, toConversationValues, type Conversation } from './conversation.ts';
import { answerConversationNacks, askForSecrets } from './conversationNacks.ts';
import { signChanges, signOwnLeave } from './groupChanges.ts';
import { linesOf } from './headerLines.ts';
import { openRows, type Read } from './openRows.ts';
import { buildNext, isDue, judgePrepared, prepare, reusable, type Prepared } from './prepare.ts';
import { RowIndex } from './rowIndex.ts';
import { sealDraft, sealingEpochOf, signErasure, withAcknowledged, type SealingEpoch } from './sealDraft.ts';
import { storeConversation, syncConversation } from './syncConversation.ts';
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

/** Time for which lists and headers that were looked at count as new, unless a frame says otherwise. */
const freshMs = 3_600_000;
/** Time after which an epoch that the server did not show is asked for again without a reason. */
const againMs = 10_000;
/** Time after which the newest rows of devices are stored. */
const storeRowsMs = 5_000;
const maxRows = 50;

/** What this process knows of a conversation beside the storage. */
interface Known {
  conversation: Conversation;
  readonly index: RowIndex;
  /** Rows that were opened before, by what they seal. */
  readonly opened: Map<string, Read>;
  /** Last look at lists and headers; null if there is a reason to look again. */
  freshAt: number | null;
  syncedAt: number;
  lastSealed: string | null;
  isStoring: boolean;
}

export function createConversations(tasks: KeyTasks, reader: VaultReader, timers: Timers): Conversations {
  const { context, run } = tasks;
  const known = new Map<string, Known>();
  const loading = new Map<string, Promise<Known>>();
  const listeners = new Set<(conversationId: string | null) => void>();
  const tell = (id: string | null): void => listeners.forEach((listener) => listener(id));

  async function load(id: string): Promise<Known> {
    const conversation = await tasks.runAlone(() => loadConversation(context, fromUuid(id)));
    const one: Known = {
      conversation,
      index: new RowIndex(),
      opened: new Map(),
      freshAt: null,
      syncedAt: -Infinity,
      lastSealed: null,
      isStoring: false,
    };
    known.set(id, one);
    return one;
  }

  async function knownOf(id: string): Promise<Known> {
    const found = known.get(id);
    if (found) return found;
    const pending = loading.get(id) ?? load(id).finally(() => loading.delete(id));
    loading.set(id, pending);
    return pending;
  }

  /** Reads the storage anew, because another tab may have changed it, with the rows that this process saw. */
  async function reload(one: Known): Promise<Conversation> {
    const stored = await loadConversation(context, one.conversation.id);
    const lastRows = one.index.newerThan(stored.lastRows);
    return lastRows ? { ...stored, lastRows } : stored;
  }

  function keep(id: string, one: Known, conversation: Conversation): void {
    const isNew = newestOf(one.conversation)?.n !== newestOf(conversation)?.n;
    one.conversation = conversation;
    if (isNew) tell(id);
  }

  async function store(work: Work, before: Conversation, after: Conversation): Promise<void> {
    const state = await readDecisions(context, work, reader);
    await storeConversation({ context, work, state }, before, after);
  }

  /** Fetches epochs that rows name, and asks for secrets that this device lacks. */
  async function heal(id: string, one: Known, closed: readonly number[]): Promise<void> {
    await run(async (work) => {
      if (!isJoined(work)) return;
      const before = await reload(one);
      const synced = await syncConversation(context, work, reader, before);
      const asked = await askForSecrets(context, work, synced, closed);
      if (asked !== synced) await store(work, synced, asked);
      one.syncedAt = context.now();
      keep(id, one, asked);
    });
  }

  async function tryHeal(id: string, one: Known, closed: readonly number[]): Promise<boolean> {
    const { epochs, asked } = one.conversation;
    const isUnasked = closed.some((n) => asked[n] === undefined && epochs.some((epoch) => epoch.n === n));
    if (!isUnasked && context.now() - one.syncedAt < againMs) return false;
    try {
      await heal(id, one, closed);
      return true;
    } catch (error) {
      if (error instanceof ApiError || error instanceof KeysError) return false;
      throw error;
    }
  }

  /** Stores the newest rows of devices, which a header names when a device leaves. */
  function storeRows(one: Known): void {
    if (one.isStoring || !one.index.newerThan(one.conversation.lastRows)) return;
    one.isStoring = true;
    const write = async (): Promise<void> => {
      const stored = await loadConversation(context, one.conversation.id);
      const after = await reload(one);
      await context.store.write(toConversationValues(stored, after));
      one.conversation = { ...one.conversation, lastRows: after.lastRows };
    };
    timers.after(storeRowsMs, () => {
      one.isStoring = false;
      void tasks.runAlone(write).catch(() => undefined);
    });
  }

  async function open(id: string, rows: readonly Message[]): Promise<readonly OpenedRow[]> {
    if (rows.length > maxRows) throw new RangeError('more than 50 rows');
    const one = await knownOf(id);
    // A conversation of which nothing is known may have headers, after which no plain row counts.
    if (!one.conversation.head && one.syncedAt === -Infinity) await tryHeal(id, one, []);
    let opened = await openRows(one, rows);
    if (opened.closed.length > 0 && (await tryHeal(id, one, opened.closed))) opened = await openRows(one, rows);
    storeRows(one);
    return opened.rows;
  }

  const isFresh = ({ freshAt }: Known): boolean => freshAt !== null && Math.abs(context.now() - freshAt) < freshMs;

  async function prepared(work: Work, one: Known, facts: ConversationFacts): Promise<Prepared> {
    const wasFresh = isFresh(one);
    const before = await reload(one);
    const ready = await prepare({ context, work, reader, facts }, before, wasFresh);
    if (isJoined(work)) await store(work, before, ready.conversation);
    if (!wasFresh) one.freshAt = context.now();
    one.syncedAt = context.now();
    keep(facts.id, one, ready.conversation);
    return ready;
  }

  /** Asks for the newest secret if this device lacks it. */
  async function askForNewest({ work, conversation, facts }: Prepared, one: Known): Promise<void> {
    const newest = newestOf(conversation);
    if (!newest || newest.secret) return;
    const asked = await askForSecrets(context, work, conversation, [newest.n]);
    if (asked === conversation) return;
    await store(work, conversation, asked);
    keep(facts.id, one, asked);
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

  /** Changes a conversation on what the storage has now. */
  async function update(
    id: string,
    task: (work: Work, conversation: Conversation) => Promise<Conversation>,
  ): Promise<void> {
    const one = await knownOf(id);
    await run(async (work) => {
      requireJoined(work);
      const before = await reload(one);
      const after = await task(work, before);
      await store(work, before, after);
      keep(id, one, after);
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
    await heal(id, one, []);
    tell(id);
  }

  const ignore = (task: Promise<unknown>): void => void task.catch(() => undefined);

  function forgetFresh(): void {
    for (const one of known.values()) one.freshAt = null;
    tell(null);
  }

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
      const one = typeof id === 'string' ? known.get(id) : undefined;
      if (type === 'devices_changed' || type === 'keys_changed') forgetFresh();
      else if (typeof id !== 'string') return;
      else if (type === 'epochs_changed' && one) ignore(look(id, one));
      else if (type === 'nacks_changed') ignore(answerNacks(id));
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

const noFacts = { type: 'group', memberIds: [], sealedFromSeq: null, hasPlainMessages: false } as const;
const noLists = () => ({ chain: null, other: null, suspended: [] });
