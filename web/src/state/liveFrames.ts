import type { Message, ServerFrame } from '@nolo/api';
import { limits } from '@nolo/rules';
import type { ChatCore } from './chatCore.ts';
import type { ChatSync } from './chatSync.ts';
import { withReadCursor, withReceipt, withTyping } from './chatStore.ts';

/** Applies what the server tells over the socket. */
export function createLiveFrames(core: ChatCore, sync: ChatSync): (frame: ServerFrame) => void {
  const { selfId, timers, store, patch, row, onOtherFrame } = core;

  const onMessage = (message: Message): void => {
    if (!row(message.conversationId)) return void sync.loadRow(message.conversationId);
    sync.receive(message);
    sync.inOrder(message.conversationId, message.changeSeq);
    if (message.senderId === selfId) return;
    patch((state) => withTyping(state, message.conversationId, message.senderId, null));
    sync.confirmDelivered(message.conversationId);
  };

  const expireTyping = (conversationId: string, userId: string): void => {
    const until = store.getState().typing[conversationId]?.[userId];
    if (until !== undefined && until <= timers.now()) patch((state) => withTyping(state, conversationId, userId, null));
  };

  return (frame) => {
    switch (frame.type) {
      case 'new_message':
      case 'message_updated':
        return onMessage(frame.data);
      case 'receipt': {
        const { conversationId, changeSeq, userId, deliveredSeq = 0, readSeq = 0 } = frame.data;
        if (userId) patch((state) => withReceipt(state, conversationId, { userId, changeSeq, deliveredSeq, readSeq }));
        return sync.inOrder(conversationId, changeSeq);
      }
      case 'read_cursor':
        return patch((state) => withReadCursor(state, frame.data.conversationId, frame.data.readSeq));
      case 'conversation_created':
        return void sync.loadRow(frame.data.conversationId);
      case 'typing_start':
      case 'typing_stop': {
        const { conversationId, userId } = frame.data;
        const until = frame.type === 'typing_start' ? timers.now() + limits.typingTimeoutMs + 1_000 : null;
        patch((state) => withTyping(state, conversationId, userId, until));
        if (until) timers.after(until - timers.now(), () => expireTyping(conversationId, userId));
        return;
      }
      case 'presence': {
        const { userId, presenceStatus, statusMessage } = frame.data;
        patch((state) => ({ presence: { ...state.presence, [userId]: { presenceStatus, statusMessage } } }));
        return onOtherFrame(frame);
      }
      case 'sync_required':
        return void sync.resync();
      default:
        return onOtherFrame(frame);
    }
  };
}
