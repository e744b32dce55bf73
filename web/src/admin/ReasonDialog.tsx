import { limits } from '@nolo/rules';
import { useState, type ReactNode } from 'react';
import { FormDialog, type FormDialogProps } from '../ui/FormDialog.tsx';
import { TextArea } from '../ui/TextArea.tsx';
import { toast } from '../ui/toasts.ts';
import { useTexts } from '../i18n/texts.ts';
import { adminTexts } from './adminTexts.ts';

interface ReasonDialogProps extends Omit<FormDialogProps, 'onSubmit'> {
  /** Message shown once it is done. */
  done?: string;
  /** Texts of the field. Default: those for a reason. */
  field?: { label?: string; hint?: string; missing?: string };
  /** Resolves to undefined if it failed, and shows the failure itself. */
  onSubmit: (reason: string) => Promise<object | undefined>;
  /** Fields above and below the reason. */
  children?: ReactNode;
  below?: ReactNode;
}

/** Asks for an operator's reason, for the audit, and performs the action. */
export function ReasonDialog({ done, field, onSubmit, children, below, ...dialog }: ReasonDialogProps) {
  const { t } = useTexts(adminTexts);
  const [reason, setReason] = useState('');
  const [hasSubmitted, setHasSubmitted] = useState(false);
  const missing = reason.trim() === '';
  const send = async () => {
    setHasSubmitted(true);
    if (missing || !(await onSubmit(reason.trim()))) return;
    if (done !== undefined) toast({ kind: 'success', title: done });
    dialog.onClose();
  };
  return (
    <FormDialog {...(dialog.danger && { role: 'alert' })} size="small" waits {...dialog} onSubmit={send}>
      {children}
      <TextArea
        label={field?.label ?? t('admin:reason')}
        hint={field?.hint ?? t('admin:reasonHint')}
        error={hasSubmitted && missing ? (field?.missing ?? t('admin:reasonMissing')) : null}
        maxLength={limits.operatorReasonLength}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
      {below}
    </FormDialog>
  );
}
