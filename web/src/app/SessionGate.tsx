import { startTransition, Suspense, useEffect, useLayoutEffect, useState, type ReactNode } from 'react';
import { useStore } from 'zustand';
import { listen } from '../device/listen.ts';
import { sessionStore } from '../session/session.ts';
import { ErrorState } from '../ui/ErrorState.tsx';
import { checkSession } from '../session/checkSession.ts';
import { LoadingScreen } from '../shell/LoadingScreen.tsx';
import { revealApp, useRevealApp } from '../shell/reveal.ts';
import { SignedOut } from './SignedOut.tsx';
import { lazyComponent } from '../ui/lazyComponents.tsx';
import { useTexts, withTexts } from '../i18n/texts.ts';

const KeepAccount = lazyComponent(async () => (await import('../account/closing/KeepAccount.tsx')).KeepAccount);

export const loadSignedIn = () => withTexts(import('./SignedIn.tsx'));

/**
 * Signed-in face of the app, once its code is loaded. Without Suspense, because React delays what follows a fallback by
 * 300 ms, and the chats are already on the device.
 */
function SignedInFace() {
  const [loaded, setLoaded] = useState<{ face?: ReactNode; failure?: Error }>({});
  useEffect(() => {
    loadSignedIn()
      .then(async ({ SignedIn, prepareSignedIn }) => {
        const signedInProps = await prepareSignedIn();
        // Renders in slices, so that pressing and typing meanwhile need not wait for all of it.
        startTransition(() => setLoaded({ face: <SignedIn {...signedInProps} /> }));
      })
      .catch((cause: unknown) => setLoaded({ failure: new Error('The app could not be loaded.', { cause }) }));
  }, []);
  // Thrown to the boundary, which shows it and offers to reload.
  if (loaded.failure !== undefined) throw loaded.failure;
  return loaded.face ?? <LoadingScreen />;
}

/** Decides which face of the app shows: loading, signed out, signed in, to be deleted, or unreachable. */
export function SessionGate() {
  const status = useStore(sessionStore, (state) => state.status);
  const deletesAt = useStore(sessionStore, (state) => state.user?.deletesAt);
  // The document shows the landing page or its loading text until our first paint, and the app replaces them from here
  // on. The document's frame of the first screen is better than our loading text, and stays until there is a screen.
  useLayoutEffect(() => {
    if (document.getElementById('frame') === null) revealApp();
  }, []);
  if (status === 'unknown') return <LoadingScreen />;
  if (status === 'unreachable') return <Unreachable />;
  if (status === 'signedIn' && deletesAt !== undefined) {
    return (
      <Suspense fallback={<LoadingScreen />}>
        <Revealed>
          <KeepAccount deletesAt={deletesAt} />
        </Revealed>
      </Suspense>
    );
  }
  if (status === 'signedIn') return <SignedInFace />;
  return (
    // The key prevents the old face from staying mounted, hidden, until the code of the new one has loaded.
    <Suspense key={status} fallback={<LoadingScreen />}>
      <Revealed>
        <SignedOut />
      </Revealed>
    </Suspense>
  );
}

/** Reveals the app when its lazy content has loaded. */
function Revealed({ children }: { children: ReactNode }) {
  useRevealApp();
  return children;
}

function Unreachable() {
  const { t } = useTexts();
  useRevealApp();
  useEffect(() => listen(window, ['online'], () => void checkSession()), []);
  return (
    <main className="grid h-dvh place-items-center bg-page">
      <ErrorState whole title={t('errors.network')} onRetry={() => void checkSession()} />
    </main>
  );
}
