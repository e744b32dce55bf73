/** Stores keys pressed before the shortcuts are loaded, which happens after the first screen, so that none is lost. */
const early: KeyboardEvent[] = [];
const keep = (event: KeyboardEvent): void => {
  early.push(event);
  // The palette's shortcut, which opens a search field in some browsers.
  if (event.key === 'k' && (event.ctrlKey || event.metaKey)) event.preventDefault();
};
addEventListener('keydown', keep);

/** Returns the stored keys once, and stops listening. */
export function takeEarlyKeyPresses(): KeyboardEvent[] {
  removeEventListener('keydown', keep);
  return early.splice(0);
}
