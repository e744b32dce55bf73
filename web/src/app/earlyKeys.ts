/** What is pressed before the shortcuts are here, which come after the first screen; nothing pressed is lost to what loads. */
const early: KeyboardEvent[] = [];
const keep = (event: KeyboardEvent): void => {
  early.push(event);
  // The palette's, on which some browsers have a search field of their own.
  if (event.key === 'k' && (event.ctrlKey || event.metaKey)) event.preventDefault();
};
addEventListener('keydown', keep);

/** Hands them out once, and listens no more. */
export function takeEarlyKeys(): KeyboardEvent[] {
  removeEventListener('keydown', keep);
  return early.splice(0);
}
