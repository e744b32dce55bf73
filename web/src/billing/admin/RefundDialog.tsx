import type { AdminOrder } from '@nolo/api';
import type { FormEvent } from 'react';
import { useId, useState } from 'react';
import { useLocale } from '../../i18n/locale.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { minorOf, moneyText } from '../model/money.ts';
import { useAdminDeeds } from './adminQueries.ts';
import { useAdminWords } from './useAdminWords.ts';

/** Gives back what is left of an order, or a part of it; with a reason, for the audit. */
export function RefundDialog({ order, onClose }: { order: AdminOrder; onClose: () => void }) {
  const { t } = useAdminWords();
  const locale = useLocale();
  const form = useId();
  const { refund } = useAdminDeeds();
  // Asked once more after a lost answer, it is the same refund.
  const [id] = useState(() => crypto.randomUUID());
  const left = order.amountMinor - order.refundedMinor;
  const leftText = moneyText(left, order.currency, locale);
  const [amount, setAmount] = useState((left / 100).toFixed(2));
  const [reason, setReason] = useState('');
  const [asked, setAsked] = useState(false);
  const [busy, setBusy] = useState(false);
  const amountMinor = minorOf(amount);
  const amountWrong = amountMinor === undefined || amountMinor < 1 || amountMinor > left;
  const reasonMissing = reason.trim() === '';

  const give = async () => {
    setAsked(true);
    if (busy || reasonMissing || amountWrong) return;
    setBusy(true);
    const done = await refund(order.id, { id, amountMinor, reason: reason.trim() });
    setBusy(false);
    if (done) onClose();
  };

  return (
    <Dialog
      open
      role="alert"
      size="small"
      onOpenChange={(open) => {
        if (!open && !busy) onClose();
      }}
      title={t('billingAdmin.refundTitle')}
      description={t('billingAdmin.refundText', { amount: leftText })}
      footer={
        <>
          <Button kind="secondary" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button kind="danger" type="submit" form={form} busy={busy}>
            {t('billingAdmin.refund')}
          </Button>
        </>
      }
    >
      <form
        id={form}
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          void give();
        }}
      >
        <TextField
          label={t('billingAdmin.refundAmount', { currency: order.currency })}
          inputMode="decimal"
          error={asked && amountWrong ? t('billingAdmin.refundWrong', { amount: leftText }) : null}
          value={amount}
          onChange={(event) => setAmount(event.target.value)}
        />
        <TextField
          label={t('billingAdmin.reason')}
          hint={t('billingAdmin.reasonHint')}
          error={asked && reasonMissing ? t('billingAdmin.reasonMissing') : null}
          maxLength={500}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
      </form>
    </Dialog>
  );
}
