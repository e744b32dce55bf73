import { fromUuid } from '@nolo/e2ee';
import { ApiError } from '../../http/request.ts';
import type { Timers } from '../../ports.ts';
import { KeysError } from '../keysError.ts';
import type { KeyTasks } from '../keyTasks.ts';
import { readDecisions } from '../people.ts';
import type { VaultReader } from '../vaultState.ts';
import { isJoined, requireJoined, type Work } from '../work.ts';
import { loadConversation, newestOf, toConversationValues, type Conversation } from './conversation.ts';
import { askForSecrets } from './conversationNacks.ts';
import type { Read } from './openRows.ts';
import { prepare, type Prepared } from './prepare.ts';
import { RowIndex } from './rowIndex.ts';
import { storeConversation, syncConversation } from './syncConversation.ts';
import type { ConversationFacts } from './types.ts';

/** Conversations in the memory of one process, and how they follow the storage and the server. */

/** Time for which lists and headers that were looked at count as new, unless a frame says otherwise. */
const freshMs = 3_600_000;
/** Time after which an epoch that the server did not show is asked for again without a reason. */
const againMs = 10_000;
/** Time after which the newest rows of devices are stored. */
const storeRowsMs = 5_000;

/** Knowledge of this process about a conversation beside the storage. */
export interface Known {
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

/** Creates the memory of one process. */
export function createMemory(tasks: KeyTasks, reader: VaultReader, timers: Timers) {
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

  /** Looks at lists and headers again before the next message. */
  function forgetFresh(): void {
    for (const one of known.values()) one.freshAt = null;
    tell(null);
  }

  return {
    knownOf,
    find: (id: string): Known | undefined => known.get(id),
    reload,
    keep,
    heal,
    tryHeal,
    storeRows,
    prepared,
    askForNewest,
    update,
    forgetFresh,
    tell,
    subscribe(listener: (conversationId: string | null) => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export type Memory = ReturnType<typeof createMemory>;
