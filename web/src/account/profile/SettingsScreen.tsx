import { Download, LogOut, Star } from 'lucide-react';
import type { ComponentType } from 'react';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, Navigate, Outlet, useLocation } from 'react-router-dom';
import { useStore } from 'zustand';
import { CategoriesFrame } from '../../shell/CategoriesFrame.tsx';
import { configStore } from '../../session/config.ts';
import { featureStore } from '../../session/features.ts';
import { useRequestSignOut } from '../../session/useRequestSignOut.ts';
import { useSelf } from '../../session/self.ts';
import { useArePlansSold } from '../../session/useArePlansSold.ts';
import { enProfile } from './enProfile.ts';
import { enSecurity } from '../security/enSecurity.ts';
import { addWords } from '../../i18n/i18n.ts';
import { installStore } from '../../shell/install.ts';
import { toast } from '../../ui/toasts.ts';
import { Button, buttonClasses } from '../../ui/Button.tsx';
import { classNames } from '../../ui/classNames.ts';
import { AboutCard, ReceiptLegendCard } from './AboutCard.tsx';
import { AdminLinkCard } from './AdminLinkCard.tsx';
import { ApiAccessLinkCard } from './ApiAccessLinkCard.tsx';
import { BrandingLinkCard } from './BrandingLinkCard.tsx';
import { AppearanceCard } from './AppearanceCard.tsx';
import { ExportAndDeleteAccountCard } from './ExportAndDeleteAccountCard.tsx';
import { DetailsCard } from './DetailsCard.tsx';
import { TwoStepCard } from '../factor/TwoStepCard.tsx';
import { enFactor } from '../factor/enFactor.ts';
import { ActivityCard } from '../security/ActivityCard.tsx';
import { DevicesCard } from './DevicesCard.tsx';
import { OwnProfileCard } from './OwnProfileCard.tsx';
import { PrivacyCard } from './PrivacyCard.tsx';
import { SignInWaysCard } from './SignInWaysCard.tsx';
import { SettingsCategoryList } from './SettingsCategoryList.tsx';
import { listSettingsCategories, settingsPageOf } from './settingsCategories.ts';
import type { SettingsPageName } from './settingsCategories.ts';
import { UsernameCard } from './UsernameCard.tsx';
import { AccountStorageCard, UsageCard } from './UsageCard.tsx';
import { useSignOutLinkConfirmation } from './useSignOutLinkConfirmation.ts';
import { lazyComponent } from '../../ui/lazyComponents.tsx';

/* Loaded separately: has its own page, and measures the device each time. */
const StorageCard = lazyComponent(async () => (await import('./DeviceStorageCard.tsx')).DeviceStorageCard);

/** Components for the user's plan, if plans are sold. */
export interface PlanComponents {
  /** Badge that names the plan. */
  Badge: ComponentType;
  /** Currency of the prices. */
  Currency: ComponentType;
  /** Plan with its price and content, replacing the usage. */
  Plan: ComponentType;
  /** Notifications while the app is closed. */
  Notifications: ComponentType;
}

/** Settings of the user and of the app on this device: all of them, or the category in the address. */
export function SettingsScreen(planComponents: PlanComponents) {
  const { t, i18n } = useTranslation();
  // Runs before the first text of this section; repeating it has no effect.
  addWords(i18n, 'profile', enProfile);
  addWords(i18n, 'security', enSecurity);
  addWords(i18n, 'factor', enFactor);
  useSignOutLinkConfirmation();
  const sells = useArePlansSold();
  const hasMeetings = useStore(featureStore, ({ features }) => features['meetings'] === true);
  const pushes = useStore(featureStore, ({ features }) => features['push'] === true);
  const isKnown = useStore(configStore, ({ config }) => config !== null);
  const { operator } = useSelf();
  const { pathname } = useLocation();
  const page = settingsPageOf(pathname);
  const categories = listSettingsCategories(t, { sells, meetings: hasMeetings, pushes, operator });
  const category = categories.find((one) => one.page === page);
  // Page that does not exist, or not in this installation once that is known.
  const isMissing = page === undefined ? pathname.startsWith('/settings/') : isKnown && category === undefined;
  if (isMissing) return <Navigate to="/profile" replace />;
  const title = category?.title ?? t('profile.title');
  return (
    <CategoriesFrame
      title={title}
      // If the list of settings is next to it, no back button is needed.
      back={page === undefined ? undefined : { to: '/profile', label: t('profile.settings.back') }}
      actions={<ProfileActions page={page} Currency={planComponents.Currency} />}
      // A page is shown alone in one column, except for the account's, which includes the picture.
      alone={page !== undefined && page !== 'account'}
      page={page}
      list={
        <>
          <OwnProfileCard PlanBadge={planComponents.Badge} />
          {/* The sidebar's own menu leads there too. */}
          {page === undefined && (
            <div className="mt-4 md:hidden">
              <Link to="/starred" className={buttonClasses({ kind: 'secondary', wide: true })}>
                <Star aria-hidden="true" />
                {t('chats.starred')}
              </Link>
            </div>
          )}
          <div className={classNames('mt-4', page !== undefined && 'max-lg:hidden')}>
            <SettingsCategoryList categories={categories} current={page} />
          </div>
        </>
      }
    >
      <SettingsCards
        page={page}
        Plan={planComponents.Plan}
        Notifications={planComponents.Notifications}
        hasMeetings={hasMeetings}
        pushes={pushes}
      />
      {/* Settings pages of other sections. */}
      <Outlet />
    </CategoriesFrame>
  );
}

interface ProfileActionsProps extends Pick<PlanComponents, 'Currency'> {
  /** Page whose actions are shown. */
  page: SettingsPageName | undefined;
}

function ProfileActions({ page, Currency }: ProfileActionsProps) {
  const { t } = useTranslation();
  const signOut = useRequestSignOut();
  const sells = useArePlansSold();
  const offer = useStore(installStore, (state) => state.offer);
  const shows = (name?: SettingsPageName) => page === undefined || page === name;
  return (
    <>
      {sells && shows('plan') && (
        <Suspense fallback={<span className="w-22" />}>
          <Currency />
        </Suspense>
      )}
      {offer !== null && shows() && (
        <Button
          kind="secondary"
          icon={<Download />}
          onClick={() => {
            void offer.prompt().then((accepted) => {
              if (accepted) toast({ kind: 'success', title: t('profile.installing') });
            });
          }}
        >
          {t('profile.installApp')}
        </Button>
      )}
      {shows('account') && (
        <Button kind="quiet" icon={<LogOut className="rtl:-scale-x-100" />} onClick={signOut}>
          {t('profile.logout')}
        </Button>
      )}
    </>
  );
}

interface SettingsCardsProps extends Pick<PlanComponents, 'Plan' | 'Notifications'> {
  /** Page whose cards are shown. Undefined: all. */
  page: SettingsPageName | undefined;
  hasMeetings: boolean;
  pushes: boolean;
}

function SettingsCards({ page, Plan, Notifications, hasMeetings, pushes }: SettingsCardsProps) {
  const sells = useArePlansSold();
  const shows = (name: SettingsPageName) => page === undefined || page === name;
  return (
    <>
      {shows('account') && (
        <>
          <DetailsCard />
          <UsernameCard />
        </>
      )}
      {shows('plan') &&
        (sells ? (
          <Suspense fallback={<UsageCard />}>
            <Plan />
          </Suspense>
        ) : (
          <UsageCard />
        ))}
      {pushes && shows('notifications') && (
        <Suspense>
          <Notifications />
        </Suspense>
      )}
      {shows('privacy') && <PrivacyCard />}
      {shows('account') && <SignInWaysCard />}
      {shows('devices') && (
        <>
          <DevicesCard />
          <TwoStepCard />
          <ActivityCard />
        </>
      )}
      {page === 'storage' && (
        <>
          <AccountStorageCard />
          <Suspense>
            <StorageCard />
          </Suspense>
        </>
      )}
      {shows('appearance') && <AppearanceCard />}
      {shows('account') && <ExportAndDeleteAccountCard />}
      {page === undefined && (
        <>
          {hasMeetings && <BrandingLinkCard />}
          <ApiAccessLinkCard />
          <AdminLinkCard />
        </>
      )}
      {shows('about') && (
        <>
          <ReceiptLegendCard />
          <AboutCard />
        </>
      )}
    </>
  );
}
