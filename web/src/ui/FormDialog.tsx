import type { FormEvent } from 'react';
import { useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from './Button.tsx';
import { Dialog } from './Dialog.tsx';
import type { DialogProps } from './Dialog.tsx';
import { useUnsavedWork } from './useUnsavedWork.tsx';

export interface FormDialogProps extends Omit<DialogProps, 'open' | 'onOpenChange' | 'hideTitle' | 'footer'> {
  /** What was filled in goes with the dialog; the person is asked before that. */
  onClose: () => void;
  /** The form is busy until the promise is settled, and is not sent a second time meanwhile. */
  onSubmit: () => Promise<void> | void;
  submitLabel: string;
  /** In its place while the form is busy. */
  busyLabel?: string;
  /** In the place of Cancel: a step back. */
  back?: { label: string; onSelect: () => void } | undefined;
  /** The form holds work that does not stand in a text field, as chosen people. */
  dirty?: boolean;
  /** What stands in the fields is nobody's work, as a word that only confirms. */
  safe?: boolean;
  /** Nothing can be sent yet. */
  disabled?: boolean;
  /** What is sent cannot be undone. */
  danger?: boolean;
  /** What has begun has an outcome that must be seen: neither Escape nor Cancel leaves it. */
  waits?: boolean;
  /** The browser refuses empty fields that are required; otherwise the form says by itself what is wrong with it. */
  checkedByBrowser?: boolean;
}

/**
 * A dialog around one form, with its buttons: whatever is filled in and sent in a dialog is one of these. After it was
 * sent, the first invalid field takes the focus.
 */
export function FormDialog({
  onClose,
  onSubmit,
  submitLabel,
  busyLabel,
  back,
  dirty = false,
  safe = false,
  disabled = false,
  danger = false,
  waits = false,
  checkedByBrowser = false,
  children,
  ...dialog
}: FormDialogProps) {
  const { t } = useTranslation();
  const form = useId();
  const sending = useRef(false);
  const [busy, setBusy] = useState(false);
  const held = waits && busy;
  const unsaved = useUnsavedWork({ dirty, safe: safe || busy, onClose });
  const element = useRef<HTMLFormElement>(null);
  const settled = useRef(false);
  useEffect(() => {
    if (busy || !settled.current) return;
    settled.current = false;
    element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [busy]);

  const send = async () => {
    if (sending.current) return;
    sending.current = true;
    setBusy(true);
    try {
      await onSubmit();
    } finally {
      sending.current = false;
      settled.current = true;
      setBusy(false);
    }
  };

  return (
    <Dialog
      {...dialog}
      open
      onOpenChange={(open) => open || (!held && unsaved.close())}
      footer={
        <>
          <Button kind="secondary" disabled={held} onClick={back?.onSelect ?? unsaved.close}>
            {back?.label ?? t('common.cancel')}
          </Button>
          <Button kind={danger ? 'danger' : 'primary'} type="submit" form={form} disabled={disabled} busy={busy}>
            {busy ? (busyLabel ?? submitLabel) : submitLabel}
          </Button>
        </>
      }
    >
      <form
        ref={element}
        id={form}
        noValidate={!checkedByBrowser}
        className="flex flex-col gap-4"
        {...unsaved.watch}
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          // Another form may lie around the dialog in the tree of components.
          event.stopPropagation();
          void send();
        }}
      >
        {children}
      </form>
      {unsaved.question}
    </Dialog>
  );
}
