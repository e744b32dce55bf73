import type { Conversation, Message, Self } from '@nolo/api';
import { lastActivityOf } from '../chat/chatStore.ts';
import { findNextMessageExpiry, replaceExpired, withoutExpiredLastMessage } from '../chat/expiry.ts';
import { offlineChatLimits } from '../chat/offlineChats.ts';
import type { KnownPerson } from '../chat/people.ts';
import type {
  AccountStorage,
  MediaFiles,
  OfflineTimeline,
  StorageOptions,
  TimelineCheckpoint,
  UnsentMessage,
} from '../chat/ports.ts';
import type { UploadResumePoint } from '../ports.ts';

interface StoredRow {
  readonly activity: string;
  readonly row: Conversation;
}

/** Returns the keys beyond the latest `limit`. */
function findExcess<T>(all: ReadonlyMap<string, T>, limit: number, age: (one: T) => string | number): string[] {
  if (all.size <= limit) return [];
  const ages = [...all].map(([id, one]) => [id, age(one)] as const);
  return ages
    .toSorted(([, a], [, b]) => (a < b ? -1 : Number(a > b)))
    .slice(0, all.size - limit)
    .map(([id]) => id);
}

/**
 * Creates a storage that lasts as long as the process: for programs that may forget everything, and for tests. Stores
 * copies, like every other storage.
 */
export function createMemoryStorage({
  // Clock: the machine's own, unless the caller has the server's.
  now = () => Date.now(),
}: StorageOptions = {}): AccountStorage {
  let self: Self | undefined;
  let listed = false;
  const rows = new Map<string, StoredRow>();
  const checkpoints = new Map<string, TimelineCheckpoint>();
  const messages = new Map<string, readonly Message[]>();
  const people = new Map<string, KnownPerson & { readonly toldAt: number }>();
  const unsent = new Map<string, UnsentMessage>();
  const files = new Map<string, MediaFiles>();
  const places = new Map<string, UploadResumePoint>();

  const readTimeline = (id: string): OfflineTimeline | undefined => {
    const [checkpoint, stored] = [checkpoints.get(id), messages.get(id)];
    return checkpoint && stored && { ...checkpoint, messages: replaceExpired(stored, now()) };
  };

  const writeRow = (row: Conversation): void => {
    const known = rows.get(row.id);
    if (!known || known.row.changeSeq <= row.changeSeq) rows.set(row.id, { activity: lastActivityOf(row), row });
  };

  const writeTimeline = ({ messages: stored, ...checkpoint }: OfflineTimeline): void => {
    const id = checkpoint.conversationId;
    if ((checkpoints.get(id)?.changeSeq ?? 0) > checkpoint.changeSeq) return;
    checkpoints.set(id, checkpoint);
    messages.set(id, stored);
  };

  const removeTimeline = (id: string): void => {
    checkpoints.delete(id);
    messages.delete(id);
  };

  return {
    readAccount: async (conversationId = '') => ({
      self,
      listed,
      rows: [...rows.values()].map(({ row }) => withoutExpiredLastMessage(row, now())),
      timelines: [readTimeline(conversationId) ?? []].flat(),
      unsent: [...unsent.values()],
      people: [...people.values()],
    }),
    putSelf: async (given) => void (self = structuredClone(given)),
    close: () => undefined,
    readTimeline: async (id) => readTimeline(id),
    listTimelineCheckpoints: async () => [...checkpoints.values()],
    async writeChats(changes) {
      const copied = structuredClone(changes);
      const toldAt = now();
      listed = true;
      copied.rows.forEach(writeRow);
      copied.timelines.forEach(writeTimeline);
      for (const person of copied.people) people.set(person.id, { ...person, toldAt });
      for (const id of findExcess(people, offlineChatLimits.people, (one) => one.toldAt)) people.delete(id);
      for (const id of findExcess(rows, offlineChatLimits.rows, ({ activity }) => activity)) rows.delete(id);
      for (const id of findExcess(checkpoints, offlineChatLimits.timelines, ({ activity }) => activity))
        removeTimeline(id);
    },
    async removeChat(id) {
      rows.delete(id);
      removeTimeline(id);
    },
    async removeExpired(at) {
      let next = Infinity;
      for (const [id, checkpoint] of checkpoints) {
        const left = replaceExpired(messages.get(id) ?? [], at);
        const later = findNextMessageExpiry(left);
        next = Math.min(next, later);
        messages.set(id, left);
        checkpoints.set(id, { ...checkpoint, nextExpiry: later === Infinity ? null : later });
      }
      for (const [id, stored] of rows) {
        const row = withoutExpiredLastMessage(stored.row, at);
        rows.set(id, { ...stored, row });
        if (row.lastMessage) next = Math.min(next, findNextMessageExpiry([row.lastMessage]));
      }
      return next === Infinity ? null : next;
    },
    listUnsent: async () => [...unsent.values()],
    putUnsent: async (message) => void unsent.set(message.clientMessageId, structuredClone(message)),
    async removeUnsent(id) {
      for (const store of [unsent, files, places]) store.delete(id);
    },
    readUnsent: async (id) => unsent.get(id),
    async readFiles(id) {
      const [stored, place] = [files.get(id), places.get(id)];
      return stored && { ...stored, ...(place && { place }) };
    },
    putFiles: async (id, given) => void files.set(id, given),
    putUploadPlace: async (id, place) => void places.set(id, place),
  };
}
