import { Mic } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { RecordPress } from './recordPress.ts';
import { beginPress, clicked } from './recordPress.ts';

/** Begins a voice note: a click records until one says so, holding it down for as long as one holds. */
export function MicrophoneButton({ onBegin }: { onBegin: (press: RecordPress) => void }) {
  const { t } = useTranslation();
  return (
    <button
      type="button"
      aria-label={t('conversation.record')}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        // Neither a selection nor a phone's menu while it is held.
        event.preventDefault();
        onBegin(beginPress(event.nativeEvent));
      }}
      onContextMenu={(event) => event.preventDefault()}
      // From the keyboard, and from what reads the screen; a pointer has begun it already.
      onClick={(event) => {
        if (event.detail === 0) onBegin(clicked);
      }}
      className="inline-flex size-11 shrink-0 touch-none items-center justify-center rounded-full bg-sunken text-muted select-none hover:bg-hover hover:text-ink"
    >
      <Mic aria-hidden="true" className="size-5.5" />
    </button>
  );
}
