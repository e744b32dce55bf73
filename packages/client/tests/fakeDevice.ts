import type {
  ChatDeviceStorage,
  OfflineChats,
  OfflineTimeline,
  MediaFiles,
  TabMessage,
  AccountTabs,
  TimelineCheckpoint,
  UnsentMessage,
} from '../src/chat/ports.ts';
import type { UploadResumePoint } from '../src/ports.ts';
import type { Conversation } from '@nolo/api';
import { replaceExpired, findNextMessageExpiry } from '../src/chat/expiry.ts';
import type { KnownPerson } from '../src/chat/people.ts';

/** Fakes a device in memory, shared by all its users: what remains when a tab closes. */
export function fakeDevice() {
  const rows = new Map<string, Conversation>();
  const timelines = new Map<string, OfflineTimeline>();
  const unsent = new Map<string, UnsentMessage>();
  const people = new Map<string, KnownPerson>();
  const files = new Map<string, MediaFiles>();
  const places = new Map<string, UploadResumePoint>();
  let broken: 'refuses' | 'hangs' | null = null;
  const answer = async <T>(task: () => T): Promise<T> => {
    if (broken === 'refuses') throw new Error('The storage is full.');
    if (broken === 'hangs') return new Promise(() => {});
    return task();
  };
  const device: ChatDeviceStorage = {
    readTimeline: (id) => answer(() => timelines.get(id)),
    listTimelineCheckpoints: () => answer((): TimelineCheckpoint[] => [...timelines.values()]),
    writeChats: (changes) =>
      answer(() => {
        for (const row of changes.rows) rows.set(row.id, row);
        for (const one of changes.timelines) timelines.set(one.conversationId, one);
        for (const person of changes.people) people.set(person.id, person);
      }),
    removeChat: (id) =>
      answer(() => {
        rows.delete(id);
        timelines.delete(id);
      }),
    removeExpired: (now) =>
      answer(() => {
        let next = Infinity;
        for (const [id, one] of timelines) {
          const messages = replaceExpired(one.messages, now);
          timelines.set(id, { ...one, messages });
          next = Math.min(next, findNextMessageExpiry(messages));
        }
        return next === Infinity ? null : next;
      }),
    listUnsent: () => answer(() => [...unsent.values()]),
    putUnsent: (message) => answer(() => void unsent.set(message.clientMessageId, message)),
    removeUnsent: (id) => answer(() => [unsent, files, places].forEach((store) => store.delete(id))),
    readUnsent: (id) => answer(() => unsent.get(id)),
    readFiles: (id) =>
      answer(() => {
        const [kept, place] = [files.get(id), places.get(id)];
        return kept && { ...kept, ...(place && { place }) };
      }),
    putFiles: (id, kept) => answer(() => void files.set(id, kept)),
    putUploadPlace: (id, place) => answer(() => void places.set(id, place)),
  };
  return {
    device,
    rows,
    timelines,
    unsent,
    people,
    files,
    places,
    break: (how: 'refuses' | 'hangs' | null) => void (broken = how),
    /** Returns what a newly opened app finds. */
    kept: (...ids: string[]): OfflineChats => ({
      listed: rows.size > 0,
      rows: [...rows.values()],
      timelines: ids.flatMap((id) => timelines.get(id) ?? []),
      unsent: [...unsent.values()],
      people: [...people.values()],
    }),
  };
}

/** Fakes tabs in memory: the first to request it leads, and the next one when that closes. */
export function fakeTabs() {
  interface Tab {
    begin: (() => void) | null;
    onNews: (news: TabMessage) => void;
  }
  const open: Tab[] = [];
  let leader: Tab | null = null;
  const elect = (): void => {
    leader = open.find((tab) => tab.begin !== null) ?? null;
    leader?.begin?.();
  };
  return {
    join(): AccountTabs {
      const tab: Tab = { begin: null, onNews: () => {} };
      open.push(tab);
      return {
        lead(begin) {
          tab.begin = begin;
          if (!leader) elect();
        },
        broadcast(news) {
          for (const other of open) if (other !== tab) void Promise.resolve().then(() => other.onNews(news));
        },
        listen: (onNews) => void (tab.onNews = onNews),
        close() {
          open.splice(open.indexOf(tab), 1);
          if (leader === tab) elect();
        },
      };
    },
  };
}
