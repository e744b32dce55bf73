import { Download, LogOut, Star } from 'lucide-react';
import type { ComponentType } from 'react';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, Navigate, Outlet, useLocation } from 'react-router-dom';
import { useStore } from 'zustand';
import { CategoriesFrame } from '../../shell/CategoriesFrame.tsx';
import { configStore } from '../../session/config.ts';
import { featureStore } from '../../session/features.ts';
import { useSignOut } from '../../session/useSignOut.ts';
import { useSelf } from '../../session/self.ts';
import { useSells } from '../../session/useSells.ts';
import { enProfile } from './enProfile.ts';
import { enSecurity } from '../security/enSecurity.ts';
import { addWords } from '../../i18n/i18n.ts';
import { installStore } from '../../shell/install.ts';
import { toast } from '../../ui/toasts.ts';
import { Button, buttonClasses } from '../../ui/Button.tsx';
import { classNames } from '../../ui/classNames.ts';
import { AboutCard, HelpCard } from './AboutCard.tsx';
import { AdminCard } from './AdminCard.tsx';
import { ApiAccessCard } from './ApiAccessCard.tsx';
import { BrandingCard } from './BrandingCard.tsx';
import { AppearanceCard } from './AppearanceCard.tsx';
import { DataCard } from './DataCard.tsx';
import { DetailsCard } from './DetailsCard.tsx';
import { TwoStepCard } from '../factor/TwoStepCard.tsx';
import { enFactor } from '../factor/enFactor.ts';
import { ActivityCard } from '../security/ActivityCard.tsx';
import { DevicesCard } from './DevicesCard.tsx';
import { IdentityCard } from './IdentityCard.tsx';
import { PrivacyCard } from './PrivacyCard.tsx';
import { SignInWaysCard } from './SignInWaysCard.tsx';
import { SettingsList } from './SettingsList.tsx';
import { settingsCategories, settingsPageOf } from './settingsCategories.ts';
import type { SettingsPage } from './settingsCategories.ts';
import { UsernameCard } from './UsernameCard.tsx';
import { AccountStorageCard, UsageCard } from './UsageCard.tsx';
import { useLinkedSignOut } from './useLinkedSignOut.ts';
import { part } from '../../ui/parts.tsx';

/* On a page of its own, and a measurement of the device each time. */
const StorageCard = part(async () => (await import('./StorageCard.tsx')).StorageCard);

/** What the screen shows of one's plan, where plans are sold. */
export interface PlanParts {
  /** Names the plan. */
  Badge: ComponentType;
  /** In which currency prices are shown. */
  Currency: ComponentType;
  /** What the plan is, costs and holds; in the place of what is used. */
  Plan: ComponentType;
  /** What one is told of while the app is closed. */
  Notifications: ComponentType;
}

/** Oneself, and how the app behaves on this device: all of it, or the category that the address names. */
export function ProfileScreen(parts: PlanParts) {
  const { t, i18n } = useTranslation();
  // Before the first sentence of this part of the app; a second time adds nothing.
  addWords(i18n, 'profile', enProfile);
  addWords(i18n, 'security', enSecurity);
  addWords(i18n, 'factor', enFactor);
  useLinkedSignOut();
  const sells = useSells();
  const hasMeetings = useStore(featureStore, ({ features }) => features['meetings'] === true);
  const pushes = useStore(featureStore, ({ features }) => features['push'] === true);
  const isKnown = useStore(configStore, ({ config }) => config !== null);
  const { operator } = useSelf();
  const { pathname } = useLocation();
  const page = settingsPageOf(pathname);
  const categories = settingsCategories(t, { sells, meetings: hasMeetings, pushes, operator });
  const category = categories.find((one) => one.page === page);
  // A page that does not exist, or not in this installation, once that is known.
  const isMissing = page === undefined ? pathname.startsWith('/settings/') : isKnown && category === undefined;
  if (isMissing) return <Navigate to="/profile" replace />;
  const title = category?.title ?? t('profile.title');
  return (
    <CategoriesFrame
      title={title}
      // Where the list of settings is beside it, that is the way.
      back={page === undefined ? undefined : { to: '/profile', label: t('profile.settings.back') }}
      actions={<ProfileActions page={page} Currency={parts.Currency} />}
      // On its own, a page stands alone where there is one column; the account's is with its picture.
      alone={page !== undefined && page !== 'account'}
      page={page}
      list={
        <>
          <IdentityCard PlanBadge={parts.Badge} />
          {/* Where there is a sidebar, one's own menu leads there. */}
          {page === undefined && (
            <div className="mt-4 md:hidden">
              <Link to="/starred" className={buttonClasses({ kind: 'secondary', wide: true })}>
                <Star aria-hidden="true" />
                {t('chats.starred')}
              </Link>
            </div>
          )}
          <div className={classNames('mt-4', page !== undefined && 'max-lg:hidden')}>
            <SettingsList categories={categories} current={page} />
          </div>
        </>
      }
    >
      <SettingsCards
        page={page}
        Plan={parts.Plan}
        Notifications={parts.Notifications}
        hasMeetings={hasMeetings}
        pushes={pushes}
      />
      {/* What other rooms have a page for. */}
      <Outlet />
    </CategoriesFrame>
  );
}

interface ProfileActionsProps extends Pick<PlanParts, 'Currency'> {
  /** A page has of the actions those that belong to it. */
  page: SettingsPage | undefined;
}

function ProfileActions({ page, Currency }: ProfileActionsProps) {
  const { t } = useTranslation();
  const signOut = useSignOut();
  const sells = useSells();
  const offer = useStore(installStore, (state) => state.offer);
  const shows = (name?: SettingsPage) => page === undefined || page === name;
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

interface SettingsCardsProps extends Pick<PlanParts, 'Plan' | 'Notifications'> {
  /** Without one, all cards are shown. */
  page: SettingsPage | undefined;
  hasMeetings: boolean;
  pushes: boolean;
}

function SettingsCards({ page, Plan, Notifications, hasMeetings, pushes }: SettingsCardsProps) {
  const sells = useSells();
  const shows = (name: SettingsPage) => page === undefined || page === name;
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
      {shows('account') && <DataCard />}
      {page === undefined && (
        <>
          {hasMeetings && <BrandingCard />}
          <ApiAccessCard />
          <AdminCard />
        </>
      )}
      {shows('about') && (
        <>
          <HelpCard />
          <AboutCard />
        </>
      )}
    </>
  );
}
