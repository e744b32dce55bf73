export const messageTypes = ['text', 'image', 'video', 'file', 'voice', 'system'] as const;
export type MessageType = (typeof messageTypes)[number];

/** Types that clients may send; only the server writes `system` (decision 13). */
export const sendableMessageTypes = ['text', 'image', 'video', 'file', 'voice'] as const;

/** `epochs`: sealed by its author's device (docs/encryption.md). `mls` is reserved (decision 13). */
export const encryptions = ['none', 'epochs', 'mls'] as const;
export type Encryption = (typeof encryptions)[number];

export const conversationTypes = ['direct', 'group', 'meeting'] as const;
export type ConversationType = (typeof conversationTypes)[number];

/**
 * Returns true if an author may still edit or erase a message (decision 15). Both times are in milliseconds since the
 * epoch.
 */
export function isWithinEditWindow(createdAtMs: number, nowMs: number, windowHours: number): boolean {
  return nowMs - createdAtMs <= windowHours * 3_600_000;
}

/** Returns true if the content has nothing visible. Checked only for unencrypted content (decision 13). */
export function isBlankText(content: string): boolean {
  // Default-ignorable and zero-width characters would pass trim() and display as an empty bubble.
  return content.replace(/[\p{Cf}\p{Zs}\s\u2800\u3164\u115f\u1160\uffa0]/gu, '') === '';
}
