import { ProfileScreen } from '../account/profile/ProfileScreen.tsx';
import { optional, part } from '../ui/parts.tsx';

const Notifications = part(async () => (await import('../notifications/NotificationsCard.tsx')).NotificationsCard);
const PlanBadge = optional(async () => (await import('../billing/room.ts')).PlanBadge);
const CurrencySelect = optional(async () => (await import('../billing/room.ts')).CurrencySelect);
const ProfileBilling = part(async () => (await import('../billing/room.ts')).ProfileBilling);

/** Profile with the user's plan in it. */
export function ProfilePage() {
  return (
    <ProfileScreen Badge={PlanBadge} Currency={CurrencySelect} Plan={ProfileBilling} Notifications={Notifications} />
  );
}
