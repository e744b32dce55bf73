import type { KeyboardEvent } from 'react';
import { useRef, useState } from 'react';

/**
 * For a button whose menu comes over the line when it is asked for: it stands over the button, with a trigger of its own
 * that nobody presses.
 */
export function useMenuButton() {
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  /** The press that is being made closes the menu, and must not open it again. */
  const closing = useRef(false);
  const close = (): void => {
    setOpen(false);
    requestAnimationFrame(() => {
      // Unless what was chosen has taken it.
      if (document.activeElement === document.body) button.current?.focus();
    });
  };
  return {
    open,
    close,
    buttonProps: {
      ref: button,
      type: 'button' as const,
      'aria-haspopup': 'menu' as const,
      'aria-expanded': open,
      onPointerDownCapture: () => {
        closing.current = open;
      },
      onClick: () => {
        if (!closing.current) setOpen(true);
        closing.current = false;
      },
      onKeyDown: (event: KeyboardEvent) => {
        if (event.key !== 'ArrowDown') return;
        event.preventDefault();
        setOpen(true);
      },
    },
  };
}
