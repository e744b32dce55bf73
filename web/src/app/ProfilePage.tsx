import { lazy } from 'react';
import { ProfileScreen } from '../account/profile/ProfileScreen.tsx';

const Notifications = lazy(async () => ({
  default: (await import('../notifications/NotificationsCard.tsx')).NotificationsCard,
}));
const PlanBadge = lazy(async () => ({ default: (await import('../billing/room.ts')).PlanBadge }));
const CurrencySelect = lazy(async () => ({ default: (await import('../billing/room.ts')).CurrencySelect }));
const ProfileBilling = lazy(async () => ({ default: (await import('../billing/room.ts')).ProfileBilling }));

/** One's profile, and in it one's plan. */
export function ProfilePage() {
  return (
    <ProfileScreen Badge={PlanBadge} Currency={CurrencySelect} Plan={ProfileBilling} Notifications={Notifications} />
  );
}
