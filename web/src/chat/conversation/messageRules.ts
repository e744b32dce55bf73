import type { Message } from '@nolo/api';
import { limits, isWithinEditWindow } from '@nolo/rules';

/** Returns true if the message is the user's own, not deleted, and recent enough to edit (decision 15). */
export function mayChange(message: Message, selfId: string, now: number): boolean {
  return (
    message.senderId === selfId &&
    message.deletedAt === null &&
    message.messageType !== 'system' &&
    isWithinEditWindow(Date.parse(message.createdAt), now, limits.editWindowHours)
  );
}

/** Reactions that take one press. */
export const quickReactions = ['👍', '❤️', '😂', '😮', '😢', '🙏'] as const;

export const maxForwardTargets = 20;
