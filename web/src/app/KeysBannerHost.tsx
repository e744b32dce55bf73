import { useChatState } from '../chat/context/chatContext.ts';
import { KeysBanner } from '../keys/KeysBanner.tsx';

/** Line about this device's keys. The app asks for recovery words only once there is something to lose. */
export function KeysBannerHost() {
  const hasMessages = useChatState((state) =>
    Object.values(state.conversations).some(({ lastMessage }) => (lastMessage?.messageType ?? 'system') !== 'system'),
  );
  return <KeysBanner hasMessages={hasMessages} />;
}
