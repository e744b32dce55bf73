import { lazy, Suspense } from 'react';
import { useStore } from 'zustand';
import { proofStore } from '../../state/proof.ts';

const ProofDialog = lazy(async () => ({ default: (await import('./ProofDialog.tsx')).ProofDialog }));

/** Over every screen: asks for fresh proof whenever something takes it. */
export function ProofHost() {
  const asked = useStore(proofStore, (state) => state.answer !== null);
  if (!asked) return null;
  return (
    <Suspense>
      <ProofDialog />
    </Suspense>
  );
}
