export const messageTypes = ['text', 'image', 'video', 'file', 'voice', 'system'] as const;
export type MessageType = (typeof messageTypes)[number];

/** What clients may send; `system` is written by the server alone (decision 13). */
export const sendableMessageTypes = ['text', 'image', 'video', 'file', 'voice'] as const;

export const encryptions = ['none', 'mls'] as const;
export type Encryption = (typeof encryptions)[number];

export const conversationTypes = ['direct', 'group', 'meeting'] as const;
export type ConversationType = (typeof conversationTypes)[number];

/** Whether an author may still edit or erase a message (decision 15). Both times in milliseconds since the epoch. */
export function withinEditWindow(createdAtMs: number, nowMs: number, windowHours: number): boolean {
  return nowMs - createdAtMs <= windowHours * 3_600_000;
}

/** Blank means nothing a reader would see; checked only while content is not encrypted (decision 13). */
export function isBlank(content: string): boolean {
  // Default-ignorable and zero-width characters would pass trim() and show as an empty bubble.
  return content.replace(/[\p{Cf}\p{Zs}\s\u2800\u3164\u115f\u1160\uffa0]/gu, '') === '';
}
