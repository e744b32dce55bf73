import type { ComponentType } from 'react';
import { Suspense, useEffect, useLayoutEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useStore } from 'zustand';
import { sessionStore } from '../state/session.ts';
import { ErrorState } from '../ui/ErrorState.tsx';
import { checkSession } from './checkSession.ts';
import { LoadingScreen } from './LoadingScreen.tsx';
import { SignedOut } from './SignedOut.tsx';

export const loadSignedIn = () => import('./SignedIn.tsx');

/** The signed-in face, once its code is here. */
function useSignedIn(wanted: boolean): ComponentType | undefined {
  const [loaded, setLoaded] = useState<{ face?: ComponentType; failure?: unknown }>({});
  useEffect(() => {
    if (!wanted) return;
    loadSignedIn().then(
      ({ SignedIn }) => setLoaded({ face: SignedIn }),
      (failure: unknown) => setLoaded({ failure }),
    );
  }, [wanted]);
  // For the boundary that says it and offers to load again.
  if (loaded.failure !== undefined) throw loaded.failure;
  return loaded.face;
}

/** Decides which of the app's faces shows: loading, signed out, signed in, or nobody answered. */
export function SessionGate() {
  const status = useStore(sessionStore, (state) => state.status);
  const SignedIn = useSignedIn(status === 'signedIn');
  // Until our first paint the document shows the landing page or its loading line; from here on
  // both are ours to draw, and the prerendered ones go, with their ids and links.
  useLayoutEffect(() => {
    document.documentElement.dataset.view = 'app';
    document.getElementById('landing')?.remove();
    document.getElementById('loading')?.remove();
  }, []);
  if (status === 'unknown') return <LoadingScreen />;
  if (status === 'unreachable') return <Unreachable />;
  // Without Suspense: React keeps back for 300 ms what follows a fallback, and the chats are on the device.
  if (status === 'signedIn') return SignedIn ? <SignedIn /> : <LoadingScreen />;
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
      <ErrorState title={t('errors.network')} onRetry={() => void checkSession()} />
    </main>
  );
}
