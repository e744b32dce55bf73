import type { Message, ServerEventData, ServerFrame } from '@nolo/api';
import { limits } from '@nolo/rules';
import type { ChatCore } from './chatCore.ts';
import type { ChatSync } from './chatSync.ts';
import type { ReceiptSender } from './receiptSender.ts';
import { toHiddenTombstone, findKnownMessage, withSettings } from './hiding.ts';
import { withStar } from './ownFlags.ts';
import { hasSeals } from './sealedRows.ts';
import { withPresence } from './presence.ts';
import {
  withChangeSeq,
  withReadCursor,
  withJoinRequestCount,
  applyReactionChange,
  withTyping,
  type ReactionChange,
} from './chatStore.ts';
import { withMemberStates, withMeta, withReceipt } from './rowChanges.ts';

/** Applies that the user hid a message on any device. */
function onHidden(
  { store, patch, watchers }: ChatCore,
  sync: ChatSync,
  change: ServerEventData<'message_hidden'>,
): void {
  const { conversationId, messageId, seq, changeSeq } = change;
  const known = findKnownMessage(store.getState(), conversationId, seq);
  if (known) sync.receive(toHiddenTombstone(known, changeSeq));
  for (const watcher of watchers) watcher.onHidden(conversationId, seq);
  patch((state) => ({ ...withStar(state, messageId, false), ...withChangeSeq(state, conversationId, changeSeq) }));
  sync.inOrder(conversationId, changeSeq);
}

/** Applies the server's socket frames. */
export function createLiveFrameHandler(
  core: ChatCore,
  sync: ChatSync,
  cursors: ReceiptSender,
): (frame: ServerFrame) => void {
  const { selfId, timers, store, patch, row, names, onOtherFrame } = core;

  const onMessage = (message: Message): void => {
    if (!row(message.conversationId)) return void sync.loadRow(message.conversationId);
    sync.receive(message);
    sync.inOrder(message.conversationId, message.changeSeq);
    if (message.senderId === selfId) return;
    patch((state) => withTyping(state, message.conversationId, message.senderId, null));
    cursors.arrived(message.conversationId);
  };

  const onReaction = (change: ReactionChange): void => {
    const { conversationId, changeSeq, userId } = change;
    const known = row(conversationId);
    if (!known) return void sync.loadRow(conversationId);
    // A message may lack other reactions after a gap. Catching up fetches all of them.
    // A sealed reaction comes with its message.
    const isReadable = !hasSeals(store.getState(), conversationId);
    const isNext = isReadable && sync.isNext(conversationId, changeSeq);
    const message = isNext ? applyReactionChange(store.getState(), change) : null;
    if (message) sync.receive(message);
    if (message && known.type !== 'direct') names.want([userId]);
    patch((state) => withChangeSeq(state, conversationId, changeSeq));
    sync.inOrder(conversationId, changeSeq, isReadable ? 1 : 0);
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
      case 'message_reaction':
        return onReaction(frame.data);
      case 'receipt': {
        const { conversationId, changeSeq, userId, deliveredSeq = 0, readSeq = 0 } = frame.data;
        if (userId) patch((state) => withReceipt(state, conversationId, { userId, changeSeq, deliveredSeq, readSeq }));
        return sync.inOrder(conversationId, changeSeq);
      }
      case 'receipts':
        for (const { userId, readSeq } of frame.data.receipts) {
          patch((state) => withReceipt(state, frame.data.conversationId, { userId, deliveredSeq: readSeq, readSeq }));
        }
        return;
      case 'read_cursor':
        return patch((state) => withReadCursor(state, frame.data.conversationId, frame.data.readSeq));
      case 'conversation_created':
        void sync.loadRow(frame.data.conversationId);
        return onOtherFrame(frame);
      case 'conversation_updated': {
        const { conversationId, changeSeq, conversation } = frame.data;
        patch((state) => withMeta(state, conversationId, changeSeq, conversation));
        sync.inOrder(conversationId, changeSeq);
        return onOtherFrame(frame);
      }
      case 'members_changed': {
        const { conversationId, changeSeq, members } = frame.data;
        patch((state) => withMemberStates(state, conversationId, frame.data));
        // Each member is one change, and the frame has the number of the last.
        sync.inOrder(conversationId, changeSeq, members.length);
        return onOtherFrame(frame);
      }
      case 'conversation_removed': {
        const { conversationId, reason } = frame.data;
        const name = row(conversationId)?.name ?? null;
        if (name !== null && reason !== 'left') patch(() => ({ removedFrom: { conversationId, name } }));
        sync.forget(conversationId);
        return onOtherFrame(frame);
      }
      case 'join_requests_changed': {
        const { conversationId, count } = frame.data;
        patch((state) => withJoinRequestCount(state, conversationId, count));
        return onOtherFrame(frame);
      }
      case 'held_messages_changed': {
        const { conversationId, count } = frame.data;
        patch((state) => ({ unapprovedCounts: { ...state.unapprovedCounts, [conversationId]: count } }));
        return onOtherFrame(frame);
      }
      case 'conversation_settings':
        patch((state) => withSettings(state, frame.data.conversationId, frame.data));
        // A newly accepted person now gets a delivery report.
        return cursors.arrived(frame.data.conversationId);
      case 'message_hidden': {
        onHidden(core, sync, frame.data);
        return onOtherFrame(frame);
      }
      case 'message_starred': {
        const { messageId, starredAt } = frame.data;
        patch((state) => withStar(state, messageId, starredAt !== null));
        return onOtherFrame(frame);
      }
      case 'typing_start':
      case 'typing_stop': {
        const { conversationId, userId } = frame.data;
        const until = frame.type === 'typing_start' ? timers.now() + limits.typingTimeoutMs + 1_000 : null;
        patch((state) => withTyping(state, conversationId, userId, until));
        if (until && row(conversationId)?.type !== 'direct') names.want([userId]);
        if (until) timers.after(until - timers.now(), () => expireTyping(conversationId, userId));
        return;
      }
      case 'presence': {
        patch((state) => withPresence(state, frame.data));
        return onOtherFrame(frame);
      }
      case 'sync_required':
        return void sync.resync();
      default:
        return onOtherFrame(frame);
    }
  };
}
