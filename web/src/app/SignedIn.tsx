import { QueryClientProvider, type QueryClient } from '@tanstack/react-query';
import { Suspense, useEffect, useState, type ReactNode } from 'react';
import { RouterProvider } from 'react-router-dom';
import { useStore } from 'zustand';
import { onPlanLimit, type ApiError } from '../api/request.ts';
import { TooltipProvider } from '../ui/Tooltip.tsx';
import { ChatProvider } from './ChatProvider.tsx';
import { signOutRequestStore } from '../session/useRequestSignOut.ts';
import { createQueryClient } from '../session/queryClient.ts';
import { yieldToBrowser } from '../ui/scheduler.ts';
import { createRouter } from './router.tsx';
import { useSyncAccountLanguage } from './useSyncAccountLanguage.ts';
import { lazyOptional, lazyComponent } from '../ui/lazyComponents.tsx';
import { locationWarningStore } from '../chat/media/locationWarning.ts';
import { lazyDialog } from '../ui/lazyDialog.tsx';
import { LoadingScreen } from '../shell/LoadingScreen.tsx';
import { useSelf } from '../session/self.ts';

const NameStep = lazyComponent(async () => (await import('../account/profile/NameStep.tsx')).NameStep);

/** Asks for a name before anything else (decision 6). The address stays, so a deep link opens afterwards. */
function NameGate({ children }: { children: ReactNode }) {
  const { profileComplete } = useSelf();
  if (profileComplete) return children;
  return (
    <Suspense fallback={<LoadingScreen />}>
      <NameStep />
    </Suspense>
  );
}

const PlaceQuestion = lazyDialog(
  async () => (await import('../chat/media/LocationWarningDialog.tsx')).LocationWarningDialog,
  () => locationWarningStore.getState().question?.answer(false),
);

/** Asks over every screen if a file that may contain its location should be sent. */
function LocationQuestionHost() {
  const isQuestionOpen = useStore(locationWarningStore, (state) => state.question !== null);
  return isQuestionOpen && <PlaceQuestion />;
}

const AccountPreferences = lazyOptional(
  async () => (await import('./AccountPreferencesSync.tsx')).AccountPreferencesSync,
);
const ProofHost = lazyOptional(async () => (await import('../account/security/ProofHost.tsx')).ProofHost);

/** Loaded on demand; if offline and not cached yet, the next press tries again. */
const SignOutQuestion = lazyOptional(async () => (await import('./SignOutQuestion.tsx')).SignOutQuestion);

/** A refusal shows its own error; if this cannot load, there is nothing more to show. */
const LimitDialog = lazyOptional(async () => (await import('../billing/room.ts')).LimitDialog);

/** Explains over every screen which limit of the plan was reached, and what lifts it. */
function LimitHost() {
  const [refusal, setRefusal] = useState<ApiError | null>(null);
  useEffect(() => onPlanLimit((met) => setRefusal((shown) => shown ?? met)), []);
  return (
    refusal && (
      <Suspense>
        <LimitDialog error={refusal} onClose={() => setRefusal(null)} />
      </Suspense>
    )
  );
}

/** Asks over every screen to confirm signing out. */
function SignOutHost() {
  const isSignOutRequested = useStore(signOutRequestStore, ({ requestedBy }) => requestedBy !== null);
  return (
    isSignOutRequested && (
      <Suspense>
        <SignOutQuestion />
      </Suspense>
    )
  );
}

interface SignedInProps {
  queryClient: QueryClient;
  router: ReturnType<typeof createRouter>;
}

/** Creates what the signed-in face needs, each part in a task of its own. */
export async function prepareSignedIn(): Promise<SignedInProps> {
  const queryClient = createQueryClient();
  await yieldToBrowser();
  const router = createRouter();
  await yieldToBrowser();
  return { queryClient, router };
}

/** Everything that needs a session: the router, the query cache, the chats and the shell around the screens. */
export function SignedIn({ queryClient, router }: SignedInProps) {
  useSyncAccountLanguage();
  return (
    <QueryClientProvider client={queryClient}>
      <TooltipProvider>
        <ChatProvider>
          <NameGate>
            <RouterProvider router={router} />
            <Suspense>
              <AccountPreferences />
              <ProofHost />
            </Suspense>
            <LimitHost />
            <SignOutHost />
          </NameGate>
          <LocationQuestionHost />
        </ChatProvider>
      </TooltipProvider>
    </QueryClientProvider>
  );
}
