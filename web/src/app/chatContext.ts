import type { PresenceStatus } from '@nolo/rules';
import { createContext, useContext } from 'react';
import { useStore } from 'zustand';
import type { ChatEngine } from '../state/chatEngine.ts';
import type { ChatState } from '../state/chatStore.ts';
import type { DraftStore } from '../state/drafts.ts';

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

/** A person's presence as told live, or else as the given row says. */
export function usePresence(person: { id: string; presenceStatus: PresenceStatus; statusMessage: string } | null): {
  presenceStatus: PresenceStatus;
  statusMessage: string;
} {
  const live = useChatState((state) => (person ? state.presence[person.id] : undefined));
  return live ?? person ?? { presenceStatus: 'offline', statusMessage: '' };
}
