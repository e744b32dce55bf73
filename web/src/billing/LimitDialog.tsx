import type { Billing, Order } from '@nolo/api';
import { addOnAmounts, allowanceOf, billingPeriod, priceOf, type LimitedFeature, type SaleItem } from '@nolo/rules';
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import type { ApiError } from '../api/request.ts';
import { sizeText } from '../i18n/sizeText.ts';
import { useLocale } from '../i18n/locale.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { Spinner } from '../ui/Spinner.tsx';
import { useBilling } from '../session/plan.ts';
import { currencyChoice } from './model/currencyChoice.ts';
import { isNotifiedOnce, readReachedLimit, type ReachedLimit } from './model/reachedLimit.ts';
import { formatMoneyText } from './model/money.ts';
import { isPlan } from './model/total.ts';
import { PurchaseDialog } from './PurchaseDialog.tsx';
import { useItemName } from './useItemName.ts';
import { useOrderWait } from './useOrderWait.ts';
import { useArePlansSold } from '../session/useArePlansSold.ts';
import { useTexts } from '../i18n/texts.ts';
import { billingTexts } from './billingTexts.ts';

const notifiedFeatures = new Set<LimitedFeature>();

/**
 * Explains over any screen which plan limit was reached, and what lifts it. Payment opens in another window, so that
 * nothing here is lost.
 */
export function LimitDialog({ error, onClose }: { error: ApiError; onClose: () => void }) {
  const sells = useArePlansSold();
  const { data: billing } = useBilling(sells);
  const [met] = useState(() => readReachedLimit(error.details));
  const [isKnown] = useState(() => met.feature !== null && isNotifiedOnce(met) && notifiedFeatures.has(met.feature));
  const [item, setItem] = useState<SaleItem | null>(null);
  const [order, setOrder] = useState<Order | null>(null);
  const close = () => {
    if (met.feature !== null) notifiedFeatures.add(met.feature);
    onClose();
  };
  const hidden = !sells || isKnown;
  useEffect(() => {
    if (hidden) onClose();
  }, [hidden, onClose]);
  if (hidden) return null;
  if (order !== null) return <PaymentInOtherWindow order={order} onClose={close} />;
  if (item !== null && billing !== undefined) {
    return (
      <PurchaseDialog
        item={item}
        billing={billing}
        place="otherWindow"
        onBegun={setOrder}
        onClose={() => setItem(null)}
      />
    );
  }
  return <Choice met={met} billing={billing} onChoose={setItem} onClose={close} />;
}

interface ChoiceProps {
  met: ReachedLimit;
  billing: Billing | undefined;
  onChoose: (item: SaleItem) => void;
  onClose: () => void;
}

function Choice({ met, billing, onChoose, onClose }: ChoiceProps) {
  const { t } = useTexts(billingTexts);
  const amountText = useAmountText();
  const { feature, limit, used, addOn } = met;
  const plans = met.liftedBy.filter((plan) => plan !== 'free');
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={t('billing:limit.title')}
      description={
        feature === null || limit === null
          ? t('billing:limit.unknown')
          : t(`billing:limit.${feature}`, { count: limit, amount: amountText(feature, limit) })
      }
      footer={
        <Button kind="secondary" onClick={onClose}>
          {t('billing:limit.notNow')}
        </Button>
      }
    >
      {feature !== null && limit !== null && used !== null && (
        <p className="tabular mb-3 text-13 text-muted">
          {t('billing:limit.used', { used: amountText(feature, used), limit: amountText(feature, limit) })}
        </p>
      )}
      {plans.length === 0 && addOn === null ? (
        <p className="text-14">{t('billing:limit.notLifted')}</p>
      ) : (
        <ul className="flex flex-col gap-2">
          {[...plans, ...(addOn === null ? [] : [addOn])].map((item) => (
            <Lift
              key={item}
              item={item}
              feature={feature}
              disabled={billing === undefined}
              onChoose={() => onChoose(item)}
            />
          ))}
        </ul>
      )}
      <p className="mt-4 text-13 text-muted">{t('billing:limit.kept')}</p>
    </Dialog>
  );
}

/** Formats an amount of a feature. */
function useAmountText(): (feature: LimitedFeature, amount: number | null) => string {
  const { t } = useTexts(billingTexts);
  const locale = useLocale();
  return (feature, amount) => {
    if (amount === null) return t('billing:limit.withoutLimit');
    if (feature === 'storageBytes') return sizeText(amount, locale, 1_024);
    const counted = feature === 'transcriptionSeconds' ? Math.floor(amount / 60) : amount;
    return new Intl.NumberFormat(locale).format(counted);
  };
}

interface LiftProps {
  item: SaleItem;
  feature: LimitedFeature | null;
  disabled: boolean;
  onChoose: () => void;
}

/** Item that lifts the limit: an add-on adds to the present one, and a plan has its own. */
function Lift({ item, disabled, onChoose, ...met }: LiftProps) {
  const { t } = useTexts(billingTexts);
  const locale = useLocale();
  const name = useItemName()(item);
  const amountText = useAmountText();
  const more = !isPlan(item);
  const feature = more ? addOnAmounts[item].feature : met.feature;
  const amount = more ? addOnAmounts[item].amount : feature && allowanceOf(item)[feature];
  const currency = useStore(currencyChoice(), (state) => state.currency);
  const period = item === 'business' ? 'billing:periodEach' : 'billing:period';
  const price = `${formatMoneyText(priceOf(item, currency), currency, locale)} ${t(period, { count: billingPeriod.days })}`;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-card border border-line p-3">
      <div className="min-w-40 flex-1">
        <p className="text-14 font-semibold">{name}</p>
        {feature !== null && (
          <p className="text-13">
            {more && '+ '}
            {t(`billing:limit.lifts.${feature}`, { amount: amountText(feature, amount) })}
          </p>
        )}
        <p className="tabular text-13 text-muted">{price}</p>
      </div>
      <Button
        size="small"
        disabled={disabled}
        aria-label={t(more ? 'billing:addNamed' : 'billing:upgradeTo', { name, plan: name })}
        onClick={onChoose}
      >
        {t(more ? 'billing:add' : 'billing:upgrade')}
      </Button>
    </li>
  );
}

/** Waits here while the user pays in the other window. */
function PaymentInOtherWindow({ order, onClose }: { order: Order; onClose: () => void }) {
  const { t } = useTexts(billingTexts);
  const name = useItemName()(order.item);
  const { progress = 'waiting', long } = useOrderWait(order.id);
  const text =
    progress === 'paid'
      ? t(isPlan(order.item) ? 'billing:limit.done' : 'billing:limit.doneAddOn', { name })
      : progress !== 'waiting'
        ? t('billing:limit.over')
        : t(long ? 'billing:limit.stillWaiting' : 'billing:limit.payInOtherWindow');
  return (
    <Dialog
      open
      size="small"
      onOpenChange={(open) => open || onClose()}
      title={progress === 'paid' ? t('billing:success.paid') : t('billing:success.title')}
      footer={
        <Button kind={progress === 'waiting' ? 'secondary' : 'primary'} onClick={onClose}>
          {progress === 'waiting' ? t('common.close') : t('billing:success.goOn')}
        </Button>
      }
    >
      <p role="status" className="flex items-start gap-3 text-14">
        {progress === 'waiting' && <Spinner className="mt-0.5 size-5 shrink-0" />}
        {text}
      </p>
    </Dialog>
  );
}
