import type { Conversation } from '@nolo/api';

const ofChat = /^chat (.+)$/;

/** Closes the notifications of conversations without unread messages, wherever they were read. */
export async function closeReadNotifications(conversations: Readonly<Record<string, Conversation>>): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration();
  for (const notification of (await registration?.getNotifications()) ?? []) {
    const id = ofChat.exec(notification.tag)?.[1];
    if (id !== undefined && conversations[id]?.unreadCount === 0) notification.close();
  }
}
