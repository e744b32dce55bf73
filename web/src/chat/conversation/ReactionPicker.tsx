import { useMemo } from 'react';
import { LazyEmojiPopover } from '../emoji/LazyEmojiPopover.ts';

export interface ReactionPickerProps {
  /** Element of the message. The picker opens beside it and returns the focus to it. */
  article: HTMLElement;
  onPick: (emoji: string) => void;
  onClose: () => void;
}

/** Shows all emoji to react with. */
export function ReactionPicker({ article, onPick, onClose }: ReactionPickerProps) {
  const anchor = useMemo(() => {
    const { left, top, width } = (article.querySelector('[data-bubble]') ?? article).getBoundingClientRect();
    // Anchors the picker at the upper edge of the message, which may be off the screen.
    return { current: { getBoundingClientRect: () => new DOMRect(left, Math.max(8, top), width, 1) } };
  }, [article]);
  return (
    <LazyEmojiPopover
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
