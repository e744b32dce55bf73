import type { NewEpoch } from '@nolo/api';
import { changeByRoute } from '@nolo/client/chat/sealedDecisions';
import type { GroupChange } from '@nolo/client/keys/conversations/types';
import { useChat } from '../chat/context/chatContext.ts';

/**
 * Returns a function that changes a group by its ordinary route. In an encrypted group, this device signs the change,
 * and the epoch that says so goes along in the body.
 */
export function useChangeByRoute(
  id: string,
): <T>(changes: readonly GroupChange[], send: (body: { epoch?: NewEpoch }) => Promise<T>) => Promise<T> {
  const { engine } = useChat();
  return (changes, send) => changeByRoute(engine, id, changes, send);
}
