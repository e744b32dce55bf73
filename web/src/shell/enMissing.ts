/** What is not there: beside the title of an address where nothing is, and in place of a page that did not come. */
export const enMissing = {
  text: 'There’s nothing at this address. The page may have moved, or the link may be incomplete.',
  page: 'Failed to load this page',
} as const;
