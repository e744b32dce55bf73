import type { ReactNode } from 'react';

/** Scroll container for longer pages, because the document itself does not scroll while the app is shown. */
export function ScrollPage({ children }: { children: ReactNode }) {
  return <div className="relative h-dvh overflow-y-auto bg-page">{children}</div>;
}
