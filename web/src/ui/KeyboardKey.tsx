import type { ReactNode } from 'react';

export function KeyboardKey({ children }: { children: ReactNode }) {
  return (
    <kbd className="inline-flex h-6 min-w-6 items-center justify-center rounded-[6px] border border-line bg-sunken px-1.5 font-sans text-12 font-medium text-ink">
      {children}
    </kbd>
  );
}
