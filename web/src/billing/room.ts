/** What comes over the line together, for every chunk more is named on the first screen. */
export { BillingScreens } from './BillingScreens.tsx';
export { CurrencySelect } from './CurrencySelect.tsx';
export { LimitDialog } from './LimitDialog.tsx';
export { PlanBadge, ProfileBilling } from './ProfileBilling.tsx';
