import { useLocation, useParams } from 'react-router-dom';

/**
 * Returns true if a message in a list is the one at which the open conversation was opened. A conversation may have
 * several.
 */
export function useIsOpenedMessage({ conversationId, seq }: { conversationId: string; seq: number }): boolean {
  const { id } = useParams();
  const place = useLocation().state as { seq?: unknown } | null;
  return id === conversationId && place?.seq === seq;
}
