import { useEffect, useEffectEvent, useRef, useState, type FocusEvent, type ReactNode } from 'react';
import { listen } from '../device/listen.ts';
import { ConfirmDialog } from './ConfirmDialog.tsx';
import { useTexts } from '../i18n/texts.ts';

interface UnsavedWorkOptions {
  /** True if there is work outside text fields: files, chosen people. */
  dirty?: boolean;
  /** True if nothing can be lost, because the input is being sent or was sent. */
  safe?: boolean;
  onClose: () => void;
}

interface UnsavedWork {
  /** Closes the form, or asks first. Returns false if it stays open. */
  close: () => boolean;
  /** Props for the element around the form's fields. */
  watch: { onFocusCapture: (event: FocusEvent) => void };
  /** Confirmation to render in the dialog. */
  question: ReactNode;
}

/** Fields whose text is not work: searches, one-time codes, and passwords. */
const passing = '[type=search], [role=combobox], [autocomplete=one-time-code], [type=password]';

function textFieldOf(target: EventTarget): HTMLInputElement | HTMLTextAreaElement | undefined {
  if (target instanceof HTMLTextAreaElement) return target;
  if (!(target instanceof HTMLInputElement) || target.matches(passing)) return undefined;
  return ['text', 'tel', 'email', 'url'].includes(target.type) ? target : undefined;
}

/** Asks before a form with input, or its page, is closed. */
export function useUnsavedWork({ dirty = false, safe = false, onClose }: UnsavedWorkOptions): UnsavedWork {
  const { t } = useTexts();
  const [isConfirmOpen, setIsConfirmOpen] = useState(false);
  /** Fields that the user visited, with their previous text. */
  const fields = useRef(new Map<HTMLInputElement | HTMLTextAreaElement, string>());

  const wouldLose = (): boolean =>
    !safe &&
    (dirty ||
      [...fields.current].some(
        ([field, before]) => field.isConnected && field.value.trim() !== '' && field.value !== before,
      ));
  const confirmUnload = useEffectEvent((event: Event) => {
    if (wouldLose()) event.preventDefault();
  });
  useEffect(() => listen(window, ['beforeunload'], (event) => confirmUnload(event)), []);

  return {
    close() {
      if (wouldLose()) {
        setIsConfirmOpen(true);
        return false;
      }
      onClose();
      return true;
    },
    watch: {
      onFocusCapture({ target }) {
        const field = textFieldOf(target);
        if (field && !fields.current.has(field)) fields.current.set(field, field.value);
      },
    },
    question: (
      <ConfirmDialog
        open={isConfirmOpen}
        onCancel={() => setIsConfirmOpen(false)}
        title={t('common.discardTitle')}
        text={t('common.discardText')}
        cancelLabel={t('common.keepEditing')}
        confirmLabel={t('common.discard')}
        onConfirm={async () => onClose()}
      />
    ),
  };
}
