import type { Billing } from '@nolo/api';
import { billingPeriod, planIds, priceOf, type PaidPlanId, type PlanId } from '@nolo/rules';
import { Check, Clock3 } from 'lucide-react';
import { useEffect, useId, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { useStore } from 'zustand';
import { useLocale } from '../i18n/locale.ts';
import { featureStore } from '../session/features.ts';
import { Badge } from '../ui/Badge.tsx';
import { Button } from '../ui/Button.tsx';
import { Card } from '../ui/Card.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { classNames } from '../ui/classNames.ts';
import { currencyChoice } from './model/currencyChoice.ts';
import { formatMoneyText } from './model/money.ts';
import { listPlanFeatures, initialFeatureCount, type PlanFeature } from './model/planFeatures.ts';
import { toPlanOffer, type PlanOffer } from './model/standing.ts';
import { useTexts } from '../i18n/texts.ts';
import { billingTexts } from './billingTexts.ts';

/** Anchor of the plans in the profile. */
const place = 'plans';

interface PlanCardsProps {
  /** Undefined during loading, while placeholders replace the buttons. */
  billing: Billing | undefined;
  onUpgrade: (plan: PaidPlanId) => void;
  onDowngrade: (plan: PlanId) => void;
}

/** Three plans side by side, or one below another. */
export function PlanCards({ billing, onUpgrade, onDowngrade }: PlanCardsProps) {
  const { t } = useTexts(billingTexts);
  const { hash } = useLocation();
  useEffect(() => {
    // The browser looked for the anchor before it existed.
    if (hash === `#${place}`) document.getElementById(place)?.scrollIntoView();
  }, [hash]);
  return (
    <Card id={place} title={t('billing:upgradeYourPlan')}>
      <ul className="grid gap-3 sm:grid-cols-3">
        {planIds.map((plan) => (
          <PlanCard
            key={plan}
            plan={plan}
            offer={billing && toPlanOffer(plan, billing)}
            onUpgrade={() => {
              if (plan !== 'free') onUpgrade(plan);
            }}
            onDowngrade={() => onDowngrade(plan)}
          />
        ))}
      </ul>
    </Card>
  );
}

interface PlanCardProps {
  plan: PlanId;
  offer: PlanOffer | undefined;
  onUpgrade: () => void;
  onDowngrade: () => void;
}

function PlanCard({ plan, offer, onUpgrade, onDowngrade }: PlanCardProps) {
  const { t } = useTexts(billingTexts);
  const locale = useLocale();
  const title = useId();
  const currency = useStore(currencyChoice(), (state) => state.currency);
  const price = plan === 'free' ? 0 : priceOf(plan, currency);
  const period = ({ free: 'billing:periodFree', plus: 'billing:period', business: 'billing:periodEach' } as const)[
    plan
  ];
  return (
    <li
      aria-labelledby={title}
      className={classNames(
        'flex min-w-0 flex-col rounded-card border p-4',
        offer === 'current' ? 'border-accent bg-accent-subtle' : 'border-line bg-raised',
      )}
    >
      <h3 id={title} className="text-16 font-semibold">
        {t(`billing:plans.${plan}`)}
      </h3>
      <p className="mt-1 mb-4">
        <span className="tabular text-20 font-semibold tracking-tight">{formatMoneyText(price, currency, locale)}</span>
        <span className={classNames('block text-13', offer === 'current' ? 'text-ink' : 'text-muted')}>
          {t(period, { count: billingPeriod.days })}
        </span>
      </p>
      <Features plan={plan} />
      <div className="mt-auto pt-4">
        <OfferButton plan={plan} offer={offer} onUpgrade={onUpgrade} onDowngrade={onDowngrade} />
      </div>
    </li>
  );
}

function OfferButton({ plan, offer, onUpgrade, onDowngrade }: PlanCardProps) {
  const { t } = useTexts(billingTexts);
  const name = t(`billing:plans.${plan}`);
  if (offer === undefined) return <Skeleton className="h-10" />;
  if (offer === 'none') return null;
  if (offer === 'current' || offer === 'next') {
    return (
      <Button wide kind="secondary" disabled>
        {t(offer === 'current' ? 'billing:currentPlan' : 'billing:comesNext')}
      </Button>
    );
  }
  const upgrades = offer === 'upgrade';
  return (
    <Button
      wide
      kind={upgrades ? 'primary' : 'secondary'}
      aria-label={t(upgrades ? 'billing:upgradeTo' : 'billing:downgradeTo', { plan: name })}
      onClick={upgrades ? onUpgrade : onDowngrade}
    >
      {t(upgrades ? 'billing:upgrade' : 'billing:downgrade')}
    </Button>
  );
}

/** First features, and the others on request. */
function Features({ plan }: { plan: PlanId }) {
  const { t } = useTexts(billingTexts);
  const list = useId();
  const exist = useStore(featureStore, (state) => state.features);
  const [all, setAll] = useState(false);
  const features = listPlanFeatures(plan, exist);
  const more = features.length - initialFeatureCount;
  return (
    <>
      <ul id={list} className="flex flex-col gap-2 text-13">
        {(all ? features : features.slice(0, initialFeatureCount)).map((feature) => (
          <Feature key={feature.name} {...feature} />
        ))}
      </ul>
      {more > 0 && (
        <button
          type="button"
          aria-expanded={all}
          aria-controls={list}
          onClick={() => setAll(!all)}
          className="tap mt-2 self-start rounded-control py-1 text-13 font-medium text-accent-text hover:underline"
        >
          {all ? t('billing:fewerFeatures') : t('billing:moreFeatures', { count: more })}
        </button>
      )}
    </>
  );
}

function Feature({ name, count = 0, planned }: PlanFeature) {
  const { t } = useTexts(billingTexts);
  const FeatureIcon = planned ? Clock3 : Check;
  return (
    <li className="flex items-start gap-2">
      <FeatureIcon
        aria-hidden="true"
        className={classNames('mt-0.5 size-4 shrink-0', planned ? 'text-muted' : 'text-accent-text')}
      />
      <span className="min-w-0">
        {t(`billing:features.${name}`, { count })} {planned && <Badge>{t('billing:planned')}</Badge>}
      </span>
    </li>
  );
}
