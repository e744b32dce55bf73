import { createStore } from 'zustand/vanilla';

/** Open state of the details pane next to the conversation; leaving the conversation closes it. */
export const detailsPaneStore = createStore<{ open: boolean }>(() => ({ open: false }));

/** Closes the pane on narrow screens, where it covers the conversation. */
export function uncoverConversation(): void {
  if (!matchMedia('(min-width: 1280px)').matches) detailsPaneStore.setState({ open: false });
}
