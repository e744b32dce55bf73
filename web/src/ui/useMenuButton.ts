import { useRef, useState, type KeyboardEvent } from 'react';

/**
 * Handles a button whose menu loads on demand. The menu opens over the button, with its own trigger that is never
 * pressed.
 */
export function useMenuButton() {
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  /** True while the current press closes the menu, so that it does not open again. */
  const closing = useRef(false);
  const close = (): void => {
    setOpen(false);
    requestAnimationFrame(() => {
      // Restores the focus unless the chosen action has moved it.
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
