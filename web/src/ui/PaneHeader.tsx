import type { ReactNode } from 'react';

/** Bar over a side pane, the same for a modal pane and one beside the content. */
export function PaneHeader({ title, close }: { title: ReactNode; close: ReactNode }) {
  return (
    <header
      data-keep-clear
      className="box-content flex h-16 shrink-0 items-center gap-2 border-b border-line ps-4 pe-2 pt-[env(safe-area-inset-top)]"
    >
      <div className="min-w-0 flex-1">{title}</div>
      {close}
    </header>
  );
}
