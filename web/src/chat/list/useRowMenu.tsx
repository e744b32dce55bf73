import type { Conversation } from '@nolo/api';
import { Suspense, useState, type KeyboardEvent, type ReactNode } from 'react';
import { isMenuKey, useContextMenu } from '../../shell/useContextMenu.ts';
import type { MenuPlace } from '../../ui/DropdownMenu.tsx';
import { lazyOverlay } from '../../ui/lazyComponents.tsx';

/* Loads on demand, because it is as large as the list. */
const TidyDialog = lazyOverlay(async () => (await import('./ClearConversationDialog.tsx')).ClearConversationDialog);
const RowMenu = lazyOverlay(async () => (await import('./RowMenu.tsx')).RowMenu);

/** Conversation whose menu is open, and its position on the screen. */
export interface RowMenuState extends MenuPlace {
  id: string;
}

function rowOf(target: EventTarget | null): HTMLElement | null {
  const row = (target as HTMLElement | null)?.closest('[role="listitem"]');
  return row?.querySelector<HTMLElement>('[data-conversation]') ?? null;
}

/** Menu of a row: opens with a right-click, a long press, or the menu key. */
export function useRowMenu(rows: readonly Conversation[]) {
  const [menu, setMenu] = useState<RowMenuState | null>(null);
  const [tidying, setTidying] = useState<{ conversation: Conversation; fromList: boolean } | null>(null);
  const open = (target: EventTarget | null, at?: { x: number; y: number }): boolean => {
    const origin = rowOf(target);
    if (!origin) return false;
    const { left, bottom, width } = origin.getBoundingClientRect();
    const place = at ?? { x: left + width / 2, y: bottom - 16 };
    setMenu({ id: origin.dataset['conversation'] ?? '', origin, ...place });
    return true;
  };
  const handlers = useContextMenu(open);
  const conversation = rows.find(({ id }) => id === menu?.id);
  const element: ReactNode = (
    <>
      {menu && conversation && (
        <Suspense>
          <RowMenu
            conversation={conversation}
            menu={menu}
            onTidy={(fromList) => setTidying({ conversation, fromList })}
            onClose={() => setMenu(null)}
          />
        </Suspense>
      )}
      {tidying && (
        <Suspense>
          <TidyDialog {...tidying} onClose={() => setTidying(null)} />
        </Suspense>
      )}
    </>
  );
  return {
    element,
    handlers,
    /** Returns true if the menu handled the key. */
    onKeyDown(event: KeyboardEvent<HTMLElement>): boolean {
      if (!isMenuKey(event) || !open(event.target)) return false;
      event.preventDefault();
      return true;
    },
  };
}
