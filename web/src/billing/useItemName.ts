import type { SaleItem } from '@nolo/rules';
import { isPlan } from './model/total.ts';
import { useBillingWords } from './useBillingWords.ts';

/** Returns the name of an item for sale. */
export function useItemName(): (item: SaleItem) => string {
  const { t } = useBillingWords();
  return (item) => (isPlan(item) ? t(`billing.plans.${item}`) : t(`billing.addOns.${item}`));
}
