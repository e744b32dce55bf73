import { routes, type Billing } from '@nolo/api';
import type { SaleItem, PlanId } from '@nolo/rules';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { call } from '../api/httpClient.ts';
import { useExplainFailure } from '../i18n/useExplainFailure.ts';
import { Badge } from '../ui/Badge.tsx';
import { Card } from '../ui/Card.tsx';
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx';
import { QueryPlaceholder } from '../ui/QueryPlaceholder.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { toast } from '../ui/toasts.ts';
import { useAction } from '../ui/useAction.ts';
import { AddOnsCard } from './AddOnsCard.tsx';
import { billingQueryKey } from './billingQueries.ts';
import { planQueryKey, useBilling } from '../session/plan.ts';
import { InvoicesCard } from './InvoicesCard.tsx';
import { PlanCards } from './PlanCards.tsx';
import { SubscriptionCard } from './SubscriptionCard.tsx';
import { PurchaseDialog } from './PurchaseDialog.tsx';
import { useBillingDateFormatter } from './useBillingDateFormatter.ts';
import { useTexts } from '../i18n/texts.ts';
import { billingTexts } from './billingTexts.ts';

/** Badge with the user's plan, next to the name. */
export function PlanBadge() {
  const { t } = useTexts(billingTexts);
  const { data, isError } = useBilling();
  if (data === undefined) return isError ? null : <Skeleton className="h-5.5 w-12 rounded-full!" />;
  return <Badge tone={data.plan === 'free' ? 'neutral' : 'accent'}>{t(`billing:plans.${data.plan}`)}</Badge>;
}

type OpenDialog = { kind: 'buy'; item: SaleItem } | { kind: 'less'; plan: PlanId };

/** Profile section with the plan, usage, available plans, add-ons and invoices. */
export function ProfileBilling() {
  const { t } = useTexts(billingTexts);
  const navigate = useNavigate();
  const query = useBilling();
  const { data: billing } = query;
  const change = usePlanChange();
  const [openDialog, setOpenDialog] = useState<OpenDialog | null>(null);
  const close = () => setOpenDialog(null);
  const buy = (item: SaleItem) => setOpenDialog({ kind: 'buy', item });
  const less = (plan: PlanId) => setOpenDialog({ kind: 'less', plan });

  if (billing === undefined && query.isError) {
    return (
      <Card title={t('billing:subscription')}>
        <QueryPlaceholder query={query} failed={t('billing:loadFailed')} />
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
        onResume={() => void change.run('resumed')}
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

/** Changes the present plan: to another one, or back to going on. */
function usePlanChange() {
  const { t } = useTexts(billingTexts);
  const explain = useExplainFailure();
  const queryClient = useQueryClient();
  return useAction(
    (to: PlanId | 'resumed') =>
      to === 'resumed'
        ? call(routes.resumePlan)
        : to === 'free'
          ? call(routes.cancelPlan)
          : call(routes.downgradePlan, { body: { plan: to } }),
    {
      failure: (error) => {
        void queryClient.invalidateQueries({ queryKey: billingQueryKey });
        return { title: t('billing:changeFailed'), description: explain(error) };
      },
      onDone: (billing, to) => {
        queryClient.setQueryData(planQueryKey, billing);
        const done = to === 'resumed' ? to : to === 'free' ? 'cancelled' : 'downgraded';
        toast({ kind: 'success', title: t(`billing:${done}`) });
      },
    },
  );
}

/** Explains what stays until when, before a plan is canceled or downgraded. */
function DowngradeDialog({ plan, billing, onClose }: { plan: PlanId; billing: Billing; onClose: () => void }) {
  const { t } = useTexts(billingTexts);
  const date = useBillingDateFormatter();
  const change = usePlanChange();
  const ends = plan === 'free';
  const to = t(`billing:plans.${plan}`);
  const from = t(`billing:plans.${billing.plan}`);
  const until = billing.periodEndsAt === null || billing.status === 'grace' ? '' : date(billing.periodEndsAt);
  return (
    <ConfirmDialog
      open
      danger={ends}
      onCancel={onClose}
      title={ends ? t('billing:cancelTitle', { plan: from }) : t('billing:downgradeTitle', { plan: to })}
      text={
        !ends
          ? t('billing:downgradeText', { from, plan: to, date: until })
          : until === ''
            ? t('billing:cancelTextNow')
            : t('billing:cancelText', { plan: from, date: until })
      }
      confirmLabel={t(ends ? 'billing:cancelPlan' : 'billing:downgrade')}
      {...(ends && { cancelLabel: t('billing:keepPlan') })}
      onConfirm={async () => {
        await change.run(plan);
        onClose();
      }}
    />
  );
}
