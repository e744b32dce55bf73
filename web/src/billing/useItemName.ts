import { paidPlanIds } from '@nolo/rules';
import type { PaidPlanId, SaleItem } from '@nolo/rules';
import { useBillingWords } from './useBillingWords.ts';

const isPlan = (item: SaleItem): item is PaidPlanId => paidPlanIds.some((plan) => plan === item);

/** Returns the name of an item for sale. */
export function useItemName(): (item: SaleItem) => string {
  const { t } = useBillingWords();
  return (item) => (isPlan(item) ? t(`billing.plans.${item}`) : t(`billing.addOns.${item}`));
}
