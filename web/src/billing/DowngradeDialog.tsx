import type { Billing } from '@nolo/api';
import type { PlanId } from '@nolo/rules';
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx';
import { useBillingWords } from './useBillingWords.ts';
import { useBillingDateFormatter } from './useBillingDateFormatter.ts';
import { usePlanActions } from './usePlanActions.ts';

interface DowngradeDialogProps {
  plan: PlanId;
  billing: Billing;
  onClose: () => void;
}

/** Explains what stays until when, before a plan is canceled or downgraded. */
export function DowngradeDialog({ plan, billing, onClose }: DowngradeDialogProps) {
  const { t } = useBillingWords();
  const date = useBillingDateFormatter();
  const { become } = usePlanActions();
  const from = t(`billing.plans.${billing.plan}`);
  const until = billing.periodEndsAt === null || billing.status === 'grace' ? '' : date(billing.periodEndsAt);
  const confirm = async () => {
    await become(plan);
    onClose();
  };
  if (plan === 'free') {
    return (
      <ConfirmDialog
        open
        onCancel={onClose}
        title={t('billing.cancelTitle', { plan: from })}
        text={until === '' ? t('billing.cancelTextNow') : t('billing.cancelText', { plan: from, date: until })}
        confirmLabel={t('billing.cancelPlan')}
        cancelLabel={t('billing.keepPlan')}
        onConfirm={confirm}
      />
    );
  }
  const to = t(`billing.plans.${plan}`);
  return (
    <ConfirmDialog
      open
      danger={false}
      onCancel={onClose}
      title={t('billing.downgradeTitle', { plan: to })}
      text={t('billing.downgradeText', { from, plan: to, date: until })}
      confirmLabel={t('billing.downgrade')}
      onConfirm={confirm}
    />
  );
}
