import { useChatState } from '../chat/context/chatContext.ts';
import { useSelf } from '../session/self.ts';
import { othersIn, otherIn, type LiveCall } from './model/callPhase.ts';
import { useCallTexts } from './useCallTexts.ts';

export interface Peer {
  name: string;
  imageUrl: string | null;
  /** More than one other person is in it or is being rung. */
  several: boolean;
}

/** Whom a call is with, by what the call or the conversation knows of them. */
export function usePeer(live: LiveCall | null): Peer {
  const { t } = useCallTexts();
  const self = useSelf();
  const other = live?.call ? otherIn(live.call, self.id) : undefined;
  const fromChat = useChatState((state) => {
    const known = state.conversations[live?.conversationId ?? '']?.otherUser ?? null;
    return other === undefined || known?.id === other.userId ? known : null;
  });
  const user = other?.user ?? fromChat;
  return {
    name: user?.displayName ?? t('calls.someone'),
    imageUrl: user?.profileImageUrl ?? null,
    several: live?.call ? othersIn(live.call, self.id).length > 1 : false,
  };
}
