import { EmojiPopover } from '../emoji/EmojiPopover.tsx';

export interface ReactionPickerProps {
  /** The message's element: the picker stands beside it, and gives the focus back to it. */
  article: HTMLElement;
  onPick: (emoji: string) => void;
  onClose: () => void;
}

/** All emoji, to react with. */
export function ReactionPicker({ article, onPick, onClose }: ReactionPickerProps) {
  const { left, top, width } = (article.querySelector('[data-bubble]') ?? article).getBoundingClientRect();
  return (
    <EmojiPopover
      anchor={
        <span
          aria-hidden="true"
          className="pointer-events-none fixed h-px"
          style={{ left, top: Math.max(8, top), width }}
        />
      }
      onPick={(emoji) => {
        onPick(emoji);
        onClose();
      }}
      onClose={onClose}
      focusAfter={() => article}
    />
  );
}
