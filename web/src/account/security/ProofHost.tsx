import { useStore } from 'zustand';
import { proofStore } from '../proof.ts';
import { late } from '../../ui/late.tsx';

const ProofDialog = late(
  async () => (await import('./ProofDialog.tsx')).ProofDialog,
  () => proofStore.getState().settle(false),
);

/** Asks for a fresh proof over every screen, whenever an action needs one. */
export function ProofHost() {
  const asked = useStore(proofStore, (state) => state.answer !== null);
  return asked && <ProofDialog />;
}
