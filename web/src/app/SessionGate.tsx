import type { ReactNode } from 'react';
import { lazy, Suspense, useEffect, useLayoutEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useStore } from 'zustand';
import { sessionStore } from '../session/session.ts';
import { ErrorState } from '../ui/ErrorState.tsx';
import { checkSession } from '../session/checkSession.ts';
import { LoadingScreen } from '../shell/LoadingScreen.tsx';
import { SignedOut } from './SignedOut.tsx';

const KeepAccount = lazy(async () => ({ default: (await import('../account/closing/KeepAccount.tsx')).KeepAccount }));

export const loadSignedIn = () => import('./SignedIn.tsx');

/**
 * The signed-in face, once its code is here. Without Suspense: React keeps back for 300 ms what follows a fallback, and
 * the chats are on the device.
 */
function SignedInFace() {
  const [loaded, setLoaded] = useState<{ face?: ReactNode; failure?: Error }>({});
  useEffect(() => {
    loadSignedIn().then(
      ({ SignedIn }) => setLoaded({ face: <SignedIn /> }),
      (cause: unknown) => setLoaded({ failure: new Error('The app could not be loaded.', { cause }) }),
    );
  }, []);
  // For the boundary that says it and offers to load again.
  if (loaded.failure !== undefined) throw loaded.failure;
  return loaded.face ?? <LoadingScreen />;
}

/** Decides which of the app's faces shows: loading, signed out, signed in, to be deleted, or nobody answered. */
export function SessionGate() {
  const status = useStore(sessionStore, (state) => state.status);
  const deletesAt = useStore(sessionStore, (state) => state.user?.deletesAt);
  // Until our first paint the document shows the landing page or its loading line; from here on
  // both are ours to draw, and the prerendered ones go, with their ids and links.
  useLayoutEffect(() => {
    document.documentElement.dataset.view = 'app';
    document.getElementById('landing')?.remove();
    document.getElementById('loading')?.remove();
  }, []);
  if (status === 'unknown') return <LoadingScreen />;
  if (status === 'unreachable') return <Unreachable />;
  if (status === 'signedIn' && deletesAt !== undefined) {
    return (
      <Suspense fallback={<LoadingScreen />}>
        <KeepAccount deletesAt={deletesAt} />
      </Suspense>
    );
  }
  if (status === 'signedIn') return <SignedInFace />;
  return (
    // With a key of its own, or the face that goes would live on, hidden, until the code of the one that comes is here.
    <Suspense key={status} fallback={<LoadingScreen />}>
      <SignedOut />
    </Suspense>
  );
}

function Unreachable() {
  const { t } = useTranslation();
  useEffect(() => {
    const again = () => void checkSession();
    addEventListener('online', again);
    return () => removeEventListener('online', again);
  }, []);
  return (
    <main className="grid h-dvh place-items-center bg-page">
      <ErrorState whole title={t('errors.network')} onRetry={() => void checkSession()} />
    </main>
  );
}
