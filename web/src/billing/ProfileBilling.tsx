import type { SaleItem, PlanId } from '@nolo/rules';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { Badge } from '../ui/Badge.tsx';
import { Card } from '../ui/Card.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { AddOnsCard } from './AddOnsCard.tsx';
import { useBilling } from '../session/plan.ts';
import { DowngradeDialog } from './DowngradeDialog.tsx';
import { InvoicesCard } from './InvoicesCard.tsx';
import { PlanCards } from './PlanCards.tsx';
import { SubscriptionCard } from './SubscriptionCard.tsx';
import { PurchaseDialog } from './PurchaseDialog.tsx';
import { useBillingWords } from './useBillingWords.ts';
import { usePlanActions } from './usePlanActions.ts';

/** Badge with the user's plan, next to the name. */
export function PlanBadge() {
  const { t } = useBillingWords();
  const { data, isError } = useBilling();
  if (data === undefined) return isError ? null : <Skeleton className="h-5.5 w-12 rounded-full!" />;
  return <Badge tone={data.plan === 'free' ? 'neutral' : 'accent'}>{t(`billing.plans.${data.plan}`)}</Badge>;
}

type OpenDialog = { kind: 'buy'; item: SaleItem } | { kind: 'less'; plan: PlanId };

/** Profile section with the plan, usage, available plans, add-ons and invoices. */
export function ProfileBilling() {
  const { t } = useBillingWords();
  const navigate = useNavigate();
  const { data: billing, isError, isFetching, refetch } = useBilling();
  const { resume } = usePlanActions();
  const [openDialog, setOpenDialog] = useState<OpenDialog | null>(null);
  const close = () => setOpenDialog(null);
  const buy = (item: SaleItem) => setOpenDialog({ kind: 'buy', item });
  const less = (plan: PlanId) => setOpenDialog({ kind: 'less', plan });

  if (billing === undefined && isError) {
    return (
      <Card title={t('billing.subscription')}>
        <ErrorState
          className="py-4!"
          title={t('billing.loadFailed')}
          retrying={isFetching}
          onRetry={() => void refetch()}
        />
      </Card>
    );
  }
  return (
    <>
      <SubscriptionCard
        billing={billing}
        onPay={() => {
          if (billing !== undefined && billing.plan !== 'free') buy(billing.plan);
        }}
        onCancel={() => less('free')}
        onResume={() => void resume()}
      />
      <PlanCards billing={billing} onUpgrade={buy} onDowngrade={less} />
      <AddOnsCard billing={billing} onAdd={buy} />
      <InvoicesCard />
      {billing !== undefined && openDialog?.kind === 'buy' && (
        <PurchaseDialog
          item={openDialog.item}
          billing={billing}
          onClose={close}
          onBegun={({ id, state }) => {
            // The remaining amount was zero.
            if (state === 'paid') void navigate(`/payment/success?order=${id}`);
          }}
        />
      )}
      {billing !== undefined && openDialog?.kind === 'less' && (
        <DowngradeDialog plan={openDialog.plan} billing={billing} onClose={close} />
      )}
    </>
  );
}
