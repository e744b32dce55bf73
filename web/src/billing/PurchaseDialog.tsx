import type { Billing, Order } from '@nolo/api';
import { billingPeriod, paymentGatewayNames, seatLimits, type SaleItem } from '@nolo/rules';
import { Check, Info } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useStore } from 'zustand';
import { useLocale } from '../i18n/locale.ts';
import { classNames } from '../ui/classNames.ts';
import { FormDialog } from '../ui/FormDialog.tsx';
import { TextField } from '../ui/TextField.tsx';
import { CurrencySelect } from './CurrencySelect.tsx';
import { currencyChoice } from './model/currencyChoice.ts';
import { formatMoneyText } from './model/money.ts';
import { computeTotal, isPlan, type OrderTotal } from './model/total.ts';
import { useItemName } from './useItemName.ts';
import { useOrderPlacement } from './useOrderPlacement.ts';
import { useTexts } from '../i18n/texts.ts';
import { billingTexts } from './billingTexts.ts';

interface PurchaseDialogProps {
  item: SaleItem;
  billing: Billing;
  /** Initial number of Business seats. */
  seats?: number;
  /** Place of the payment; `otherWindow` opens another window, so that nothing here is lost. */
  place?: 'here' | 'otherWindow';
  onClose: () => void;
  /** Called when the order must be paid now, or is already paid. */
  onBegun?: (order: Order) => void;
}

/** Summary of the purchase before leaving to pay: the item, the price, and the gateway that charges it. */
export function PurchaseDialog({ item, billing, place = 'here', onClose, onBegun, ...rest }: PurchaseDialogProps) {
  const { t } = useTexts(billingTexts);
  const name = useItemName()(item);
  const currency = useStore(currencyChoice(), (state) => state.currency);
  const [typed, setTyped] = useState(String(rest.seats ?? billing.seats?.bought ?? 1));
  const { corrected, begin } = useOrderPlacement(place);
  const seats = item === 'business' ? Number(typed) : 1;
  const wrong = !Number.isInteger(seats) || seats < seatLimits.min || seats > seatLimits.max;
  const wanted = { item, seats: wrong ? 1 : seats, currency };
  const total = computeTotal(wanted, billing, corrected(wanted));
  const gateway = paymentGatewayNames[total.gateway];

  const pay = async () => {
    if (wrong) return;
    const order = await begin(wanted, total);
    if (order) onBegun?.(order);
  };

  return (
    <FormDialog
      title={t(
        !isPlan(item)
          ? 'billing:pay.titleAddOn'
          : item === billing.plan
            ? 'billing:pay.titleOn'
            : 'billing:pay.titlePlan',
        { name },
      )}
      waits
      submitLabel={t('billing:pay.payWith', { gateway })}
      busyLabel={t('billing:pay.processing')}
      onClose={onClose}
      onSubmit={pay}
    >
      {item === 'business' && (
        <TextField
          label={t('billing:pay.seats')}
          hint={t('billing:pay.seatsHint')}
          error={wrong ? t('billing:pay.seatsWrong', seatLimits) : null}
          type="number"
          inputMode="numeric"
          min={seatLimits.min}
          max={seatLimits.max}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      )}
      <Sums item={item} total={total} seats={wanted.seats} />
      <p className="text-13 text-muted">{t('billing:pay.byText', { gateway })}</p>
      {total.settlesElsewhere && <Settlement total={total} />}
      <ul className="flex flex-col gap-1.5 text-13 text-muted">
        <PaymentHint>{t('billing:pay.cancelAnyTime')}</PaymentHint>
        <PaymentHint>{t('billing:pay.prepaid', { count: billingPeriod.days })}</PaymentHint>
        <PaymentHint>{t('billing:pay.taxes')}</PaymentHint>
      </ul>
    </FormDialog>
  );
}

function PaymentHint({ children }: { children: ReactNode }) {
  return (
    <li className="flex items-start gap-2">
      <Check aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-accent-text" />
      {children}
    </li>
  );
}

/** Notice about settlement, shown before leaving (decision 29). */
function Settlement({ total }: { total: OrderTotal }) {
  const { t } = useTexts(billingTexts);
  const locale = useLocale();
  const shown = useStore(currencyChoice(), (state) => state.currency);
  return (
    <p className="flex items-start gap-2 rounded-control bg-info-subtle px-3 py-2.5 text-13 text-info-text">
      <Info aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      {t('billing:pay.settlement', {
        gateway: paymentGatewayNames[total.gateway],
        currency: shown,
        amount: formatMoneyText(total.chargedMinor, total.currency, locale),
      })}
    </p>
  );
}

/** Price in the chosen currency, and the amount charged. */
function Sums({ item, total, seats }: { item: SaleItem; total: OrderTotal; seats: number }) {
  const { t } = useTexts(billingTexts);
  const locale = useLocale();
  const shown = useStore(currencyChoice(), (state) => state.currency);
  const each = item === 'business' && seats > 1;
  return (
    <dl className="flex flex-col gap-2 rounded-card bg-sunken p-4 text-14">
      <div className="flex items-center justify-between gap-4">
        <dt className="text-muted">{t('billing:currency')}</dt>
        <dd>
          <CurrencySelect />
        </dd>
      </div>
      <Sum
        label={t('billing:pay.price')}
        hint={t('billing:period', { count: billingPeriod.days })}
        text={formatMoneyText(total.shownMinor, shown, locale)}
        {...(each && {
          below: t('billing:pay.priceEach', { price: formatMoneyText(total.shownMinor / seats, shown, locale) }),
        })}
      />
      {total.credit > 0 && (
        <Sum label={t('billing:pay.credit')} text={formatMoneyText(-total.credit, total.currency, locale)} />
      )}
      <Sum sum label={t('billing:pay.total')} text={formatMoneyText(total.chargedMinor, total.currency, locale)} />
    </dl>
  );
}

interface SumProps {
  label: string;
  hint?: string;
  text: string;
  below?: string;
  sum?: boolean;
}

function Sum({ label, hint, text, below, sum = false }: SumProps) {
  return (
    <div
      className={classNames(
        'flex items-baseline justify-between gap-4',
        sum && 'border-t border-line pt-2 font-semibold',
      )}
    >
      <dt className={hint === undefined ? undefined : 'text-muted'}>
        {label}
        {hint !== undefined && <span className="text-13"> {hint}</span>}
      </dt>
      <dd className="tabular text-end">
        {text}
        {below !== undefined && <span className="block text-12 font-normal text-muted">{below}</span>}
      </dd>
    </div>
  );
}
