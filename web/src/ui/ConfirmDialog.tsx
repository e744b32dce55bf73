import { useState, type ReactNode } from 'react';
import { Button } from './Button.tsx';
import { Dialog } from './Dialog.tsx';
import { useTexts } from '../i18n/texts.ts';

export interface ConfirmDialogProps {
  open: boolean;
  onCancel: () => void;
  title: ReactNode;
  /** Consequences, and whom they affect. */
  text: ReactNode;
  /** Label that names the action, not "OK". */
  confirmLabel: string;
  /** Label in place of Cancel, if the action itself is called that. */
  cancelLabel?: string;
  /** False for actions that are as easy to undo. */
  danger?: boolean;
  /** Runs the action. The dialog stays open and busy until this settles. The caller closes it. */
  onConfirm: () => Promise<unknown>;
}

/** Asks before an action that is hard to undo. */
export function ConfirmDialog({
  open,
  onCancel,
  title,
  text,
  confirmLabel,
  cancelLabel,
  danger = true,
  onConfirm,
}: ConfirmDialogProps) {
  const { t } = useTexts();
  const [busy, setBusy] = useState(false);
  return (
    <Dialog
      open={open}
      role="alert"
      size="small"
      onOpenChange={(next) => next || (!busy && onCancel())}
      title={title}
      description={text}
      footer={
        <>
          <Button kind="secondary" onClick={onCancel}>
            {cancelLabel ?? t('common.cancel')}
          </Button>
          <Button
            kind={danger ? 'danger' : 'primary'}
            busy={busy}
            onClick={() => {
              setBusy(true);
              void onConfirm().finally(() => setBusy(false));
            }}
          >
            {confirmLabel}
          </Button>
        </>
      }
    />
  );
}
