import type { Message } from '@nolo/api';
import { limits, withinEditWindow } from '@nolo/rules';

/** Whether it is one's own, still there, and young enough to be changed (decision 15). */
export function mayChange(message: Message, selfId: string, now: number): boolean {
  return (
    message.senderId === selfId &&
    message.deletedAt === null &&
    message.messageType !== 'system' &&
    withinEditWindow(Date.parse(message.createdAt), now, limits.editWindowHours)
  );
}

/** The reactions that are one press away. */
export const quickReactions = ['👍', '❤️', '😂', '😮', '😢', '🙏'] as const;

/** Conversations that one message is forwarded to at a time. */
export const forwardLimit = 20;
