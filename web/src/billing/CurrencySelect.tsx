import { currencies, type Currency } from '@nolo/rules';
import { useStore } from 'zustand';
import { Select } from '../ui/Select.tsx';
import { currencyChoice } from './model/currencyChoice.ts';
import { useTexts } from '../i18n/texts.ts';
import { billingTexts } from './billingTexts.ts';

const options = currencies.map((value) => ({ value, label: value }));

/** Currency of all prices, which the device remembers. */
export function CurrencySelect() {
  const { t } = useTexts(billingTexts);
  const { currency, choose } = useStore(currencyChoice());
  return (
    <Select<Currency>
      label={t('billing:currency')}
      hideLabel
      className="tabular w-22 gap-0!"
      value={currency}
      onValueChange={choose}
      options={options}
    />
  );
}
