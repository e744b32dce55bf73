import type { ReactNode } from 'react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from './Button.tsx';
import { Dialog } from './Dialog.tsx';

export interface ConfirmDialogProps {
  open: boolean;
  onCancel: () => void;
  title: ReactNode;
  /** What will happen, and to whom. */
  text: ReactNode;
  /** The deed itself, not "OK". */
  confirmLabel: string;
  /** In place of Cancel, where that is what the deed is called. */
  cancelLabel?: string;
  /** False for what can be taken back as easily. */
  danger?: boolean;
  /** The dialog stays and shows that it is busy until this settles; closing it is the caller's part. */
  onConfirm: () => Promise<void>;
}

/** Asks before something that is not taken back easily. */
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
  const { t } = useTranslation();
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
