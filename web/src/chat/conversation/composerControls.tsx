import { Check, SendHorizontal, Smile } from 'lucide-react';
import { useRef, useState } from 'react';
import { useLocale } from '../../i18n/locale.ts';
import { classNames } from '../../ui/classNames.ts';
import { Spinner } from '../../ui/Spinner.tsx';
import { LazyEmojiPopover } from '../emoji/LazyEmojiPopover.ts';
import { composerButtonClasses } from '../../ui/composerStyles.ts';
import { useTexts } from '../../i18n/texts.ts';
import { conversationTexts } from '../words/conversationTexts.ts';
import { messagesTexts } from '../words/messagesTexts.ts';

interface EmojiButtonProps {
  onPick: (emoji: string) => void;
  /** Element that gets the focus after a pick. */
  focusAfter: () => HTMLElement | null;
}

export function EmojiButton({ onPick, focusAfter }: EmojiButtonProps) {
  const { t } = useTexts(messagesTexts);
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  return (
    <>
      <button
        ref={button}
        type="button"
        aria-label={t('messages:emoji.open')}
        aria-haspopup="dialog"
        aria-expanded={open}
        onClick={() => setOpen(true)}
        className={composerButtonClasses}
      >
        <Smile aria-hidden="true" className="size-[22px]" />
      </button>
      {open && (
        <LazyEmojiPopover anchor={button} onPick={onPick} onClose={() => setOpen(false)} focusAfter={focusAfter} />
      )}
    </>
  );
}

interface SendButtonProps {
  label: string;
  ready: boolean;
  busy: boolean;
  /** True if the button saves an edit instead of sending a message. */
  saves: boolean;
}

export function SendButton({ label, ready, busy, saves }: SendButtonProps) {
  return (
    <button
      type="submit"
      aria-label={label}
      aria-disabled={!ready || busy}
      // Pressing it must not close a phone's keyboard.
      onPointerDown={(event) => event.preventDefault()}
      className={classNames(
        'inline-flex size-11 shrink-0 items-center justify-center rounded-full transition-colors duration-150 [&_svg]:size-5',
        ready ? 'bg-accent text-on-accent hover:bg-accent-hover' : 'bg-sunken text-muted',
      )}
    >
      {busy ? (
        <Spinner />
      ) : saves ? (
        <Check aria-hidden="true" />
      ) : (
        <SendHorizontal aria-hidden="true" className="rtl:-scale-x-100" />
      )}
    </button>
  );
}

/** Shows how many bytes remain when few do. */
export function BytesLeft({ bytes }: { bytes: number | null }) {
  const { t } = useTexts(conversationTexts);
  const locale = useLocale();
  if (bytes === null) return null;
  return (
    <p role="status" className={classNames('tabular mt-1 px-4 text-12', bytes < 0 ? 'text-danger-text' : 'text-muted')}>
      {t(bytes < 0 ? 'conversation:tooLong' : 'conversation:bytesLeft', {
        formatted: Math.abs(bytes).toLocaleString(locale),
      })}
    </p>
  );
}
