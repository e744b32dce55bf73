import type { ReactNode } from 'react';
import { BackLink } from './BackLink.tsx';

/** Screen that was opened from the profile. */
export function ProfileSubpageFrame({ title, back, children }: { title: string; back: string; children: ReactNode }) {
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <header
        data-keep-clear
        className="box-content flex h-16 shrink-0 items-center gap-1 ps-2 pe-4 pt-[env(safe-area-inset-top)]"
      >
        <BackLink to="/profile" label={back} />
        <h1 className="min-w-0 flex-1 truncate text-20 font-semibold tracking-tight">{title}</h1>
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto px-4 pt-1 pb-8">
        <div className="mx-auto flex w-full max-w-200 flex-col gap-4">{children}</div>
      </div>
    </div>
  );
}
