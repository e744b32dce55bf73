import type { AdminOrder } from '@nolo/api';
import { useState } from 'react';
import { useLocale } from '../../i18n/locale.ts';
import { FormDialog } from '../../ui/FormDialog.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { toMinorUnits, formatMoneyText } from '../model/money.ts';
import { useBillingAdminActions } from './adminQueries.ts';
import { useAdminWords } from './useAdminWords.ts';

/** Refunds the remaining amount of an order, or a part of it, with a reason for the audit. */
export function RefundDialog({ order, onClose }: { order: AdminOrder; onClose: () => void }) {
  const { t } = useAdminWords();
  const locale = useLocale();
  const { refund } = useBillingAdminActions();
  // Retrying with the same id after a lost answer repeats the same refund.
  const [id] = useState(() => crypto.randomUUID());
  const left = order.amountMinor - order.refundedMinor;
  const leftText = formatMoneyText(left, order.currency, locale);
  const [amount, setAmount] = useState((left / 100).toFixed(2));
  const [reason, setReason] = useState('');
  const [hasSubmitted, setHasSubmitted] = useState(false);
  const amountMinor = toMinorUnits(amount);
  const amountWrong = amountMinor === undefined || amountMinor < 1 || amountMinor > left;
  const reasonMissing = reason.trim() === '';

  const give = async () => {
    setHasSubmitted(true);
    if (reasonMissing || amountWrong) return;
    const done = await refund(order.id, { id, amountMinor, reason: reason.trim() });
    if (done) onClose();
  };

  return (
    <FormDialog
      role="alert"
      size="small"
      title={t('billingAdmin.refundTitle')}
      description={t('billingAdmin.refundText', { amount: leftText })}
      danger
      waits
      submitLabel={t('billingAdmin.refund')}
      onClose={onClose}
      onSubmit={give}
    >
      <TextField
        label={t('billingAdmin.refundAmount', { currency: order.currency })}
        inputMode="decimal"
        error={hasSubmitted && amountWrong ? t('billingAdmin.refundWrong', { amount: leftText }) : null}
        value={amount}
        onChange={(event) => setAmount(event.target.value)}
      />
      <TextField
        label={t('billingAdmin.reason')}
        hint={t('billingAdmin.reasonHint')}
        error={hasSubmitted && reasonMissing ? t('billingAdmin.reasonMissing') : null}
        maxLength={500}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
    </FormDialog>
  );
}
