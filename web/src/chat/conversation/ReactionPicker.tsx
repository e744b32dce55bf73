import { useMemo } from 'react';
import { LateEmojiPopover } from '../emoji/LateEmojiPopover.ts';

export interface ReactionPickerProps {
  /** The message's element: the picker stands beside it, and gives the focus back to it. */
  article: HTMLElement;
  onPick: (emoji: string) => void;
  onClose: () => void;
}

/** All emoji, to react with. */
export function ReactionPicker({ article, onPick, onClose }: ReactionPickerProps) {
  const anchor = useMemo(() => {
    const { left, top, width } = (article.querySelector('[data-bubble]') ?? article).getBoundingClientRect();
    // Above its upper edge, which may be out of the screen.
    return { current: { getBoundingClientRect: () => new DOMRect(left, Math.max(8, top), width, 1) } };
  }, [article]);
  return (
    <LateEmojiPopover
      anchor={anchor}
      onPick={(emoji) => {
        onPick(emoji);
        onClose();
      }}
      onClose={onClose}
      focusAfter={() => article}
    />
  );
}
