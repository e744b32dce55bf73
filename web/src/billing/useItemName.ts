import type { SaleItem } from '@nolo/rules';
import { isPlan } from './model/total.ts';
import { useTexts } from '../i18n/texts.ts';
import { billingTexts } from './billingTexts.ts';

/** Returns the name of an item for sale. */
export function useItemName(): (item: SaleItem) => string {
  const { t } = useTexts(billingTexts);
  return (item) => (isPlan(item) ? t(`billing:plans.${item}`) : t(`billing:addOns.${item}`));
}
