/** Everything loaded together, because every additional chunk is named on the first screen. */
export { BillingScreens } from './BillingScreens.tsx';
export { CurrencySelect } from './CurrencySelect.tsx';
export { LimitDialog } from './LimitDialog.tsx';
export { PlanBadge, ProfileBilling } from './ProfileBilling.tsx';
