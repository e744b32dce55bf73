import { findMember, fromUuid, type Bytes } from '@nolo/e2ee';
import { ApiError } from '../../http/request.ts';
import type { Timers } from '../../ports.ts';
import { KeysError } from '../keysError.ts';
import type { KeyContext } from '../context.ts';
import type { KeyTasks } from '../keyTasks.ts';
import { readDecisions } from '../people.ts';
import type { VaultReader } from '../vaultState.ts';
import { nameOf, padNumber } from '../wire.ts';
import { isJoined, requireJoined, type Work } from '../work.ts';
import {
  dropExpired,
  loadConversation,
  newestOf,
  nextExpiryOf,
  toConversationValues,
  type Conversation,
} from './conversation.ts';
import { createExpiries, type Expiries } from './expiries.ts';
import { askForSecrets } from './conversationNacks.ts';
import type { Read } from './openRows.ts';
import { prepare, type Prepared } from './prepare.ts';
import { decodeBlock, encodeBlock } from './rowBlocks.ts';
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

const rowsKeyOf = (id: string): string => `conversations/${nameOf(fromUuid(id))}/rows/`;

/** Knowledge of this process about a conversation beside the storage. */
export interface Known {
  conversation: Conversation;
  readonly index: RowIndex;
  /** Rows that were opened before, by what they seal. */
  readonly opened: Map<string, Read>;
  /** Last look at all lists and headers; null if there is a reason to look again. */
  freshAt: number | null;
  /** People whose devices changed since then, of whom alone the lists are fetched. */
  readonly changed: Set<string>;
  syncedAt: number;
  /** Newest epoch that a row named, after a look at the server. A later one is a reason to look again. */
  namedEpoch: number;
  /** Last look at headers for an overview; null if there is a reason to look again. */
  overviewAt: number | null;
  lastSealed: string | null;
  /** Message whose deletion was signed last. */
  lastErased: string | null;
  isStoring: boolean;
}

/** Returns true if the server showed all headers that this device knows to exist. */
const isComplete = ({ conversation: { block, head, newer }, facts }: Prepared): boolean =>
  block === null && newer === null && (head !== null || facts.sealedFromSeq === null);

/** Memory of one process. */
export class ConversationMemory {
  readonly #tasks: KeyTasks;
  readonly #context: KeyContext;
  readonly #reader: VaultReader;
  readonly #timers: Timers;
  readonly #known = new Map<string, Known>();
  readonly #loading = new Map<string, Promise<Known>>();
  readonly #listeners = new Set<(conversationId: string | null) => void>();
  readonly expiries: Expiries;

  constructor(tasks: KeyTasks, reader: VaultReader, timers: Timers) {
    this.#tasks = tasks;
    this.#context = tasks.context;
    this.#reader = reader;
    this.#timers = timers;
    this.expiries = createExpiries(tasks, timers, () => {
      for (const one of this.#known.values())
        one.conversation = dropExpired(one.conversation, this.#context.deviceNow());
    });
  }

  subscribe(listener: (conversationId: string | null) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  tell(id: string | null): void {
    for (const listener of this.#listeners) listener(id);
  }

  async #load(id: string): Promise<Known> {
    const { store } = this.#context;
    const [conversation, blocks] = await this.#tasks.runAlone(() =>
      Promise.all([loadConversation(this.#context, fromUuid(id)), store.list<Bytes>(rowsKeyOf(id))]),
    );
    const one: Known = {
      conversation,
      index: new RowIndex(blocks.flatMap((bytes) => decodeBlock(bytes) ?? [])),
      opened: new Map(),
      freshAt: null,
      changed: new Set(),
      syncedAt: -Infinity,
      namedEpoch: -1,
      overviewAt: null,
      lastSealed: null,
      lastErased: null,
      isStoring: false,
    };
    this.#known.set(id, one);
    return one;
  }

  async knownOf(id: string): Promise<Known> {
    const found = this.#known.get(id);
    if (found) return found;
    const pending = this.#loading.get(id) ?? this.#load(id).finally(() => this.#loading.delete(id));
    this.#loading.set(id, pending);
    return pending;
  }

  /** Reads the storage anew, because another tab may have changed it, with the rows that this process saw. */
  async reload(one: Known): Promise<Conversation> {
    const stored = await loadConversation(this.#context, one.conversation.id);
    const lastRows = one.index.newerThan(stored.lastRows);
    return lastRows ? { ...stored, lastRows } : stored;
  }

  keep(id: string, one: Known, conversation: Conversation): void {
    const isNew = newestOf(one.conversation)?.n !== newestOf(conversation)?.n;
    one.conversation = conversation;
    this.expiries.plan(nextExpiryOf(conversation));
    if (isNew) this.tell(id);
  }

  async #store(work: Work, before: Conversation, after: Conversation): Promise<void> {
    const state = await readDecisions(this.#context, work, this.#reader);
    await storeConversation({ context: this.#context, work, state }, before, after);
  }

  /** Fetches epochs that rows name, and asks for secrets that this device lacks. */
  async heal(id: string, one: Known, closed: readonly number[]): Promise<void> {
    await this.#tasks.run(async (work) => {
      if (!isJoined(work)) return;
      const before = await this.reload(one);
      const synced = await syncConversation(this.#context, work, this.#reader, before);
      const asked = await askForSecrets(this.#context, work, synced, closed);
      if (asked !== synced) await this.#store(work, synced, asked);
      one.syncedAt = this.#context.now();
      this.keep(id, one, asked);
    });
  }

  async tryHeal(id: string, one: Known, closed: readonly number[]): Promise<boolean> {
    const { epochs, asked } = one.conversation;
    const isUnasked = closed.some((n) => asked[n] === undefined && epochs.some((epoch) => epoch.n === n));
    const named = Math.max(-1, ...closed);
    const isNew = named > Math.max(one.namedEpoch, newestOf(one.conversation)?.n ?? -1);
    if (!isUnasked && !isNew && this.#context.now() - one.syncedAt < againMs) return false;
    try {
      await this.heal(id, one, closed);
      one.namedEpoch = Math.max(one.namedEpoch, named);
      return true;
    } catch (error) {
      if (error instanceof ApiError || error instanceof KeysError) return false;
      throw error;
    }
  }

  /** Values that store the rows that were seen since the last time. */
  async #rowValues(id: string, { index }: Known): Promise<Record<string, unknown>> {
    const keyOf = (block: number) => rowsKeyOf(id) + padNumber(block);
    const changes = await index.takeChanges(async (block) => {
      const bytes = await this.#context.store.read<Bytes>(keyOf(block));
      return bytes && decodeBlock(bytes);
    });
    const values = [...changes].map(([block, value]) => [keyOf(block), value ? encodeBlock(value) : undefined]);
    return Object.fromEntries(values) as Record<string, unknown>;
  }

  /** Stores rows as far as others refer to them, and the newest of each device, which a header names when it leaves. */
  storeRows(id: string, one: Known): void {
    if (one.isStoring || (one.index.isStored && !one.index.newerThan(one.conversation.lastRows))) return;
    one.isStoring = true;
    const write = async (): Promise<void> => {
      const stored = await loadConversation(this.#context, one.conversation.id);
      const after = await this.reload(one);
      const rows = await this.#rowValues(id, one);
      await this.#context.store.write({ ...toConversationValues(stored, after), ...rows });
      one.conversation = { ...one.conversation, lastRows: after.lastRows };
    };
    this.#timers.after(storeRowsMs, () => {
      one.isStoring = false;
      void this.#tasks.runAlone(write).catch(() => undefined);
    });
  }

  #isFresh(at: number | null): boolean {
    return at !== null && Math.abs(this.#context.now() - at) < freshMs;
  }

  /** Returns a conversation whose headers were looked at lately, if the server can be asked. */
  async overviewOf(id: string): Promise<Conversation> {
    const one = await this.knownOf(id);
    if (!this.#isFresh(one.overviewAt) && (await this.tryHeal(id, one, []))) one.overviewAt = this.#context.now();
    return one.conversation;
  }

  async prepared(work: Work, one: Known, facts: ConversationFacts): Promise<Prepared> {
    const before = await this.reload(one);
    const changed = [...one.changed];
    const isFresh = this.#isFresh(one.freshAt);
    const preparing = { context: this.#context, work, reader: this.#reader, facts };
    const ready = await prepare(preparing, before, isFresh ? changed : null);
    if (isJoined(work)) await this.#store(work, before, ready.conversation);
    if (ready.isRefreshed && isComplete(ready)) {
      if (!isFresh) one.freshAt = this.#context.now();
      for (const userId of changed) one.changed.delete(userId);
    }
    one.syncedAt = this.#context.now();
    this.keep(facts.id, one, ready.conversation);
    return ready;
  }

  /** Asks for the newest secret if this device lacks it. */
  async askForNewest({ work, conversation, facts }: Prepared, one: Known): Promise<void> {
    const newest = newestOf(conversation);
    if (!newest || newest.secret) return;
    const asked = await askForSecrets(this.#context, work, conversation, [newest.n]);
    if (asked === conversation) return;
    await this.#store(work, conversation, asked);
    this.keep(facts.id, one, asked);
  }

  /** Changes a conversation on what the storage has now. */
  async update(id: string, task: (work: Work, conversation: Conversation) => Promise<Conversation>): Promise<void> {
    const one = await this.knownOf(id);
    await this.#tasks.run(async (work) => {
      requireJoined(work);
      const before = await this.reload(one);
      const after = await task(work, before);
      await this.#store(work, before, after);
      this.keep(id, one, after);
    });
  }

  /** Looks at a person's lists again before the next message to conversations with them. */
  forgetPerson(userId: string): void {
    for (const [id, one] of this.#known) {
      const { facts, head } = one.conversation;
      const isMember = !facts || facts.memberIds.includes(userId) || findMember(head?.members ?? [], fromUuid(userId));
      if (!isMember) continue;
      one.changed.add(userId);
      one.overviewAt = null;
      this.tell(id);
    }
  }

  /** Looks at lists and headers again before the next message. */
  forgetFresh(): void {
    for (const one of this.#known.values()) one.freshAt = one.overviewAt = null;
    this.tell(null);
  }
}
