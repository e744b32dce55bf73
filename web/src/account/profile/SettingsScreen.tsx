import { ChevronRight, Download, LayoutList, LogOut, Star } from 'lucide-react';
import { Suspense, useEffect, useState, type ComponentType } from 'react';
import { Link, Navigate, Outlet, useLocation, useNavigate } from 'react-router-dom';
import { useStore } from 'zustand';
import { CategoriesFrame } from '../../shell/CategoriesFrame.tsx';
import { CategoryLink } from '../../shell/CategoryLink.tsx';
import { configStore } from '../../session/config.ts';
import { featureStore } from '../../session/features.ts';
import { signOutRequestStore, useRequestSignOut } from '../../session/useRequestSignOut.ts';
import { useSelf } from '../../session/self.ts';
import { useArePlansSold } from '../../session/useArePlansSold.ts';
import { installStore } from '../../shell/install.ts';
import { toast } from '../../ui/toasts.ts';
import { Button, buttonClasses } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { classNames } from '../../ui/classNames.ts';
import { SearchField } from '../../ui/SearchField.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { AppearanceCard } from './AppearanceCard.tsx';
import { ExportAndDeleteAccountCard } from './ExportAndDeleteAccountCard.tsx';
import { DetailsCard } from './DetailsCard.tsx';
import { withoutParameter } from '../signIn/signInErrors.ts';
import { TwoStepCard } from '../factor/TwoStepCard.tsx';
import { ActivityCard } from '../security/ActivityCard.tsx';
import { keysTexts } from '../../keys/keysTexts.ts';
import { RecoveryCard } from '../../keys/RecoveryCard.tsx';
import { RestartCard } from '../../keys/RestartCard.tsx';
import { ThisDeviceCard } from '../../keys/ThisDeviceCard.tsx';
import { DevicesCard } from './DevicesCard.tsx';
import { OwnProfileCard } from './OwnProfileCard.tsx';
import { PrivacyCard } from './PrivacyCard.tsx';
import { SignInWaysCard } from './SignInWaysCard.tsx';
import { findCategories, listSettingsCategories, settingsAddress, settingsPageOf } from './settingsCategories.ts';
import type { SettingsCategory, SettingsPageName } from './settingsCategories.ts';
import { UsernameCard } from './UsernameCard.tsx';
import { AccountStorageCard, UsageCard } from './UsageCard.tsx';
import { lazyComponent } from '../../ui/lazyComponents.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { factorTexts } from '../factor/factorTexts.ts';
import { profileTexts } from './profileTexts.ts';
import { securityTexts } from '../security/securityTexts.ts';

/* Loaded separately: has its own page, and measures the device each time. */
const StorageCard = lazyComponent(async () => (await import('./DeviceStorageCard.tsx')).DeviceStorageCard);

/* Uses the symbols and texts of conversations. */
const ReceiptLegend = lazyComponent(
  async () => (await import('../../chat/conversation/ReceiptLegend.tsx')).ReceiptLegend,
);

/** Components for the user's plan, if plans are sold. */
interface PlanComponents {
  Badge: ComponentType;
  Currency: ComponentType;
  /** Plan with its price and content, replacing the usage. */
  Plan: ComponentType;
  /** Notifications while the app is closed. */
  Notifications: ComponentType;
}

/** Settings of the user and of the app on this device: all of them, or the category in the address. */
export function SettingsScreen(planComponents: PlanComponents) {
  const { t } = useTexts(factorTexts, keysTexts, profileTexts, securityTexts);
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
  const title = category?.title ?? t('profile:title');
  return (
    <CategoriesFrame
      title={title}
      // If the list of settings is next to it, no back button is needed.
      back={page === undefined ? undefined : { to: '/profile', label: t('profile:settings.back') }}
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
      <SettingsCards page={page} hasMeetings={hasMeetings} pushes={pushes} {...planComponents} />
      {/* Settings pages of other sections. */}
      <Outlet />
    </CategoriesFrame>
  );
}

interface PageProps {
  /** Page whose content is shown. Undefined: all. */
  page: SettingsPageName | undefined;
}

function ProfileActions({ page, Currency }: PageProps & Pick<PlanComponents, 'Currency'>) {
  const { t } = useTexts(profileTexts);
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
              if (accepted) toast({ kind: 'success', title: t('profile:installing') });
            });
          }}
        >
          {t('profile:installApp')}
        </Button>
      )}
      {shows('account') && (
        <Button kind="quiet" icon={<LogOut className="rtl:-scale-x-100" />} onClick={signOut}>
          {t('profile:logout')}
        </Button>
      )}
    </>
  );
}

interface SettingsCardsProps extends PageProps, PlanComponents {
  hasMeetings: boolean;
  pushes: boolean;
}

function SettingsCards({ page, Plan, Notifications, hasMeetings, pushes }: SettingsCardsProps) {
  const sells = useArePlansSold();
  const { operator } = useSelf();
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
          <ThisDeviceCard />
          <RestartCard />
          <DevicesCard />
          <RecoveryCard />
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
          {hasMeetings && <LinkCard words="branding" to="/settings/brand" />}
          <LinkCard words="apiAccess" to="/settings/developer" />
          {operator && <LinkCard words="admin" to="/admin" />}
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

/** Link to a page of its own. */
function LinkCard({ words, to }: { words: 'branding' | 'apiAccess' | 'admin'; to: string }) {
  const { t } = useTexts(profileTexts);
  return (
    <Card title={t(`profile:${words}`)}>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="min-w-48 flex-1 text-13 text-muted">{t(`profile:${words}Text`)}</p>
        <Link to={to} className={buttonClasses({ kind: 'secondary', size: 'small' })}>
          {t(`profile:${words}Open`)}
        </Link>
      </div>
    </Card>
  );
}

/** Handles external links to /api/logout: signing out needs the user's confirmation. */
function useSignOutLinkConfirmation(): void {
  const location = useLocation();
  const navigate = useNavigate();
  useEffect(() => {
    if (!new URLSearchParams(location.search).has('sign_out')) return;
    signOutRequestStore.setState({ requestedBy: 'link' });
    void navigate(withoutParameter(location, 'sign_out'), { replace: true });
  }, [location, navigate]);
}

interface SettingsCategoryListProps {
  categories: readonly SettingsCategory[];
  current: SettingsCategory['page'] | undefined;
}

/** Categories of settings, next to the current one if there is room, with a search. */
function SettingsCategoryList({ categories, current }: SettingsCategoryListProps) {
  const { t } = useTexts(profileTexts);
  const [typed, setTyped] = useState('');
  const found = findCategories(categories, typed);
  return (
    <nav aria-label={t('profile:settings.label')}>
      <SearchField label={t('profile:settings.search')} value={typed} onValueChange={setTyped} />
      <ul className="mt-2 flex flex-col gap-0.5">
        {typed.trim() === '' && (
          <CategoryLink
            to="/profile"
            Icon={LayoutList}
            title={t('profile:settings.all')}
            current={current === undefined}
            // All settings are shown under the list in one column.
            className="max-lg:hidden"
          />
        )}
        {found.map(({ page, title, Icon }) => (
          <CategoryLink key={page} to={settingsAddress(page)} Icon={Icon} title={title} current={page === current} />
        ))}
      </ul>
      <p role="status" className="px-3 text-13 text-muted">
        {found.length === 0 && t('profile:settings.none')}
      </p>
    </nav>
  );
}

/** Answers to common questions. */
function ReceiptLegendCard() {
  const { t } = useTexts(profileTexts);
  return (
    <Card title={t('profile:ticks')}>
      <Suspense fallback={<Skeleton className="h-24" />}>
        <ReceiptLegend />
      </Suspense>
    </Card>
  );
}

/** Product name, version and license terms. */
function AboutCard() {
  const { t } = useTexts(profileTexts);
  const version = useStore(configStore, (state) => state.config?.version);
  return (
    <Card title={t('profile:about')} {...(version && { description: t('profile:version', { version }) })}>
      <nav aria-label={t('profile:about')} className="-mx-2 flex flex-col">
        {(['privacy', 'terms'] as const).map((name) => (
          <Link
            key={name}
            to={`/${name}`}
            className="tap flex min-h-11 items-center justify-between gap-3 rounded-control px-2 text-14 font-medium hover:bg-hover"
          >
            {t(`legal.${name}`)}
            <ChevronRight aria-hidden="true" className="size-4 text-muted rtl:-scale-x-100" />
          </Link>
        ))}
      </nav>
    </Card>
  );
}
