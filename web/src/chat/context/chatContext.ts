import type { User } from '@nolo/api';
import { createContext, startTransition, useContext, useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import type { AccountDatabase } from '../storage/accountDatabase.ts';
import type { ChatEngine } from '@nolo/client/chat/chatEngine';
import type { DraftStore } from '@nolo/client/chat/drafts';
import type { KnownPerson } from '@nolo/client/chat/people';
import type { ChatState } from '@nolo/client/chat/state';
import { useOnline } from '../../shell/useOnline.ts';

/** Scroll position of a conversation when it was left: the topmost message and how far it was scrolled past. */
export interface SavedScrollPosition {
  seq: number;
  offset: number;
}

export interface ChatContextValue {
  engine: ChatEngine;
  drafts: DraftStore;
  /** Positions by conversation; a missing one was left at its end. */
  places: Map<string, SavedScrollPosition>;
  database: AccountDatabase;
}

export const ChatContext = createContext<ChatContextValue | null>(null);

export function useChat(): ChatContextValue {
  const chat = useContext(ChatContext);
  if (chat === null) throw new Error('useChat must be used inside ChatProvider.');
  return chat;
}

/** Returns a part of the chat state; the selector must return the same value while nothing changed. */
export const useChatState = <T>(selector: (state: ChatState) => T): T => useStore(useChat().engine.store, selector);

/** Calls `act` each time the connection is back, because the app may have missed something. */
export function useOnReconnect(act: () => void): void {
  const connected = useChatState((state) => state.connection === 'open');
  const wasConnected = useRef(connected);
  const latest = useRef(act);
  useEffect(() => {
    latest.current = act;
  });
  useEffect(() => {
    if (connected && !wasConnected.current) latest.current();
    wasConnected.current = connected;
  }, [connected]);
}

const always = () => true;

/**
 * Returns a part of the chat state that takes long to render. Updates are rendered in slices, between which the browser
 * handles input. React renders its own subscriptions at once and restarts everything in progress.
 *
 * @param selector a stable function
 * @param begins returns true while the content is still to come and slices are worthwhile; later updates are rendered
 * at once
 */
export function useDeferredChatState<T>(selector: (state: ChatState) => T, begins: (shown: T) => boolean = always): T {
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

/** Returns true if the app is in contact with others. Interruptions that recover by themselves are ignored. */
export function useIsServerReachable(): boolean {
  const waiting = useChatState(({ connection }) => connection === 'waiting');
  return useOnline() && !waiting;
}

type Presence = Pick<User, 'presenceStatus' | 'statusMessage' | 'lastSeenAt'>;

/** Presence as far as known; null while this device is disconnected and cannot know. */
export type KnownPresence = Omit<Presence, 'presenceStatus'> & {
  readonly presenceStatus: Presence['presenceStatus'] | null;
};

/** Returns a person's live presence, otherwise that of the given row. Their last-seen time stays known. */
export function usePresence(person: ({ id: string; isBlocked?: boolean } & Presence) | null): KnownPresence {
  const live = useChatState((state) => (person ? state.presence[person.id] : undefined));
  const isPresenceKnown = useChatState((state) => state.isPresenceKnown);
  const reachable = useIsServerReachable();
  const shown: Presence = live ?? person ?? { presenceStatus: 'offline', statusMessage: '' };
  const { presenceStatus, statusMessage, lastSeenAt } = shown;
  const seen = person?.isBlocked !== true && lastSeenAt !== undefined && { lastSeenAt };
  const known = reachable && (isPresenceKnown || live !== undefined);
  return { presenceStatus: known ? presenceStatus : null, statusMessage, ...seen };
}

/** Returns a user by id, once their name is known; queries unknown users. */
export function usePerson(id: string): KnownPerson | undefined {
  const { engine } = useChat();
  const person = useChatState((state) => state.people[id]);
  const unknown = person === undefined;
  useEffect(() => {
    if (unknown) engine.wantNames([id]);
  }, [engine, id, unknown]);
  return person;
}
