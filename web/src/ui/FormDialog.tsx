import type { FormEvent } from 'react';
import { useEffect, useId, useRef, useState } from 'react';
import { Button } from './Button.tsx';
import { Dialog } from './Dialog.tsx';
import type { DialogProps } from './Dialog.tsx';
import { useUnsavedWork } from './useUnsavedWork.tsx';
import { useTexts } from '../i18n/texts.ts';

export interface FormDialogProps extends Omit<DialogProps, 'open' | 'onOpenChange' | 'hideTitle' | 'footer'> {
  /** Closes the dialog and discards its input, after asking. */
  onClose: () => void;
  /** Submits the form. It is busy until the promise settles and cannot be submitted again meanwhile. */
  onSubmit: () => unknown;
  submitLabel: string;
  /** Label that replaces `submitLabel` while the form is busy. */
  busyLabel?: string;
  /** Step back, in place of Cancel. */
  back?: { label: string; onSelect: () => void } | undefined;
  /** True if the form contains work outside text fields, such as chosen people. */
  dirty?: boolean;
  /** True if the fields contain no work, such as a confirmation word. */
  safe?: boolean;
  /** True while the form cannot be submitted. */
  disabled?: boolean;
  /** True if submitting cannot be undone. */
  danger?: boolean;
  /** True if the outcome must be seen once started: neither Escape nor Cancel closes the dialog then. */
  waits?: boolean;
  /** True if the browser rejects empty required fields. Otherwise, the form reports its own problems. */
  checkedByBrowser?: boolean;
}

/**
 * Dialog around one form, with its buttons. Every dialog with input to submit uses it. After submission, the first
 * invalid field gets the focus.
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
  const { t } = useTexts();
  const form = useId();
  const sending = useRef(false);
  const [busy, setBusy] = useState(false);
  const isLocked = waits && busy;
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
      onOpenChange={(open) => open || (!isLocked && unsaved.close())}
      footer={
        <>
          <Button kind="secondary" disabled={isLocked} onClick={back?.onSelect ?? unsaved.close}>
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
          // The dialog may be inside another form in the component tree.
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
