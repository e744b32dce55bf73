/** What is pressed before the shortcuts are here, which come after the first screen; nothing pressed is lost to what loads. */
const early: KeyboardEvent[] = [];
const keep = (event: KeyboardEvent) => void early.push(event);
addEventListener('keydown', keep);

/** Hands them out once, and listens no more. */
export function takeEarlyKeys(): KeyboardEvent[] {
  removeEventListener('keydown', keep);
  return early.splice(0);
}
