/** What a key press asks for, or undefined. `g` and then a digit goes to the nth section. */
export type ShortcutAction = { kind: 'sheet' } | { kind: 'search' } | { kind: 'section'; index: number };

interface KeyPress {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
}

export const sequenceTimeoutMs = 1_200;

/** Reads key presses one by one and remembers a `g` that waits for its digit. */
export function createShortcutReader(now: () => number): (press: KeyPress) => ShortcutAction | undefined {
  let waitingSince: number | undefined;
  return (press) => {
    const waited = waitingSince !== undefined && now() - waitingSince <= sequenceTimeoutMs;
    waitingSince = undefined;
    if (press.ctrlKey || press.metaKey || press.altKey) return undefined;
    if (waited && /^[1-9]$/.test(press.key)) return { kind: 'section', index: Number(press.key) - 1 };
    if (press.key === '?') return { kind: 'sheet' };
    if (press.key === '/') return { kind: 'search' };
    if (press.key === 'g') waitingSince = now();
    return undefined;
  };
}
