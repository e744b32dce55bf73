import type { ComponentType, RefObject } from 'react';
import { Popover } from 'radix-ui';
import { useOverlay } from '../../ui/useOverlay.ts';
import { useMessageWords } from '../words/useMessageWords.ts';
import type { Emoji } from './emoji.ts';
import { EmojiPicker } from './EmojiPicker.tsx';
import { supportedVersion } from './emojiSupport.ts';

export interface EmojiPopoverProps {
  /** What it stands beside; it opens with the component. */
  anchor: RefObject<{ getBoundingClientRect(): DOMRect } | null>;
  onPick: (emoji: string) => void;
  onClose: () => void;
  /** Who gets the focus when it closes. */
  focusAfter: () => HTMLElement | null;
}

const namedInLanguage = async (): Promise<readonly Emoji[]> =>
  document.documentElement.lang === 'de'
    ? (await import('./emojiGerman.ts')).emojiGerman
    : (await import('./emojiData.ts')).allEmoji;

/** Gives the picker all emoji that this browser can draw. */
export async function loadEmojiPopover(): Promise<ComponentType<EmojiPopoverProps>> {
  const known = await namedInLanguage();
  let drawn: readonly Emoji[] | undefined;
  return (props) => {
    // To try them has the browser look for fonts, which is only done once somebody wants to see them.
    drawn ??= drawnOf(known);
    return <EmojiPopover all={drawn} {...props} />;
  };
}

function drawnOf(known: readonly Emoji[]): readonly Emoji[] {
  const newest = supportedVersion(known);
  return known.filter(({ version }) => version <= newest);
}

/** The emoji picker over what it was opened from; on phones at the lower edge (menuSheet.css). */
function EmojiPopover({ all, anchor, onPick, onClose, focusAfter }: EmojiPopoverProps & { all: readonly Emoji[] }) {
  const { t } = useMessageWords();
  useOverlay(true, onClose);
  return (
    <Popover.Root
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
    >
      <Popover.Anchor virtualRef={anchor} />
      <Popover.Portal>
        <div>
          <div data-sheet-scrim="" />
          <Popover.Content
            data-sheet="panel"
            side="top"
            align="start"
            sideOffset={8}
            collisionPadding={8}
            aria-label={t('messages.emoji.title')}
            onOpenAutoFocus={(event) => {
              // On a phone the keyboard would come up over half of the emoji.
              if (!matchMedia('(pointer: coarse)').matches) return;
              event.preventDefault();
              (event.currentTarget as HTMLElement | null)?.focus();
            }}
            onCloseAutoFocus={(event) => {
              event.preventDefault();
              focusAfter()?.focus({ preventScroll: true });
            }}
            className="z-50 h-[min(26rem,var(--radix-popover-content-available-height))] w-[min(22.5rem,calc(100vw-1rem))] origin-(--radix-popover-content-transform-origin) animate-pop-in rounded-card border border-line bg-overlay p-3 text-ink shadow-overlay outline-none"
          >
            <EmojiPicker all={all} onPick={onPick} />
          </Popover.Content>
        </div>
      </Popover.Portal>
    </Popover.Root>
  );
}
