/** Texts for missing pages: unknown addresses, and pages that failed to load. */
export const enMissing = {
  text: 'There’s nothing at this address. The page may have moved, or the link may be incomplete.',
  page: 'Failed to load this page',
} as const;
