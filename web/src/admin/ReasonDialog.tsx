import { limits } from '@nolo/rules';
import { useState } from 'react';
import { FormDialog } from '../ui/FormDialog.tsx';
import { TextArea } from '../ui/TextArea.tsx';
import { toast } from '../ui/toasts.ts';
import { useOperatorWords } from './useOperatorWords.ts';

interface ReasonDialogProps {
  title: string;
  text: string;
  submitLabel: string;
  /** Message shown once it is done. */
  done: string;
  /** True if the action cannot be undone. */
  danger?: boolean;
  onClose: () => void;
  /** Resolves to true if it was done; shows any error itself. */
  onSubmit: (reason: string) => Promise<boolean>;
}

/** Asks for an operator's reason, for the audit, and performs the action. */
export function ReasonDialog({ title, text, submitLabel, done, danger = false, onClose, onSubmit }: ReasonDialogProps) {
  const { t } = useOperatorWords();
  const [reason, setReason] = useState('');
  const [hasSubmitted, setHasSubmitted] = useState(false);
  const missing = reason.trim() === '';
  const send = async () => {
    setHasSubmitted(true);
    if (missing || !(await onSubmit(reason.trim()))) return;
    toast({ kind: 'success', title: done });
    onClose();
  };
  return (
    <FormDialog
      {...(danger && { role: 'alert' })}
      size="small"
      title={title}
      description={text}
      danger={danger}
      waits
      submitLabel={submitLabel}
      onClose={onClose}
      onSubmit={send}
    >
      <TextArea
        label={t('admin.reason')}
        hint={t('admin.reasonHint')}
        error={hasSubmitted && missing ? t('admin.reasonMissing') : null}
        maxLength={limits.operatorReasonLength}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
    </FormDialog>
  );
}
