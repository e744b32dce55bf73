import type { ComponentType } from 'react';
import { lazy, Suspense } from 'react';
import type { Section } from '../session/features.ts';

/** By then the screen stands, and what is fetched for a badge takes nothing from it. */
const settledMs = 3_000;

const StatusBadge = lazy(async (): Promise<{ default: ComponentType }> => {
  await new Promise((resolve) => setTimeout(resolve, settledMs));
  try {
    return { default: (await import('../status/StatusBadge.tsx')).StatusBadge };
  } catch {
    // The section stays without a badge until the next visit.
    return { default: () => null };
  }
});

/** The count at a section's icon, where it has one. */
export function SectionBadge({ section }: { section: Section }) {
  if (section !== 'status') return null;
  return (
    <Suspense>
      <StatusBadge />
    </Suspense>
  );
}
