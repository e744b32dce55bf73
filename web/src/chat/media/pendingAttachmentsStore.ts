import { createStore } from 'zustand/vanilla';
import { sessionStore } from '../../session/session.ts';

/** File that is about to be sent. */
export interface PendingAttachment {
  readonly id: string;
  readonly file: File;
  readonly caption: string;
  /** True if it is sent unchanged and shown as a file, even if it is a picture. */
  readonly asFile: boolean;
}

export interface PendingAttachments {
  readonly items: readonly PendingAttachment[];
  /** Id of the item whose caption is being edited. */
  readonly chosen: string;
  /** Id of the item whose caption is the text field's previous text. Empty if that item was removed. */
  readonly lead: string;
}

/** Pending attachments by conversation. They stay while the user looks elsewhere, until the tab closes. */
export const pendingAttachmentsStore = createStore<{ byConversation: Readonly<Record<string, PendingAttachments>> }>(
  () => ({ byConversation: {} }),
);

function put(conversationId: string, items: readonly PendingAttachment[], chosen?: string, lead?: string): void {
  pendingAttachmentsStore.setState(({ byConversation }) => {
    const { [conversationId]: _, ...others } = byConversation;
    const first = items[0]?.id;
    if (first === undefined) return { byConversation: others };
    const stillThere = items.some(({ id }) => id === chosen);
    const attachments = { items, chosen: stillThere && chosen ? chosen : first, lead: lead ?? first };
    return { byConversation: { ...others, [conversationId]: attachments } };
  });
}

export function addAttachments(conversationId: string, files: readonly File[], asFile = false): void {
  const { items = [], chosen, lead } = pendingAttachmentsStore.getState().byConversation[conversationId] ?? {};
  const added = files.map((file) => ({ id: crypto.randomUUID(), file, caption: '', asFile }));
  put(conversationId, [...items, ...added], chosen, lead);
}

export function removeAttachment(conversationId: string, id: string): void {
  const attachments = pendingAttachmentsStore.getState().byConversation[conversationId];
  if (!attachments) return;
  const index = attachments.items.findIndex((item) => item.id === id);
  const left = attachments.items.filter((item) => item.id !== id);
  const next = attachments.chosen === id ? left[Math.min(index, left.length - 1)]?.id : attachments.chosen;
  // The text in the text field moves to the next item, unless that has its own caption.
  const heir = left[0]?.caption === '' ? left[0].id : '';
  put(conversationId, left, next, attachments.lead === id ? heir : attachments.lead);
}

export function changeAttachment(
  conversationId: string,
  id: string,
  change: Partial<Pick<PendingAttachment, 'caption' | 'asFile'>>,
): void {
  const attachments = pendingAttachmentsStore.getState().byConversation[conversationId];
  if (!attachments) return;
  const items = attachments.items.map((item) => (item.id === id ? { ...item, ...change } : item));
  put(conversationId, items, attachments.chosen, attachments.lead);
}

export function chooseAttachment(conversationId: string, id: string): void {
  const attachments = pendingAttachmentsStore.getState().byConversation[conversationId];
  if (attachments) put(conversationId, attachments.items, id, attachments.lead);
}

export function clearAttachments(conversationId: string): void {
  put(conversationId, []);
}

export function clearAllAttachments(): void {
  pendingAttachmentsStore.setState({ byConversation: {} });
}

// The next user to sign in must not find this user's files.
sessionStore.subscribe(({ user }) => {
  if (user === null) clearAllAttachments();
});
