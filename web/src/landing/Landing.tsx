import { builtFeatures } from '@nolo/rules';
import { LockKeyhole, Smartphone, Video, Zap } from 'lucide-react';
import type { ReactNode } from 'react';
import { Badge } from '../ui/Badge.tsx';
import { Button, ButtonLink } from '../ui/Button.tsx';
import { Logo } from '../ui/Logo.tsx';
import { ChatPicture } from './ChatPicture.tsx';
import { useTexts } from '../i18n/texts.ts';
import { landingTexts } from './landingTexts.ts';

interface FeatureCardProps {
  icon: ReactNode;
  title: string;
  badge?: ReactNode;
  children: ReactNode;
}

function FeatureCard({ icon, title, badge, children }: FeatureCardProps) {
  return (
    <li className="flex flex-col rounded-card border border-line bg-panel p-6">
      <div className="flex items-center justify-between gap-3">
        <span
          aria-hidden="true"
          className="flex size-11 items-center justify-center rounded-card bg-accent-subtle text-accent-text [&_svg]:size-[22px]"
        >
          {icon}
        </span>
        {badge}
      </div>
      <h3 className="mt-5 text-16 font-semibold">{title}</h3>
      <p className="mt-1.5 text-14 leading-[1.55] text-muted">{children}</p>
    </li>
  );
}

export interface LandingProps {
  /** URL where the provider's sign-in starts, including the return address. */
  loginHref: string;
  /** Opens the phone form. The prerendered page lacks this function, and boot.ts wires its buttons. */
  onOpenPhone?: () => void;
}

/** Landing page at `/` for signed-out people. Rendered into the document at build time, and again by the app. */
export function Landing({ loginHref, onOpenPhone }: LandingProps) {
  const { t } = useTexts(landingTexts);
  return (
    <div className="flex min-h-dvh flex-col bg-page ps-[env(safe-area-inset-left)] pe-[env(safe-area-inset-right)]">
      <header className="mx-auto flex w-full max-w-300 items-center justify-between gap-4 px-5 pt-[calc(env(safe-area-inset-top)+1rem)] pb-4 sm:px-8">
        <Logo />
        <nav aria-label={t('landing:signIn')} className="flex items-center gap-1.5 sm:gap-2">
          <Button kind="quiet" data-open-phone onClick={onOpenPhone}>
            {t('landing:phone')}
          </Button>
          <ButtonLink kind="secondary" data-login href={loginHref}>
            {t('landing:signIn')}
          </ButtonLink>
        </nav>
      </header>

      <main id="landing-main" className="mx-auto w-full max-w-300 flex-1 px-5 sm:px-8">
        <section className="grid grid-cols-1 items-center gap-10 pt-6 pb-14 sm:pt-10 lg:grid-cols-[minmax(0,1fr)_minmax(0,1.08fr)] lg:gap-14 lg:pt-8 lg:pb-20">
          <div className="max-w-140 lg:max-w-none">
            <p className="text-14 font-semibold text-accent-text">{t('landing:welcome')}</p>
            <h1 className="mt-3 text-display font-semibold tracking-[-0.035em] wrap-anywhere text-balance">
              {t('landing:headline')}
            </h1>
            <p className="mt-5 max-w-122 text-16 leading-[1.55] text-pretty text-muted sm:text-[1.125rem]">
              {t('landing:lead')}
            </p>
            <div className="mt-8 flex flex-col gap-3 sm:flex-row sm:flex-wrap">
              <Button size="large" icon={<Smartphone />} data-open-phone onClick={onOpenPhone}>
                {t('landing:getStartedWithPhone')}
              </Button>
              <ButtonLink size="large" kind="secondary" data-login href={loginHref}>
                {t('landing:traditionalSignIn')}
              </ButtonLink>
            </div>
            <noscript>
              <p className="mt-4 max-w-110 text-13 text-muted">{t('landing:noScript')}</p>
            </noscript>
          </div>
          <ChatPicture />
        </section>

        <section aria-labelledby="landing-features" className="pb-16 lg:pb-24">
          <h2 id="landing-features" className="text-24 font-semibold tracking-tight">
            {t('landing:featuresHeading')}
          </h2>
          <ul className="mt-6 grid gap-4 md:grid-cols-3">
            <FeatureCard
              icon={<LockKeyhole />}
              title={t('landing:encryptedTitle')}
              badge={!builtFeatures.endToEndEncryption && <Badge tone="warning">{t('common.inDevelopment')}</Badge>}
            >
              {t('landing:encryptedText')}
              {!builtFeatures.endToEndEncryption && ` ${t('landing:encryptedNotYet')}`}
            </FeatureCard>
            <FeatureCard icon={<Zap />} title={t('landing:realtimeTitle')}>
              {t('landing:realtimeText')}
            </FeatureCard>
            <FeatureCard
              icon={<Video />}
              title={t('landing:meetingsTitle')}
              badge={!builtFeatures.meetings && <Badge tone="neutral">{t('landing:planned')}</Badge>}
            >
              {t('landing:meetingsText')}
            </FeatureCard>
          </ul>
        </section>
      </main>

      <footer className="border-t border-line">
        <div className="mx-auto flex w-full max-w-300 flex-wrap items-center justify-between gap-x-6 gap-y-1 px-5 pt-4 pb-[calc(env(safe-area-inset-bottom)+1rem)] text-13 text-muted sm:px-8">
          <p className="py-1">{t('landing:footer')}</p>
          <nav aria-label={t('landing:legalLabel')} className="-mx-2 flex">
            {(['privacy', 'terms'] as const).map((name) => (
              <a
                key={name}
                href={`/${name}`}
                className="tap inline-flex items-center rounded-control px-2 py-1 hover:text-ink hover:underline"
              >
                {t(`legal.${name}`)}
              </a>
            ))}
          </nav>
        </div>
      </footer>
    </div>
  );
}
