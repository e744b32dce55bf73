/** Action of a key press, or undefined. `g` followed by a digit opens the nth section. */
export type ShortcutAction =
  | { kind: 'sheet' | 'search' | 'palette' }
  | { kind: 'section'; index: number }
  /** Chat before or after the open one in the list, or the next unread one. */
  | { kind: 'chat'; step: 1 | -1; unread: boolean };

interface KeyPress {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  shiftKey: boolean;
}

export function asksForPalette({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyPress): boolean {
  return ctrlKey !== metaKey && !altKey && !shiftKey && key.toLowerCase() === 'k';
}

/** Reads shortcuts that work everywhere, even while typing. */
function readAnywhere(press: KeyPress): ShortcutAction | undefined {
  if (asksForPalette(press)) return { kind: 'palette' };
  const { key, ctrlKey, metaKey, altKey, shiftKey } = press;
  if (!altKey || ctrlKey || metaKey || (key !== 'ArrowUp' && key !== 'ArrowDown')) return undefined;
  return { kind: 'chat', step: key === 'ArrowDown' ? 1 : -1, unread: shiftKey };
}

export const sequenceTimeoutMs = 1_200;

/**
 * Creates a reader of single key presses that remembers a `g` waiting for its digit, and ignores letters while the user
 * types.
 */
export function createShortcutReader(
  now: () => number,
): (press: KeyPress, typing: boolean) => ShortcutAction | undefined {
  let waitingSince: number | undefined;
  return (press, typing) => {
    const waited = waitingSince !== undefined && now() - waitingSince <= sequenceTimeoutMs;
    waitingSince = undefined;
    const anywhere = readAnywhere(press);
    if (anywhere !== undefined || typing || press.ctrlKey || press.metaKey || press.altKey) return anywhere;
    if (waited && /^[1-9]$/.test(press.key)) return { kind: 'section', index: Number(press.key) - 1 };
    if (press.key === '?') return { kind: 'sheet' };
    if (press.key === '/') return { kind: 'search' };
    if (press.key === 'g') waitingSince = now();
    return undefined;
  };
}
