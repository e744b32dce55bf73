import type { ReactNode } from 'react';

/** Bar over a list or a screen, 64 px high so that neighboring panes align. */
export function ScreenHeader({ title, actions }: { title: ReactNode; actions?: ReactNode }) {
  return (
    <header
      data-keep-clear
      className="flex h-16 shrink-0 items-center gap-1 ps-4 pe-2 pt-[env(safe-area-inset-top)] box-content"
    >
      <h1 className="min-w-0 flex-1 truncate text-20 font-semibold tracking-tight">{title}</h1>
      {actions}
    </header>
  );
}
