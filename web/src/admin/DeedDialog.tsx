import type { AdminAccount } from '@nolo/api';
import { limits } from '@nolo/rules';
import { useState } from 'react';
import { FormDialog } from '../ui/FormDialog.tsx';
import { Select } from '../ui/Select.tsx';
import { TextArea } from '../ui/TextArea.tsx';
import { toast } from '../ui/toasts.ts';
import type { Deed } from './adminQueries.ts';
import { useDeeds } from './adminQueries.ts';
import { useOperatorWords } from './useOperatorWords.ts';

const spans = ['1', '7', '30', 'lifted'] as const;
type Span = (typeof spans)[number];

interface DeedDialogProps {
  deed: Deed;
  account: AdminAccount;
  name: string;
  onClose: () => void;
  /** Called with the account's new state; null if it is gone. */
  onDone: (now: AdminAccount | null) => void;
}

/** Asks for the reason for an action on an account, and performs it. */
export function DeedDialog({ deed, account, name, onClose, onDone }: DeedDialogProps) {
  const { t } = useOperatorWords();
  const { change } = useDeeds();
  const [reason, setReason] = useState('');
  const [span, setSpan] = useState<Span>('7');
  const [asked, setAsked] = useState(false);
  const missing = reason.trim() === '';
  const suspends = deed === 'suspend';

  const send = async () => {
    setAsked(true);
    if (missing) return;
    const now = await change(deed, account.id, reason.trim(), span === 'lifted' ? null : Number(span));
    if (now === undefined) return;
    toast({ kind: 'success', title: t(`admin.${deed}Done`) });
    onDone(now);
  };

  return (
    <FormDialog
      role="alert"
      size="small"
      title={t(`admin.${deed}Title`, { name })}
      description={t(`admin.${deed}Text`)}
      danger={deed !== 'lift' && deed !== 'reopen'}
      waits
      submitLabel={t(`admin.${deed}`)}
      onClose={onClose}
      onSubmit={send}
    >
      <TextArea
        label={t('admin.reason')}
        hint={suspends ? t('admin.reasonRead') : t('admin.reasonHint')}
        error={asked && missing ? t('admin.reasonMissing') : null}
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
