import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useChat } from '../chat/context/chatContext.ts';
import type { StatusOutbox } from './model/statusOutbox.ts';
import { useTexts, withTexts } from '../i18n/texts.ts';

/** Returns a function that opens the outbox of the user's status updates. Its code loads with the first call. */
export function useOpenStatusOutbox(): () => Promise<StatusOutbox> {
  const { database, engine } = useChat();
  const { i18n } = useTexts();
  const queryClient = useQueryClient();
  return useCallback(async () => {
    const { openStatusOutbox: statusesOf } = await withTexts(import('./openStatuses.ts'));
    return statusesOf({ database, engine, queryClient, i18n });
  }, [database, engine, queryClient, i18n]);
}
