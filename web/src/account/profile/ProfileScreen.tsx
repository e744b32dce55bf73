import { Download, LogOut, Star } from 'lucide-react';
import type { ComponentType } from 'react';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { useStore } from 'zustand';
import { ScreenHeader } from '../../shell/ScreenHeader.tsx';
import { featureStore } from '../../session/features.ts';
import { useSignOut } from '../../session/useSignOut.ts';
import { useSells } from '../../session/useSells.ts';
import { enProfile } from './enProfile.ts';
import { enSecurity } from '../security/enSecurity.ts';
import { addWords } from '../../i18n/i18n.ts';
import { installStore } from '../../shell/install.ts';
import { toast } from '../../ui/toasts.ts';
import { Button, buttonClasses } from '../../ui/Button.tsx';
import { AboutCard } from './AboutCard.tsx';
import { ApiAccessCard } from './ApiAccessCard.tsx';
import { BrandingCard } from './BrandingCard.tsx';
import { AppearanceCard } from './AppearanceCard.tsx';
import { DataCard } from './DataCard.tsx';
import { DetailsCard } from './DetailsCard.tsx';
import { ActivityCard } from '../security/ActivityCard.tsx';
import { DevicesCard } from './DevicesCard.tsx';
import { IdentityCard } from './IdentityCard.tsx';
import { PrivacyCard } from './PrivacyCard.tsx';
import { SignInWaysCard } from './SignInWaysCard.tsx';
import { UsageCard } from './UsageCard.tsx';
import { SignOutQuestion } from './SignOutQuestion.tsx';

/** What the screen shows of one's plan, where plans are sold. */
export interface PlanParts {
  /** Names the plan. */
  Badge: ComponentType;
  /** In which currency prices are shown. */
  Currency: ComponentType;
  /** What the plan is, costs and holds; in the place of what is used. */
  Plan: ComponentType;
}

/** Oneself, and how the app behaves on this device. */
export function ProfileScreen({ Badge, Currency, Plan }: PlanParts) {
  const { t, i18n } = useTranslation();
  // Before the first sentence of this part of the app; a second time adds nothing.
  addWords(i18n, 'profile', enProfile);
  addWords(i18n, 'security', enSecurity);
  const signOut = useSignOut();
  const sells = useSells();
  const hasMeetings = useStore(featureStore, ({ features }) => features['meetings'] === true);
  const offer = useStore(installStore, (state) => state.offer);
  return (
    <>
      <div className="mx-auto w-full max-w-160 lg:max-w-268">
        <ScreenHeader
          title={t('profile.title')}
          actions={
            <>
              {sells && (
                <Suspense fallback={<span className="w-22" />}>
                  <Currency />
                </Suspense>
              )}
              {offer !== null && (
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
              <Button kind="quiet" icon={<LogOut className="rtl:-scale-x-100" />} onClick={signOut}>
                {t('profile.logout')}
              </Button>
            </>
          }
        />
      </div>
      <SignOutQuestion onConfirm={signOut} />
      <div className="min-h-0 flex-1 overflow-y-auto px-4 pt-1 pb-8">
        <div className="mx-auto grid max-w-160 grid-cols-1 items-start gap-4 lg:max-w-260 lg:grid-cols-[19rem_minmax(0,1fr)]">
          <div className="min-w-0 lg:sticky lg:top-0">
            <IdentityCard PlanBadge={Badge} />
            {/* Where there is a sidebar, one's own menu leads there. */}
            <div className="mt-4 md:hidden">
              <Link to="/starred" className={buttonClasses({ kind: 'secondary', wide: true })}>
                <Star aria-hidden="true" />
                {t('chats.starred')}
              </Link>
            </div>
          </div>
          <div className="flex min-w-0 flex-col gap-4">
            <DetailsCard />
            {sells ? (
              <Suspense fallback={<UsageCard />}>
                <Plan />
              </Suspense>
            ) : (
              <UsageCard />
            )}
            <PrivacyCard />
            <SignInWaysCard />
            <DevicesCard />
            <ActivityCard />
            <AppearanceCard />
            <DataCard />
            {hasMeetings && <BrandingCard />}
            <ApiAccessCard />
            <AboutCard />
          </div>
        </div>
      </div>
    </>
  );
}
