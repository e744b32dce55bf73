import type { Billing } from '@nolo/api';
import { billingPeriod } from '@nolo/rules';
import { Users } from 'lucide-react';
import { Link } from 'react-router-dom';
import { UsageMeters } from '../account/profile/UsageCard.tsx';
import { Badge } from '../ui/Badge.tsx';
import { Button, buttonClasses } from '../ui/Button.tsx';
import { Card } from '../ui/Card.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { classNames } from '../ui/classNames.ts';
import { isRenewable, getPlanAfterPeriod, describePlanOutlook } from './model/standing.ts';
import { useBillingDateFormatter } from './useBillingDateFormatter.ts';
import { useTexts } from '../i18n/texts.ts';
import { billingTexts } from './billingTexts.ts';

interface SubscriptionCardProps {
  /** Undefined during loading, while placeholders of the same size replace it. */
  billing: Billing | undefined;
  onPay: () => void;
  onCancel: () => void;
  onResume: () => void;
}

/** Plan, its continuation, and its usage. */
export function SubscriptionCard({ billing, ...handlers }: SubscriptionCardProps) {
  const { t } = useTexts(billingTexts);
  const seats = billing?.seats;
  return (
    <Card
      title={t('billing:subscription')}
      aria-busy={billing === undefined}
      action={
        billing && (
          <Badge tone={billing.plan === 'free' ? 'neutral' : 'accent'}>{t(`billing:plans.${billing.plan}`)}</Badge>
        )
      }
    >
      {billing ? <WhatComes billing={billing} /> : <Skeleton className="h-[1lh] w-3/5 text-14" />}
      {seats && <p className="mt-1 text-14">{t('billing:seats', { count: seats.bought, taken: seats.taken })}</p>}
      {billing?.seatOffered && (
        <Link
          to="/team"
          className="tap mt-3 flex items-start gap-2 rounded-control bg-info-subtle px-3 py-2.5 text-14 text-info-text hover:underline"
        >
          <Users aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
          {t('billing:seatOffered')}
        </Link>
      )}
      <SubscriptionActions billing={billing} {...handlers} />
      <div className="mt-5 border-t border-line pt-5">
        <UsageMeters />
      </div>
    </Card>
  );
}

function WhatComes({ billing }: { billing: Billing }) {
  const { t } = useTexts(billingTexts);
  const date = useBillingDateFormatter();
  const { sentence, at } = describePlanOutlook(billing);
  return (
    <p className={sentence === 'grace' ? 'text-14 font-medium text-warning-text' : 'text-14'}>
      {t(`billing:comes.${sentence}`, {
        date: at === null ? '' : date(at),
        count: billingPeriod.reminderDaysBefore,
        plan: t(`billing:plans.${sentence === 'grace' ? billing.plan : (getPlanAfterPeriod(billing) ?? 'free')}`),
      })}
    </p>
  );
}

function SubscriptionActions({ billing, onPay, onCancel, onResume }: SubscriptionCardProps) {
  const { t } = useTexts(billingTexts);
  const own = billing !== undefined && isRenewable(billing);
  const goesOn = billing !== undefined && getPlanAfterPeriod(billing) === null;
  return (
    <div className="mt-4 flex flex-wrap gap-2">
      {own && (
        <Button kind={billing.status === 'grace' ? 'primary' : 'secondary'} size="small" onClick={onPay}>
          {t('billing:payOn', { count: billingPeriod.days })}
        </Button>
      )}
      {own && !goesOn && (
        <Button kind="secondary" size="small" onClick={onResume}>
          {t('billing:resume', { plan: t(`billing:plans.${billing.plan}`) })}
        </Button>
      )}
      {own && goesOn && (
        <Button kind="quiet" size="small" onClick={onCancel}>
          {t('billing:cancelPlan')}
        </Button>
      )}
      {/* Aligned with other text when it is first in its row. */}
      <Link to="/team" className={classNames(buttonClasses({ kind: 'quiet', size: 'small' }), !own && '-ms-3')}>
        <Users aria-hidden="true" />
        {t('billing:team')}
      </Link>
      {billing?.operator && (
        <Link to="/admin/billing" className={buttonClasses({ kind: 'quiet', size: 'small' })}>
          {t('billing:operator')}
        </Link>
      )}
    </div>
  );
}
