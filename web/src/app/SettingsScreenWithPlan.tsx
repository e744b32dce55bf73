import { SettingsScreen } from '../account/profile/SettingsScreen.tsx';
import { lazyOptional, lazyComponent } from '../ui/lazyComponents.tsx';

const Notifications = lazyComponent(
  async () => (await import('../notifications/NotificationSettingsCard.tsx')).NotificationSettingsCard,
);
const PlanBadge = lazyOptional(async () => (await import('../billing/room.ts')).PlanBadge);
const CurrencySelect = lazyOptional(async () => (await import('../billing/room.ts')).CurrencySelect);
const ProfileBilling = lazyComponent(async () => (await import('../billing/room.ts')).ProfileBilling);

/** Profile with the user's plan in it. */
export function SettingsScreenWithPlan() {
  return (
    <SettingsScreen Badge={PlanBadge} Currency={CurrencySelect} Plan={ProfileBilling} Notifications={Notifications} />
  );
}
