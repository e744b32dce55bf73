import { Suspense, useEffect } from 'react';
import { useStore } from 'zustand';
import { loginAddress } from '../session/returnPath.ts';
import { sessionStore } from '../session/session.ts';
import { readPhoneMarker } from '../session/sessionMarker.ts';
import { isKnownPath, legalPageOf, meetingIdOf, demoSecondPersonPath } from '../shell/knownPaths.ts';
import { ScrollPage } from '../shell/ScrollPage.tsx';
import { lazyOptional, lazyComponent } from '../ui/lazyComponents.tsx';
import { useTexts, withTexts } from '../i18n/texts.ts';

const Landing = lazyComponent(async () => (await import('../landing/Landing.tsx')).Landing);
export const loadPhoneSignIn = () => withTexts(import('../account/signIn/PhoneSignIn.tsx'));
const NotFoundScreen = lazyComponent(async () => (await import('../shell/NotFoundScreen.tsx')).NotFoundScreen);
const LegalPage = lazyComponent(async () => (await import('../landing/legal/LegalPage.tsx')).LegalPage);
const GuestMeeting = lazyComponent(async () => (await import('../meetings/room/GuestMeeting.tsx')).GuestMeeting);
const SignInErrorBanner = lazyOptional(
  async () => (await import('../account/signIn/SignInErrorBanner.tsx')).SignInErrorBanner,
);
const SecondPerson = lazyComponent(
  async () => (await import('../account/secondPerson/DemoSecondPersonSignIn.tsx')).DemoSecondPersonSignIn,
);
const PhoneSignIn = lazyComponent(async () => (await loadPhoneSignIn()).PhoneSignIn);

/**
 * App without a session: the phone form if requested or used earlier, otherwise the landing page. A deep link keeps its
 * address, so signing in leads to its target.
 */
export function SignedOut() {
  const { t } = useTexts();
  const isPhoneSignIn = useStore(sessionStore, (state) => state.phoneSignIn);
  const deepLink = location.pathname !== '/';
  // A meeting may admit people without an account, and otherwise says so itself.
  const meetingId = meetingIdOf(location.pathname);
  const phone = isPhoneSignIn || (deepLink && meetingId === undefined && readPhoneMarker(localStorage) !== null);
  useEffect(() => {
    if (legalPageOf(location.pathname) !== undefined || (meetingIdOf(location.pathname) !== undefined && !phone))
      return;
    document.title = phone ? `${t('auth.phoneTitle')} · ${t('common.productName')}` : t('common.pageTitle');
  }, [phone, t]);

  if (location.pathname === demoSecondPersonPath) return <SecondPerson />;
  if (!isKnownPath(location.pathname))
    return (
      <main>
        <NotFoundScreen homeHref="/" />
      </main>
    );
  const legal = legalPageOf(location.pathname);
  if (legal !== undefined) {
    return (
      <ScrollPage>
        <main>
          <LegalPage key={legal} name={legal} />
        </main>
      </ScrollPage>
    );
  }
  if (meetingId !== undefined && !phone) {
    return (
      <GuestMeeting
        id={meetingId}
        onSignIn={(way) => {
          if (way === 'phone') sessionStore.getState().openPhoneSignIn();
          else location.assign(loginAddress(location.pathname + location.search + location.hash));
        }}
      />
    );
  }
  if (phone) {
    return (
      <ScrollPage>
        <PhoneSignIn
          closes={isPhoneSignIn}
          onBack={() => {
            if (deepLink) history.replaceState(null, '', '/');
            sessionStore.getState().closePhoneSignIn();
          }}
        />
      </ScrollPage>
    );
  }
  return (
    <ScrollPage>
      {location.search.includes('sign_in_error=') && (
        <Suspense>
          <SignInErrorBanner />
        </Suspense>
      )}
      <Landing
        loginHref={loginAddress(location.pathname + location.search + location.hash)}
        onOpenPhone={() => sessionStore.getState().openPhoneSignIn()}
      />
    </ScrollPage>
  );
}
