import { QueryClientProvider } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { Suspense, useEffect, useState } from 'react';
import { RouterProvider } from 'react-router-dom';
import { useStore } from 'zustand';
import type { ApiError } from '../api/request.ts';
import { onPlanLimit } from '../api/request.ts';
import { TooltipProvider } from '../ui/Tooltip.tsx';
import { ChatProvider } from './ChatProvider.tsx';
import { NameGate } from './NameGate.tsx';
import { LocationQuestionHost } from './LocationQuestionHost.tsx';
import { signOutRequestStore } from '../session/useRequestSignOut.ts';
import { createQueryClient } from '../session/queryClient.ts';
import { yieldToBrowser } from '../ui/scheduler.ts';
import { createRouter } from './router.tsx';
import { useSyncAccountLanguage } from './useSyncAccountLanguage.ts';
import { lazyOptional } from '../ui/lazyComponents.tsx';

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
