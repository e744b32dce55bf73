import type { Billing } from '@nolo/api';
import { addOnAmounts, addOnIds, billingPeriod, priceOf, type AddOnId } from '@nolo/rules';
import { HardDrive, Mic } from 'lucide-react';
import { useStore } from 'zustand';
import { useLocale } from '../i18n/locale.ts';
import { featureStore } from '../session/features.ts';
import { Button } from '../ui/Button.tsx';
import { Card } from '../ui/Card.tsx';
import { currencyChoice } from './model/currencyChoice.ts';
import { formatMoneyText } from './model/money.ts';
import { useBillingDateFormatter } from './useBillingDateFormatter.ts';
import { useTexts } from '../i18n/texts.ts';
import { billingTexts } from './billingTexts.ts';

const symbols = { storage: HardDrive, transcription: Mic };
/** Amounts in the units that users know. */
const amounts: Readonly<Record<AddOnId, number>> = {
  storage: addOnAmounts.storage.amount / 2 ** 30,
  transcription: addOnAmounts.transcription.amount / 3_600,
};

/** Add-ons bought in addition to a plan. */
export function AddOnsCard({ billing, onAdd }: { billing: Billing | undefined; onAdd: (addOn: AddOnId) => void }) {
  const { t } = useTexts(billingTexts);
  const transcribes = useStore(featureStore, (state) => state.features['transcription'] === true);
  return (
    <Card title={t('billing:addOnsTitle')}>
      <ul className="flex flex-col divide-y divide-line">
        {addOnIds
          .filter((addOn) => addOn !== 'transcription' || transcribes)
          .map((addOn) => (
            <AddOn
              key={addOn}
              addOn={addOn}
              runs={billing?.addOns.filter(({ id }) => id === addOn).map(({ endsAt }) => endsAt)}
              onAdd={() => onAdd(addOn)}
            />
          ))}
      </ul>
    </Card>
  );
}

/** Add-on: buying it again while it runs adds capacity, and buying it again at its end extends it. */
function AddOn({ addOn, runs, onAdd }: { addOn: AddOnId; runs: readonly string[] | undefined; onAdd: () => void }) {
  const { t } = useTexts(billingTexts);
  const locale = useLocale();
  const date = useBillingDateFormatter();
  const currency = useStore(currencyChoice(), (state) => state.currency);
  const Symbol = symbols[addOn];
  const name = t(`billing:addOns.${addOn}`);
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 py-3 first:pt-0 last:pb-0">
      <span
        aria-hidden="true"
        className="flex size-10 shrink-0 items-center justify-center rounded-full bg-sunken text-muted"
      >
        <Symbol className="size-5" />
      </span>
      <div className="min-w-40 flex-1">
        <p className="text-14 font-medium">{name}</p>
        <p className="text-13 text-muted">{t(`billing:addOnTexts.${addOn}`, { count: amounts[addOn] })}</p>
        {runs?.map((until, index) => (
          <p key={index} className="text-13 text-accent-text">
            {t('billing:runsUntil', { date: date(until) })}
          </p>
        ))}
      </div>
      <p className="tabular text-end text-14 font-medium">
        {formatMoneyText(priceOf(addOn, currency), currency, locale)}
        <span className="block text-12 font-normal text-muted">
          {t('billing:period', { count: billingPeriod.days })}
        </span>
      </p>
      <Button
        kind="secondary"
        size="small"
        className="ms-auto"
        disabled={runs === undefined}
        aria-label={t('billing:addNamed', { name })}
        onClick={onAdd}
      >
        {t('billing:add')}
      </Button>
    </li>
  );
}
