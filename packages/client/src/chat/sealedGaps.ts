import type { Message } from '@nolo/api';
import type { Conversations } from '../keys/conversations/types.ts';
import type { ChatBase } from './chatBase.ts';
import { findKnownMessage } from './hiding.ts';
import type { RowOpener } from './rowOpener.ts';
import { openingOf, type StoredMessage } from './rowOpening.ts';
import type { ChatState } from './state.ts';

/** Returns true if the server tells of every deletion, as far as is known here. */
function seesDeletions({ conversations, timelines }: ChatState, id: string): boolean {
  const { clearedSeq = 0, sealedFromSeq = null } = conversations[id] ?? {};
  const hidden = timelines[id]?.messages.some((message) => message.hidden === true) ?? false;
  return !hidden && clearedSeq < (sealedFromSeq ?? 1);
}

/** Returns true if a conversation that was opened here has every change, and is sealed. */
function isCaughtUp({ connection, conversations, standings, timelines }: ChatState, id: string): boolean {
  const timeline = timelines[id];
  return (
    connection === 'open' &&
    timeline?.status === 'ready' &&
    timeline.changeSeq >= (conversations[id]?.changeSeq ?? 0) &&
    (standings[id]?.epoch ?? null) !== null
  );
}

const newestOf = ({ timelines }: ChatState, id: string): number => timelines[id]?.messages.at(-1)?.seq ?? 0;

/**
 * Keeps the places where rows are missing (docs/encryption.md, section 5, Order and gaps). Deletions of messages that
 * are not in memory are opened too, because later messages name them.
 */
export function createGapFinder({ patch, store, watchers }: ChatBase, port: Conversations, opener: RowOpener) {
  /** Newest row when the timeline was loaded, since when all deletions were seen. */
  const followedFrom = new Map<string, number>();
  /** Conversations with a message outside of memory that the user hid. */
  const hiding = new Set<string>();
  const looking = new Set<string>();
  const again = new Set<string>();
  /** Number of pages with deletions that are being opened. */
  const opening = new Map<string, number>();

  const find = async (id: string): Promise<void> => {
    const before = store.getState();
    const from = before.timelines[id]?.messages[0]?.seq;
    if (from === undefined) return;
    const found = await port.gaps(id, {
      from,
      followedFrom: followedFrom.get(id) ?? newestOf(before, id),
      seesDeletions: !hiding.has(id) && seesDeletions(before, id),
    });
    const gaps = found.map(({ seq }) => seq);
    patch((state) => ((state.gaps[id] ?? []).join() === gaps.join() ? {} : { gaps: { ...state.gaps, [id]: gaps } }));
  };

  /** Looks once everything that arrived is open. */
  const look = (id: string): void => {
    if (looking.has(id)) return void again.add(id);
    if (!isCaughtUp(store.getState(), id) || !opener.isIdle(id) || opening.has(id)) return;
    looking.add(id);
    find(id)
      // The next change looks again.
      .catch(() => undefined)
      .finally(() => {
        looking.delete(id);
        if (again.delete(id)) look(id);
      });
  };

  const openDeletions = async (id: string, deletions: readonly StoredMessage[]): Promise<void> => {
    opening.set(id, (opening.get(id) ?? 0) + 1);
    const opened = await opener.openRows(deletions);
    // A row that did not open now may be named later.
    if (opened.some((one) => ['closed', 'waiting'].includes(openingOf(one)?.state ?? ''))) followedFrom.delete(id);
    const others = (opening.get(id) ?? 1) - 1;
    if (others > 0) opening.set(id, others);
    else opening.delete(id);
    look(id);
  };

  watchers.add({
    onMessages(messages: readonly StoredMessage[]) {
      const state = store.getState();
      const isUnseen = (one: StoredMessage) =>
        one.deletedAt !== null &&
        openingOf(one)?.state === 'closed' &&
        !findKnownMessage(state, one.conversationId, one.seq);
      for (const { conversationId, hidden } of messages) if (hidden === true) hiding.add(conversationId);
      const deletions = messages.filter(isUnseen);
      for (const id of new Set(deletions.map(({ conversationId }: Message) => conversationId)))
        void openDeletions(
          id,
          deletions.filter(({ conversationId }) => conversationId === id),
        );
    },
    onHidden: (id) => void hiding.add(id),
    onSkipped: (id) => void followedFrom.delete(id),
  });

  const follow = (state: ChatState, before?: ChatState): void => {
    for (const [id, timeline] of Object.entries(state.timelines)) {
      if (timeline.status !== 'ready') continue;
      if (!followedFrom.has(id)) followedFrom.set(id, newestOf(state, id));
      const known = before?.timelines[id];
      const isSame = known?.messages === timeline.messages && known.changeSeq === timeline.changeSeq;
      if (!isSame || state.connection !== before?.connection || state.standings[id] !== before.standings[id]) look(id);
    }
  };
  store.subscribe((state, before) => {
    if (
      state.timelines !== before.timelines ||
      state.connection !== before.connection ||
      state.standings !== before.standings
    )
      follow(state, before);
  });
  follow(store.getState());
  opener.onIdle(look);
}
