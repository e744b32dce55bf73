import type { ReactNode } from 'react';
import { useEffect, useState } from 'react';
import { Popover } from 'radix-ui';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { useOverlay } from '../../ui/useOverlay.ts';
import { useMessageWords } from '../conversation/useMessageWords.ts';
import type { Emoji } from './emoji.ts';
import { EmojiPicker } from './EmojiPicker.tsx';
import { supportedVersion } from './emojiSupport.ts';

let loaded: readonly Emoji[] | undefined;

/** Those that this browser can draw. The list is as large as a screen of the app, so it comes when it is asked for. */
async function loadEmoji(): Promise<readonly Emoji[]> {
  if (loaded) return loaded;
  const { allEmoji } = await import('./emojiData.ts');
  const newest = supportedVersion(allEmoji);
  return (loaded = allEmoji.filter(({ version }) => version <= newest));
}

export interface EmojiPopoverProps {
  /** What it stands beside; it opens with the component. */
  anchor: ReactNode;
  onPick: (emoji: string) => void;
  onClose: () => void;
  /** Who gets the focus when it closes. */
  focusAfter: () => HTMLElement | null;
}

/** The emoji picker over what it was opened from. */
export function EmojiPopover({ anchor, onPick, onClose, focusAfter }: EmojiPopoverProps) {
  const { t } = useMessageWords();
  const [emoji, setEmoji] = useState(loaded);
  const [failed, setFailed] = useState(false);
  useOverlay(true, onClose);
  useEffect(() => {
    if (emoji || failed) return;
    loadEmoji()
      .then(setEmoji)
      .catch(() => setFailed(true));
  }, [emoji, failed]);
  return (
    <Popover.Root
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
    >
      <Popover.Anchor asChild>{anchor}</Popover.Anchor>
      <Popover.Portal>
        <Popover.Content
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
          className="z-50 h-[min(26rem,var(--radix-popover-content-available-height))] w-[min(22.5rem,calc(100vw-1rem))] animate-pop-in rounded-card border border-line bg-overlay p-3 text-ink shadow-overlay outline-none"
        >
          {emoji ? (
            <EmojiPicker all={emoji} onPick={onPick} />
          ) : failed ? (
            <ErrorState title={t('messages.emoji.failed')} onRetry={() => setFailed(false)} />
          ) : (
            <div
              role="status"
              aria-label={t('messages.emoji.loading')}
              className="flex h-full items-center justify-center"
            >
              <Spinner className="size-6 text-muted" />
            </div>
          )}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
