import { createStore } from 'zustand/vanilla';
import { sessionStore } from '../../session/session.ts';

/** File that is about to be sent. */
export interface TrayItem {
  readonly id: string;
  readonly file: File;
  readonly caption: string;
  /** True if it is sent unchanged and shown as a file, even if it is a picture. */
  readonly asFile: boolean;
}

export interface Tray {
  readonly items: readonly TrayItem[];
  /** Id of the item whose caption is being edited. */
  readonly chosen: string;
  /** Id of the item whose caption is the text field's previous text. Empty if that item was removed. */
  readonly lead: string;
}

/** Pending attachments by conversation. They stay while the user looks elsewhere, until the tab closes. */
export const trayStore = createStore<{ trays: Readonly<Record<string, Tray>> }>(() => ({ trays: {} }));

function put(conversationId: string, items: readonly TrayItem[], chosen?: string, lead?: string): void {
  trayStore.setState(({ trays }) => {
    const { [conversationId]: _, ...others } = trays;
    const first = items[0]?.id;
    if (first === undefined) return { trays: others };
    const stillThere = items.some(({ id }) => id === chosen);
    const tray = { items, chosen: stillThere && chosen ? chosen : first, lead: lead ?? first };
    return { trays: { ...others, [conversationId]: tray } };
  });
}

export function addToTray(conversationId: string, files: readonly File[], asFile = false): void {
  const { items = [], chosen, lead } = trayStore.getState().trays[conversationId] ?? {};
  const added = files.map((file) => ({ id: crypto.randomUUID(), file, caption: '', asFile }));
  put(conversationId, [...items, ...added], chosen, lead);
}

export function removeFromTray(conversationId: string, id: string): void {
  const tray = trayStore.getState().trays[conversationId];
  if (!tray) return;
  const index = tray.items.findIndex((item) => item.id === id);
  const left = tray.items.filter((item) => item.id !== id);
  const next = tray.chosen === id ? left[Math.min(index, left.length - 1)]?.id : tray.chosen;
  // The text in the text field moves to the next item, unless that has its own caption.
  const heir = left[0]?.caption === '' ? left[0].id : '';
  put(conversationId, left, next, tray.lead === id ? heir : tray.lead);
}

export function changeTrayItem(
  conversationId: string,
  id: string,
  change: Partial<Pick<TrayItem, 'caption' | 'asFile'>>,
): void {
  const tray = trayStore.getState().trays[conversationId];
  if (!tray) return;
  const items = tray.items.map((item) => (item.id === id ? { ...item, ...change } : item));
  put(conversationId, items, tray.chosen, tray.lead);
}

export function chooseInTray(conversationId: string, id: string): void {
  const tray = trayStore.getState().trays[conversationId];
  if (tray) put(conversationId, tray.items, id, tray.lead);
}

export function emptyTray(conversationId: string): void {
  put(conversationId, []);
}

export function emptyTrays(): void {
  trayStore.setState({ trays: {} });
}

// The next user to sign in must not find this user's files.
sessionStore.subscribe(({ user }) => {
  if (user === null) emptyTrays();
});
