import type { ReactNode } from 'react';

/** The document itself does not scroll while the app shows; a page that is longer scrolls in here. */
export function ScrollPage({ children }: { children: ReactNode }) {
  return <div className="relative h-dvh overflow-y-auto bg-page">{children}</div>;
}
