import { Mic } from 'lucide-react';
import { beginPress, keyboardRecordPress, type RecordPress } from './recordPress.ts';
import { useTexts } from '../../i18n/texts.ts';
import { conversationTexts } from '../words/conversationTexts.ts';

/** Starts a voice note. A click records until stopped, and holding the button records while it is held. */
export function MicrophoneButton({ onBegin }: { onBegin: (press: RecordPress) => void }) {
  const { t } = useTexts(conversationTexts);
  return (
    <button
      type="button"
      aria-label={t('conversation:record')}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        // Prevents text selection and a phone's context menu while held.
        event.preventDefault();
        onBegin(beginPress(event.nativeEvent));
      }}
      onContextMenu={(event) => event.preventDefault()}
      // Keyboard and screen reader activation. A pointer has already started it.
      onClick={(event) => {
        if (event.detail === 0) onBegin(keyboardRecordPress);
      }}
      className="inline-flex size-11 shrink-0 touch-none items-center justify-center rounded-full bg-sunken text-muted select-none hover:bg-hover hover:text-ink"
    >
      <Mic aria-hidden="true" className="size-5.5" />
    </button>
  );
}
