import { routes, type Conversation } from '@nolo/api';
import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { chatApi } from '../storage/chatApi.ts';
import { ApiError, call, callPage } from '../../api/httpClient.ts';
import { useChat, useChatState, useOnReconnect } from '../context/chatContext.ts';
import { conversationPath } from '../words/conversationName.ts';

/** Resolves to null if the server reports that the object does not exist or that the id is invalid. */
export async function unlessMissing<T>(request: Promise<T>): Promise<T | null> {
  try {
    return await request;
  } catch (error) {
    if (error instanceof ApiError && (error.status === 404 || error.status === 400)) return null;
    throw error;
  }
}

async function userOfContact(contactId: string): Promise<string | null> {
  let cursor: string | undefined;
  do {
    const page = await callPage(routes.listContacts, { query: { cursor } });
    const contact = page.items.find((one) => one.id === contactId);
    if (contact) return contact.userId;
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return null;
}

const start = (otherUserId: string) => unlessMissing(call(routes.startConversation, { body: { otherUserId } }));

/**
 * Decision 7: `id` is the id of a conversation, or else of a person or contact, with whom a conversation then starts.
 */
async function findConversation(id: string): Promise<Conversation | null> {
  const known = await unlessMissing(chatApi.getConversation(id));
  if (known) return known;
  const withPerson = await start(id);
  if (withPerson) return withPerson;
  const userId = await userOfContact(id);
  return userId === null ? null : start(userId);
}

export type ConversationLookup =
  | { state: 'found'; conversation: Conversation }
  | { state: 'loading' | 'missing' }
  | { state: 'failed'; retry: () => void };

/**
 * Resolves the conversation for an address. Replaces the id of a person or contact in the URL with that of the
 * conversation.
 */
export function useConversationLookup(id: string): ConversationLookup {
  const { engine } = useChat();
  const navigate = useNavigate();
  const conversation = useChatState((state) => state.conversations[id]);
  const [outcome, setOutcome] = useState<{ id: string; state: 'missing' | 'failed' }>();
  const [attempt, setAttempt] = useState(0);
  const known = conversation !== undefined;

  useEffect(() => {
    if (known) return undefined;
    let current = true;
    findConversation(id)
      .then((found) => {
        if (!current) return;
        if (!found) return setOutcome({ id, state: 'missing' });
        engine.addConversation(found);
        if (found.id !== id) void navigate(conversationPath(found), { replace: true });
      })
      .catch(() => {
        if (current) setOutcome({ id, state: 'failed' });
      });
    return () => {
      current = false;
    };
  }, [id, known, engine, navigate, attempt]);

  const retry = () => {
    setOutcome(undefined);
    setAttempt((count) => count + 1);
  };
  useOnReconnect(() => outcome?.state === 'failed' && retry());
  if (conversation) return { state: 'found', conversation };
  if (outcome?.id !== id) return { state: 'loading' };
  return outcome.state === 'missing' ? { state: 'missing' } : { state: 'failed', retry };
}
