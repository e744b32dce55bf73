import { useStore } from 'zustand';
import { proofStore } from '../proof.ts';
import { late } from '../../ui/late.tsx';

const ProofDialog = late(
  async () => (await import('./ProofDialog.tsx')).ProofDialog,
  () => proofStore.getState().settle(false),
);

/** Over every screen: asks for fresh proof whenever something takes it. */
export function ProofHost() {
  const asked = useStore(proofStore, (state) => state.answer !== null);
  return asked && <ProofDialog />;
}
