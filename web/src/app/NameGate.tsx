import type { ReactNode } from 'react';
import { Suspense } from 'react';
import { LoadingScreen } from '../shell/LoadingScreen.tsx';
import { useSelf } from '../session/self.ts';
import { lazyComponent } from '../ui/lazyComponents.tsx';

const NameStep = lazyComponent(async () => (await import('../account/profile/NameStep.tsx')).NameStep);

/** Asks for a name before anything else (decision 6). The address stays, so a deep link opens afterwards. */
export function NameGate({ children }: { children: ReactNode }) {
  const { profileComplete } = useSelf();
  if (profileComplete) return children;
  return (
    <Suspense fallback={<LoadingScreen />}>
      <NameStep />
    </Suspense>
  );
}
