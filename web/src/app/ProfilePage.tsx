import { ProfileScreen } from '../account/profile/ProfileScreen.tsx';
import { lazyOptional, lazyComponent } from '../ui/lazyComponents.tsx';

const Notifications = lazyComponent(
  async () => (await import('../notifications/NotificationsCard.tsx')).NotificationsCard,
);
const PlanBadge = lazyOptional(async () => (await import('../billing/room.ts')).PlanBadge);
const CurrencySelect = lazyOptional(async () => (await import('../billing/room.ts')).CurrencySelect);
const ProfileBilling = lazyComponent(async () => (await import('../billing/room.ts')).ProfileBilling);

/** Profile with the user's plan in it. */
export function ProfilePage() {
  return (
    <ProfileScreen Badge={PlanBadge} Currency={CurrencySelect} Plan={ProfileBilling} Notifications={Notifications} />
  );
}
