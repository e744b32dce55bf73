import type { User } from '@nolo/api';
import { createContext, startTransition, useContext, useEffect, useState } from 'react';
import { useStore } from 'zustand';
import type { AccountDatabase } from '../storage/accountDatabase.ts';
import type { ChatEngine } from '../engine/chatEngine.ts';
import type { ChatState } from '../engine/chatStore.ts';
import type { DraftStore } from '../engine/drafts.ts';
import type { KnownPerson } from '../engine/people.ts';
import { useOnline } from '../../shell/useOnline.ts';

/** Where a conversation's list stood when it was left: the topmost message and how far it was scrolled past. */
export interface ScrollPlace {
  seq: number;
  offset: number;
}

export interface Chat {
  engine: ChatEngine;
  drafts: DraftStore;
  /** By conversation; one that is missing was left at its end. */
  places: Map<string, ScrollPlace>;
  /** What the account keeps on this device. */
  database: AccountDatabase;
}

export const ChatContext = createContext<Chat | null>(null);

export function useChat(): Chat {
  const chat = useContext(ChatContext);
  if (chat === null) throw new Error('useChat is for components below ChatProvider.');
  return chat;
}

/** A part of the chat state; the selector must answer with the same value while nothing changed. */
export function useChatState<T>(selector: (state: ChatState) => T): T {
  return useStore(useChat().engine.store, selector);
}

const always = () => true;

/**
 * A part of the chat state that takes long to draw. News of it is drawn in slices, between which the browser hears what is
 * pressed; what React subscribes to by itself it draws at once, and begins anew with all that it was drawing meanwhile.
 *
 * @param selector one and the same each time
 * @param begins whether what is shown is still to come, and slices are worth it: what follows is drawn at once then
 */
export function useSlicedChatState<T>(selector: (state: ChatState) => T, begins: (shown: T) => boolean = always): T {
  const { store } = useChat().engine;
  const [shown, setShown] = useState(() => selector(store.getState()));
  useEffect(() => {
    let latest = selector(store.getState());
    const read = () => {
      const before = latest;
      const now = (latest = selector(store.getState()));
      if (begins(before)) startTransition(() => setShown(() => now));
      else setShown(() => now);
    };
    read();
    return store.subscribe(read);
  }, [store, selector, begins]);
  return shown;
}

/** Whether the app hears of others and they of it. A break that heals by itself does not count. */
export function useReachable(): boolean {
  const waiting = useChatState(({ connection }) => connection === 'waiting');
  return useOnline() && !waiting;
}

type Presence = Pick<User, 'presenceStatus' | 'statusMessage' | 'lastSeenAt'>;

/** What is known of somebody's presence; null where this device cannot know, as it is cut off. */
export type KnownPresence = Omit<Presence, 'presenceStatus'> & {
  readonly presenceStatus: Presence['presenceStatus'] | null;
};

/** A person's presence as told live, or else as the given row says. When they were seen last stays known. */
export function usePresence(person: ({ id: string; isBlocked?: boolean } & Presence) | null): KnownPresence {
  const live = useChatState((state) => (person ? state.presence[person.id] : undefined));
  const told = useChatState((state) => state.presenceTold);
  const reachable = useReachable();
  const shown: Presence = live ?? person ?? { presenceStatus: 'offline', statusMessage: '' };
  const { presenceStatus, statusMessage, lastSeenAt } = shown;
  const seen = person?.isBlocked !== true && lastSeenAt !== undefined && { lastSeenAt };
  const known = reachable && (told || live !== undefined);
  return { presenceStatus: known ? presenceStatus : null, statusMessage, ...seen };
}

/** Somebody by id, once their name was told; whoever is asked for and unknown is asked about. */
export function usePerson(id: string): KnownPerson | undefined {
  const { engine } = useChat();
  const person = useChatState((state) => state.people[id]);
  const unknown = person === undefined;
  useEffect(() => {
    if (unknown) engine.wantNames([id]);
  }, [engine, id, unknown]);
  return person;
}
