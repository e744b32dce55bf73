import type { ComponentType, RefObject } from 'react';
import { Popover } from 'radix-ui';
import { useCloseOverlayOnBack } from '../../ui/useCloseOverlayOnBack.ts';
import type { Emoji } from './emoji.ts';
import { EmojiPicker } from './EmojiPicker.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { messagesTexts } from '../words/messagesTexts.ts';

export interface EmojiPopoverProps {
  /** Anchor of the popover, which opens when the component mounts. */
  anchor: RefObject<{ getBoundingClientRect(): DOMRect } | null>;
  onPick: (emoji: string) => void;
  onClose: () => void;
  /** Element that gets the focus when it closes. */
  focusAfter: () => HTMLElement | null;
}

const namedInLanguage = async (): Promise<readonly Emoji[]> =>
  document.documentElement.lang === 'de'
    ? (await import('./emojiGerman.ts')).emojiGerman
    : (await import('./emojiData.ts')).allEmoji;

/** Loads the picker with all emoji that this browser can draw. */
export async function loadEmojiPopover(): Promise<ComponentType<EmojiPopoverProps>> {
  const known = await namedInLanguage();
  let drawn: readonly Emoji[] | undefined;
  return (props) => {
    // Testing the emoji makes the browser look for fonts, so it waits until the picker is first opened.
    drawn ??= drawnOf(known);
    return <EmojiPopover all={drawn} {...props} />;
  };
}

function drawnOf(known: readonly Emoji[]): readonly Emoji[] {
  const newest = findSupportedEmojiVersion(known);
  return known.filter(({ version }) => version <= newest);
}

/** Emoji picker over its anchor. On phones it is at the lower edge (menuSheet.css). */
function EmojiPopover({ all, anchor, onPick, onClose, focusAfter }: EmojiPopoverProps & { all: readonly Emoji[] }) {
  const { t } = useTexts(messagesTexts);
  useCloseOverlayOnBack(true, onClose);
  return (
    <Popover.Root open onOpenChange={(open) => open || onClose()}>
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
            aria-label={t('messages:emoji.title')}
            onOpenAutoFocus={(event) => {
              // The keyboard would cover half of the emoji on a phone.
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

const cellPixels = 20;

let context: CanvasRenderingContext2D | null | undefined;

function canvas(): CanvasRenderingContext2D | null {
  if (context !== undefined) return context;
  const element = document.createElement('canvas');
  [element.width, element.height] = [cellPixels, cellPixels];
  context = element.getContext('2d', { willReadFrequently: true });
  if (context) {
    context.textBaseline = 'top';
    context.font = `${cellPixels - 4}px sans-serif`;
  }
  return context;
}

/** Returns true if the emoji has colors of its own. Characters missing from the font are drawn in the text color. */
function isColoured(drawing: CanvasRenderingContext2D, text: string): boolean {
  const paint = (colour: string): Uint8ClampedArray => {
    drawing.clearRect(0, 0, cellPixels, cellPixels);
    drawing.fillStyle = colour;
    drawing.fillText(text, 0, 0);
    return drawing.getImageData(0, 0, cellPixels, cellPixels).data;
  };
  const [red, blue] = [paint('#f00'), paint('#00f')];
  let seen = false;
  for (let at = 0; at < red.length; at += 4) {
    if ((red[at + 3] ?? 0) < 200) continue;
    seen = true;
    if (red[at] === blue[at] && red[at + 2] === blue[at + 2]) return true;
  }
  // If nothing can be drawn at all (a browser that blurs canvas data), support is unknown.
  return !seen;
}

/**
 * Returns the newest Unicode Emoji version that this browser can draw. Tries one example of each version, newest first,
 * because drawing all of them takes noticeable time.
 */
function findSupportedEmojiVersion(
  emoji: readonly { text: string; version: number; tones: readonly string[] }[],
): number {
  const drawing = canvas();
  if (!drawing) return Infinity;
  const examples = new Map<number, string>();
  for (const { text, version } of emoji) {
    // Older fonts draw sequences as their parts, so only single code points are conclusive.
    if ([...text].length === 1 && !examples.has(version)) examples.set(version, text);
  }
  const newestFirst = [...examples].toSorted(([a], [b]) => b - a);
  return newestFirst.find(([, text]) => isColoured(drawing, text))?.[0] ?? Infinity;
}
