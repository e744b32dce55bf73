import { useLocation } from 'react-router-dom';
import { useStore } from 'zustand';
import { NotFoundScreen } from '../shell/NotFoundScreen.tsx';
import { configStore } from '../session/config.ts';
import { PaymentCancel, PaymentSuccess } from './PaymentPages.tsx';
import { useArePlansSold } from '../session/useArePlansSold.ts';
import { lazyComponent } from '../ui/lazyComponents.tsx';

const TeamScreen = lazyComponent(async () => (await import('./TeamScreen.tsx')).TeamScreen);
const AdminScreen = lazyComponent(async () => (await import('./admin/BillingAdminScreen.tsx')).BillingAdminScreen);

/** Screens of plans and payments by address; none if nothing is sold. */
export function BillingScreens() {
  const sells = useArePlansSold();
  const known = useStore(configStore, (state) => state.config !== null);
  const { pathname } = useLocation();
  if (!known) return null;
  if (!sells) return <NotFoundScreen />;
  switch (pathname.replace(/\/$/, '')) {
    case '/payment/success':
      return <PaymentSuccess />;
    case '/payment/cancel':
      return <PaymentCancel />;
    case '/team':
      return <TeamScreen />;
    case '/admin/billing':
      return <AdminScreen />;
    default:
      return <NotFoundScreen />;
  }
}
