import type { ChatState } from './state.ts';
import type { ChatCore } from './chatCore.ts';
import type { ChatSync } from './chatSync.ts';
import { selectOfflineConversations, offlineChatLimits, toOfflineTimeline } from './offlineChats.ts';
import type { ChatDeviceStorage, OfflineTimeline, TimelineCheckpoint } from './ports.ts';

/** Milliseconds during which changes are collected, so that a burst of messages costs one write. */
const writeAfterMs = 400;
/** Milliseconds that loading for storage only waits, so that the screen comes first. */
const freshenAfterMs = 2_500;

/** Stores the latest conversations on the device for offline use. */
export function createPersistence({ store, row, timers }: ChatCore, sync: ChatSync, device: ChatDeviceStorage) {
  const rows = new Set<string>();
  const timelines = new Set<string>();
  const people = new Set<string>();
  const checkpoints = new Map<string, TimelineCheckpoint>();
  let cancelWrite: (() => void) | null = null;
  let cancelFreshen: (() => void) | null = null;
  let freshening = false;
  let hasCheckpoints = false;
  let newlyListed = false;
  let stopped = false;

  const write = async (): Promise<void> => {
    cancelWrite?.();
    cancelWrite = null;
    const state = store.getState();
    const changedRows = [...rows].flatMap((id) => row(id) ?? []);
    const changedTimelines: OfflineTimeline[] = [];
    const kept = new Set(selectOfflineConversations(state).map(({ id }) => id));
    for (const id of timelines) {
      const [current, timeline] = [row(id), state.timelines[id]];
      const one = current && timeline && kept.has(id) ? toOfflineTimeline(current, timeline) : null;
      if (one) changedTimelines.push(one);
    }
    const changedPeople = [...people].flatMap((id) => state.people[id] ?? []);
    rows.clear();
    timelines.clear();
    people.clear();
    if (changedRows.length + changedTimelines.length + changedPeople.length === 0 && !newlyListed) return;
    newlyListed = false;
    try {
      await device.writeChats({ rows: changedRows, timelines: changedTimelines, people: changedPeople });
      for (const { messages: _, ...checkpoint } of changedTimelines)
        checkpoints.set(checkpoint.conversationId, checkpoint);
    } catch {
      // Storage is full or refused: the app continues from memory, and the next change retries.
    }
  };

  const collectChanges = (state: ChatState, before: ChatState): void => {
    if (state.conversations !== before.conversations) {
      for (const [id, current] of Object.entries(state.conversations)) {
        if (before.conversations[id] === current) continue;
        rows.add(id);
        freshenLater();
      }
    }
    if (state.timelines !== before.timelines) {
      for (const [id, { messages, changeSeq, status }] of Object.entries(state.timelines)) {
        const known = before.timelines[id];
        if (known?.messages !== messages || known.changeSeq !== changeSeq || known.status !== status) timelines.add(id);
      }
    }
    if (state.people !== before.people) {
      for (const [id, person] of Object.entries(state.people)) if (before.people[id] !== person) people.add(id);
    }
    // An empty conversation list is stored too.
    if (state.list === 'ready' && before.list !== 'ready') newlyListed = true;
    if (rows.size + timelines.size + people.size > 0 || newlyListed)
      cancelWrite ??= timers.after(writeAfterMs, () => void write());
  };

  /** Returns true if the device lacks messages of a conversation that is not open. */
  const lacks = (id: string): boolean => {
    const timeline = store.getState().timelines[id];
    if (timeline?.status === 'ready') return timeline.hasOlder && timeline.messages.length < offlineChatLimits.messages;
    const checkpoint = checkpoints.get(id);
    return (
      !checkpoint ||
      checkpoint.changeSeq < (row(id)?.changeSeq ?? 0) ||
      (checkpoint.hasOlder && checkpoint.count < offlineChatLimits.messages)
    );
  };

  /** Loads what the device lacks, one conversation at a time, while connected. */
  const freshen = async (): Promise<void> => {
    cancelFreshen = null;
    if (freshening || stopped) return;
    freshening = true;
    try {
      if (!hasCheckpoints)
        for (const checkpoint of await device.listTimelineCheckpoints())
          checkpoints.set(checkpoint.conversationId, checkpoint);
      hasCheckpoints = true;
      for (const { id } of selectOfflineConversations(store.getState())) {
        if (stopped || store.getState().connection !== 'open') return;
        if (lacks(id)) await sync.loadKept(id);
      }
    } catch {
      // The next change or connection starts again.
    } finally {
      freshening = false;
    }
  };
  const freshenLater = (): void => {
    if (store.getState().connection === 'open' && !stopped)
      cancelFreshen ??= timers.after(freshenAfterMs, () => void freshen());
  };

  const unsubscribe = store.subscribe(collectChanges);
  return {
    /** Stores changes immediately, because the page may be about to close. */
    write,
    freshenLater,
    stop(): void {
      stopped = true;
      unsubscribe();
      cancelFreshen?.();
      void write();
    },
  };
}
