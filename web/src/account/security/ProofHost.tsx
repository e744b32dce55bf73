import { useStore } from 'zustand';
import { proofStore } from '../../api/proof.ts';
import { lazyDialog } from '../../ui/lazyDialog.tsx';

const ProofDialog = lazyDialog(
  async () => (await import('./ProofDialog.tsx')).ProofDialog,
  () => proofStore.getState().settle(false),
);

/** Asks for a fresh proof over every screen, whenever an action needs one. */
export function ProofHost() {
  const isProofRequested = useStore(proofStore, (state) => state.answer !== null);
  return isProofRequested && <ProofDialog />;
}
