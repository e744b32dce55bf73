import type { AdminAccount } from '@nolo/api';
import { limits } from '@nolo/rules';
import { useState } from 'react';
import { FormDialog } from '../ui/FormDialog.tsx';
import { Select } from '../ui/Select.tsx';
import { TextArea } from '../ui/TextArea.tsx';
import { toast } from '../ui/toasts.ts';
import type { AccountAction } from './adminQueries.ts';
import { useOperatorActions } from './adminQueries.ts';
import { useOperatorWords } from './useOperatorWords.ts';

const spans = ['1', '7', '30', 'lifted'] as const;
type Span = (typeof spans)[number];

interface AccountActionDialogProps {
  action: AccountAction;
  account: AdminAccount;
  name: string;
  onClose: () => void;
  /** Called with the account's new state; null if it is gone. */
  onDone: (now: AdminAccount | null) => void;
}

/** Asks for the reason for an action on an account, and performs it. */
export function AccountActionDialog({ action, account, name, onClose, onDone }: AccountActionDialogProps) {
  const { t } = useOperatorWords();
  const { change } = useOperatorActions();
  const [reason, setReason] = useState('');
  const [span, setSpan] = useState<Span>('7');
  const [hasSubmitted, setHasSubmitted] = useState(false);
  const missing = reason.trim() === '';
  const suspends = action === 'suspend';

  const send = async () => {
    setHasSubmitted(true);
    if (missing) return;
    const now = await change(action, account.id, reason.trim(), span === 'lifted' ? null : Number(span));
    if (now === undefined) return;
    toast({ kind: 'success', title: t(`admin.${action}Done`) });
    onDone(now);
  };

  return (
    <FormDialog
      role="alert"
      size="small"
      title={t(`admin.${action}Title`, { name })}
      description={t(`admin.${action}Text`)}
      danger={action !== 'lift' && action !== 'reopen'}
      waits
      submitLabel={t(`admin.${action}`)}
      onClose={onClose}
      onSubmit={send}
    >
      <TextArea
        label={t('admin.reason')}
        hint={suspends ? t('admin.reasonRead') : t('admin.reasonHint')}
        error={hasSubmitted && missing ? t('admin.reasonMissing') : null}
        maxLength={limits.operatorReasonLength}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
      {suspends && (
        <Select<Span>
          label={t('admin.until')}
          value={span}
          onValueChange={setSpan}
          options={spans.map((value) => ({
            value,
            label: value === 'lifted' ? t('admin.untilLifted') : t('admin.untilDays', { count: Number(value) }),
          }))}
        />
      )}
    </FormDialog>
  );
}
